import { afterEach, describe, expect, it } from 'vitest'
import { WorkerPool, type WorkerTask } from '../../../main/platform/worker-pool'

const pools: WorkerPool[] = []
const poolOf = (options: { size?: number; idleMs?: number } = {}) => {
  const pool = new WorkerPool({ worker: 'search', ...options })
  pools.push(pool)
  return pool
}
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.dispose()))
})

const missing: WorkerTask<null, never, never> = { name: 'none' }
const run = (pool: WorkerPool, signal = new AbortController().signal) =>
  pool.run(missing, null, { signal, timeoutMs: 10_000 })

describe('WorkerPool', () => {
  it('starts nothing before the first task, keeps the thread after a failure, and gives it back when idle', async () => {
    const pool = poolOf({ size: 1, idleMs: 50 })
    expect(pool.threads).toBe(0)
    await expect(run(pool)).rejects.toMatchObject({ code: 'internal', message: 'This worker has no task none' })
    expect(pool.threads).toBe(1)
    await expect.poll(() => pool.threads).toBe(0)
  })

  it('queues beyond its size and refuses after dispose', async () => {
    const pool = poolOf({ size: 1 })
    const results = await Promise.allSettled([run(pool), run(pool), run(pool)])
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(pool.threads).toBe(1)
    await pool.dispose()
    expect(pool.threads).toBe(0)
    await expect(run(pool)).rejects.toMatchObject({ code: 'aborted' })
  })

  it('rejects at once when it was stopped before', async () => {
    await expect(run(poolOf(), AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('says when a worker was not built', async () => {
    const pool = new WorkerPool({ worker: 'nowhere' })
    await expect(run(pool)).rejects.toMatchObject({ message: 'The worker nowhere is missing from this build.' })
  })
})
