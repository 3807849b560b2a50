import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWriter, killAtEveryCall } from '../fixtures/editing/kill-at-every-call'

let folder: string
let writer: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'plumbline-edit-kill-'))
  writer = await buildWriter(path.join(folder, 'built'))
}, 60_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a process that is killed while it writes files', () => {
  it('WRITE-03 a replacement, at every system call: old or new, and nothing lies about', async () => {
    const report = await killAtEveryCall({ writer, folder, scenario: 'replace', every: 1 })
    expect(report.kills).toBe(report.calls)
    expect(report.old).toBeGreaterThan(5)
    expect(report.fresh).toBeGreaterThan(1)
    expect(report.swept).toBeGreaterThan(3)
    expect(report.between).toBe(0)
  }, 120_000)

  it('EDIT-15 several files, at every fifth system call', async () => {
    const report = await killAtEveryCall({ writer, folder, scenario: 'several', every: 5 })
    expect(report.between).toBeGreaterThan(3)
  }, 120_000)
})
