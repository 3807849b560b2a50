import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { killRounds } from '../fixtures/sessions/kill-rounds'

const ROUNDS = 25

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'plumbline-kill-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a process that is killed while it writes a session', () => {
  it(`loses nothing that was acknowledged, at ${ROUNDS} moments, and the session always opens`, async () => {
    const report = await killRounds({ folder, rounds: ROUNDS, seed: 2026 })
    expect(report.acknowledged).toBeGreaterThan(ROUNDS)
    expect(report.interrupted).toBeGreaterThan(ROUNDS)
  }, 120_000)
})
