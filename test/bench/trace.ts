import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** A stretch of work on the page's main thread, in milliseconds of the trace's clock. */
export interface Task {
  at: number
  ms: number
  /** Of it on the processor: what remains when other processes push this one aside. Absent where it is not told. */
  cpuMs?: number
}

const TraceEvent = z.object({
  ph: z.string(),
  name: z.string(),
  pid: z.number(),
  tid: z.number(),
  ts: z.number(),
  dur: z.number().optional(),
  tdur: z.number().optional(),
  args: z.record(z.string(), z.unknown()).optional(),
})

/** Categories to record for `mainThreadTasks`. */
export const traceCategories = ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata']

/** Milliseconds of a frame at 60 a second. */
export const FRAME_MS = 1000 / 60

/** The outermost tasks of a renderer's main thread, in order. */
export function mainThreadTasks(file: string, pid: number): Task[] {
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const events = z
    .object({ traceEvents: z.array(z.unknown()) })
    .parse(parsed)
    .traceEvents.flatMap((raw) => {
      const event = TraceEvent.safeParse(raw)
      return event.success && event.data.pid === pid ? [event.data] : []
    })
  const main = events.find((event) => event.name === 'thread_name' && event.args?.name === 'CrRendererMain')
  const tasks = events
    .filter((event) => event.ph === 'X' && event.tid === main?.tid && /RunTask$/.test(event.name))
    .map((event) => ({
      at: event.ts / 1000,
      ms: (event.dur ?? 0) / 1000,
      ...(event.tdur === undefined ? {} : { cpuMs: event.tdur / 1000 }),
    }))
    .sort((left, right) => left.at - right.at || right.ms - left.ms)
  // Both categories name a task, one inside the other.
  let end = Number.NEGATIVE_INFINITY
  return tasks.filter((task) => {
    if (task.at < end) return false
    end = task.at + task.ms
    return true
  })
}

/** Milliseconds of work in each frame from the first task to the last, idle frames included. */
export function workPerFrame(tasks: readonly Task[]): number[] {
  const [first] = tasks
  const last = tasks.at(-1)
  if (first === undefined || last === undefined || !Number.isFinite(last.at + last.ms)) return []
  const frames = new Array<number>(Math.ceil((last.at + last.ms - first.at) / FRAME_MS) + 1).fill(0)
  for (const task of tasks) {
    let { at, ms } = task
    while (ms > 0) {
      const index = Math.floor((at - first.at) / FRAME_MS)
      const left = first.at + (index + 1) * FRAME_MS - at
      const here = Math.min(ms, Math.max(left, 0.001))
      frames[index] = (frames[index] ?? 0) + here
      at += here
      ms -= here
    }
  }
  return frames
}
