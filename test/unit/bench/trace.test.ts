import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { quantile } from '../../bench/measuring'
import { FRAME_MS, mainThreadTasks, workPerFrame } from '../../bench/trace'

it('finds the outermost tasks of the main thread of one process', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'plumbline-trace-'))
  const file = path.join(folder, 'trace.json')
  const task = (name: string, ts: number, dur: number, pid = 5, tid = 1) => ({ ph: 'X', name, pid, tid, ts, dur })
  const traceEvents = [
    { ph: 'M', name: 'thread_name', pid: 5, tid: 1, ts: 0, args: { name: 'CrRendererMain' } },
    task('ThreadControllerImpl::RunTask', 1000, 4000),
    task('RunTask', 1500, 3000),
    task('RunTask', 6000, 1000),
    task('Paint', 9000, 1000),
    task('RunTask', 6000, 9000, 5, 2),
    task('RunTask', 6000, 9000, 6, 1),
  ]
  writeFileSync(file, JSON.stringify({ traceEvents }))
  expect(mainThreadTasks(file, 5)).toEqual([
    { at: 1, ms: 4 },
    { at: 6, ms: 1 },
  ])
  rmSync(folder, { recursive: true })
})

it('spreads a long task over the frames that it covers', () => {
  const frames = workPerFrame([
    { at: 100, ms: 2 * FRAME_MS },
    { at: 100 + 5 * FRAME_MS, ms: 1 },
  ])
  expect(frames.slice(0, 6).map((ms) => Math.round(ms * 10) / 10)).toEqual([16.7, 16.7, 0, 0, 0, 1])
  expect(quantile(frames, 0.5)).toBe(0)
})
