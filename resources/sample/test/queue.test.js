import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Queue } from '../src/queue.js'

test('a job that fails twice is done at the third try', async () => {
  const waits = []
  const queue = new Queue({ sleep: async (ms) => void waits.push(ms) })
  let tries = 0
  const result = await queue.run(async () => {
    tries += 1
    if (tries < 3) throw new Error('busy')
    return 'done'
  })
  assert.equal(result, 'done')
  assert.deepEqual(waits, [100, 200])
})
