import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ProcessTable, SystemProcessTable } from '../../../main/sessions/process-identity'
import { isLocked, takeLock } from '../../../main/sessions/session-lock'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'plumbline-lock-'))
  file = path.join(folder, 'lock')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const table = (pid: number, running: readonly number[], started = 'now'): ProcessTable => ({
  own: async () => ({ pid, started, host: 'here' }),
  runs: async (identity) => running.includes(identity.pid) && identity.started === 'now',
})

describe('the lock of a session', () => {
  it('is held by one, and free after it was given back', async () => {
    const lock = await takeLock(file, table(1, [1, 2]))
    expect(await isLocked(file, table(2, [1, 2]))).toBe(true)
    await expect(takeLock(file, table(2, [1, 2]))).rejects.toMatchObject({
      code: 'journal_locked',
      message: expect.stringContaining('process 1 on here'),
    })
    await expect(takeLock(file, table(1, [1, 2]))).rejects.toMatchObject({ code: 'journal_locked' })
    await lock.release()
    expect(await readdir(folder)).toEqual([])
    await (await takeLock(file, table(2, [1, 2]))).release()
  })

  it('is taken over at once from a process that is gone, also when its number is used again', async () => {
    await takeLock(file, table(1, [1]))
    const second = await takeLock(file, table(2, [2]))
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ pid: 2 })
    await second.release()
    await takeLock(file, table(7, [7], 'long ago'))
    await takeLock(file, table(8, [7, 8]))
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ pid: 8 })
  })

  it('goes to one of many who find it stale', async () => {
    await takeLock(file, table(1, [1]))
    const running = [2, 3, 4, 5, 6, 7]
    const results = await Promise.allSettled(running.map((pid) => takeLock(file, table(pid, running))))
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'journal_locked' })
  })

  it('of another machine counts while it gives signs of life', async () => {
    await writeFile(file, JSON.stringify({ pid: 1, started: 'now', host: 'elsewhere', token: 'x' }))
    await expect(takeLock(file, table(2, [2]))).rejects.toMatchObject({ code: 'journal_locked' })
    const old = new Date(Date.now() - 10 * 60_000)
    await utimes(file, old, old)
    await (await takeLock(file, table(2, [2]))).release()
  })

  it('does not stay blocked by a process that died while it took over', async () => {
    await takeLock(file, table(1, [1]))
    await mkdir(`${file}.takeover`)
    const old = new Date(Date.now() - 60_000)
    await utimes(`${file}.takeover`, old, old)
    await (await takeLock(file, table(2, [2]))).release()
  })
})

describe('the processes of this machine', () => {
  it.each(['linux', 'darwin'] as const)(
    'on %s: this one runs, and its number alone is not enough',
    async (platform) => {
      const processes = new SystemProcessTable(platform)
      const own = await processes.own()
      expect(await processes.runs(own)).toBe(true)
      expect(await processes.runs({ ...own, started: 'another time' })).toBe(own.started === '')
    },
  )

  it('tell a running process from one that ended, and from another of its number', async () => {
    const processes = new SystemProcessTable()
    expect(await processes.own()).toMatchObject({ pid: process.pid, host: hostname() })
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    const pid = child.pid ?? 0
    expect(await processes.runs({ pid, started: '', host: hostname() })).toBe(true)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await processes.runs({ pid, started: '', host: hostname() })).toBe(false)
  })
})
