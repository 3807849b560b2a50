import assert from 'node:assert/strict'
import { test } from 'node:test'
import { delayFor } from '../src/backoff.js'

test('the first retry waits for the base delay', () => {
  assert.equal(delayFor(1), 100)
})

test('each further retry waits twice as long', () => {
  assert.deepEqual([delayFor(2), delayFor(3)], [200, 400])
})

test('no wait is longer than the ceiling', () => {
  assert.equal(delayFor(20), 5_000)
})
