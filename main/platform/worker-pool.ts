import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { abortError } from './clock'
import { PlumblineError } from './errors'
import type { TaskMessage, WorkerReply } from './worker-tasks'

/** Names the folder of built workers where they don't lie beside the program, as in tests. */
const FOLDER_VARIABLE = 'PLUMBLINE_WORKERS'

/** Workers that had nothing to do for this long are ended, so that their memory is given back. Milliseconds. */
const IDLE_MS = 30_000

/** How long a cancelled or late task may take to notice, before its worker is ended. Milliseconds. */
const GRACE_MS = 150

/** How often a running task is looked at when it may not stall. Milliseconds. */
const WATCH_MS = 100

/** Threads of one pool at most; beyond that, disks and memory are the limit. */
const MAX_THREADS = 4

/** Types of one task of a worker file: `name` is its key in `serveTasks`. */
export interface WorkerTask<Args, Item, Result> {
  readonly name: string
  /** Never set; carries the types. */
  readonly types?: { args: Args; item: Item; result: Result }
}

export interface RunOptions<Item> {
  readonly signal: AbortSignal
  /** Milliseconds for the task. The task should watch its own limit; past it, plus a grace, its worker is ended. */
  readonly timeoutMs: number
  /** Ends the worker when the task makes no step for this many milliseconds. */
  readonly stallMs?: number
  onItem?(item: Item): void
}

/** How a task ended. After `timed_out` and `stalled`, what `onItem` got is all there is. */
export type RunOutcome<Result> =
  | { readonly type: 'done'; readonly result: Result }
  | { readonly type: 'timed_out' }
  | { readonly type: 'stalled' }

interface Thread {
  readonly worker: Worker
  busy: boolean
  idleTimer: NodeJS.Timeout | undefined
}

/** The file of a built worker. Throws `internal` when it was not built. */
export function workerFile(name: string): string {
  const beside = path.join(path.dirname(fileURLToPath(import.meta.url)), 'workers', `${name}.js`)
  if (existsSync(beside)) return beside
  const folder = process.env[FOLDER_VARIABLE]
  const elsewhere = folder === undefined ? undefined : path.join(folder, `${name}.js`)
  if (elsewhere !== undefined && existsSync(elsewhere)) return elsewhere
  throw new PlumblineError('internal', `The worker ${name} is missing from this build.`)
}

/**
 * Threads that run the tasks of one worker file. Nothing starts before the first task. A task that does not listen, such
 * as a regular expression that runs away, is ended with its thread; the next task gets a new one.
 */
export class WorkerPool {
  readonly #name: string
  readonly #size: number
  readonly #idleMs: number
  readonly #threads = new Set<Thread>()
  readonly #waiting: (() => void)[] = []
  readonly #ending = new Set<Promise<unknown>>()
  #nextJob = 1
  #disposed = false

  /** `worker` names `main/…/<worker>.worker.ts`. `size` defaults to the number of cores, at most 4. */
  constructor(options: { worker: string; size?: number; idleMs?: number }) {
    this.#name = options.worker
    this.#size = options.size ?? Math.max(1, Math.min(MAX_THREADS, availableParallelism()))
    this.#idleMs = options.idleMs ?? IDLE_MS
  }

  /** Threads at most. */
  get size(): number {
    return this.#size
  }

  /** Starts the threads ahead of the first task; they end like others that have nothing to do. */
  warm(): void {
    if (this.#disposed) return
    while (this.#threads.size < this.#size) this.#release(this.#start(), true)
  }

  /** Threads that exist right now. */
  get threads(): number {
    return this.#threads.size
  }

  /**
   * Runs a task. Rejects with an AbortError after an abort, and with `PlumblineError` when the task failed or its thread
   * died.
   */
  async run<Args, Item, Result>(
    task: WorkerTask<Args, Item, Result>,
    args: Args,
    options: RunOptions<Item>,
  ): Promise<RunOutcome<Result>> {
    const thread = await this.#acquire(options.signal)
    let reusable = false
    try {
      const outcome = await this.#runOn(thread, task, args, options)
      reusable = outcome.type === 'done'
      return outcome
    } catch (failure) {
      reusable = failure instanceof PlumblineError && failure.context.alive === true
      throw failure
    } finally {
      this.#release(thread, reusable)
    }
  }

  /** Ends all threads; running tasks are rejected. */
  async dispose(): Promise<void> {
    this.#disposed = true
    for (const thread of [...this.#threads]) this.#end(thread)
    for (const wake of this.#waiting.splice(0)) wake()
    await Promise.all(this.#ending)
  }

  #runOn<Args, Item, Result>(
    thread: Thread,
    task: WorkerTask<Args, Item, Result>,
    args: Args,
    options: RunOptions<Item>,
  ): Promise<RunOutcome<Result>> {
    const job = this.#nextJob++
    const shared = new SharedArrayBuffer(8)
    const flags = new Int32Array(shared)
    const { worker } = thread
    return new Promise<RunOutcome<Result>>((resolve, reject) => {
      const timers: NodeJS.Timeout[] = []
      const finish = (settle: () => void) => {
        for (const timer of timers) clearTimeout(timer)
        options.signal.removeEventListener('abort', onAbort)
        worker.off('message', onMessage)
        worker.off('error', onError)
        worker.off('exit', onExit)
        settle()
      }
      const onMessage = (reply: Typed<Item, Result>) => {
        if (reply.job !== job) return
        if (reply.type === 'item') options.onItem?.(reply.item)
        else if (options.signal.aborted) finish(() => reject(abortError()))
        else if (reply.type === 'done') finish(() => resolve({ type: 'done', result: reply.result }))
        else {
          const { code, message } = reply.failure
          finish(() => reject(new PlumblineError(code, message, { context: { alive: true } })))
        }
      }
      const onError = (failure: unknown) =>
        finish(() => reject(new PlumblineError('internal', `The ${this.#name} worker failed.`, { cause: failure })))
      const onExit = () => finish(() => reject(new PlumblineError('internal', `The ${this.#name} worker ended.`)))
      const cancel = () => Atomics.store(flags, 0, 1)
      const onAbort = () => {
        cancel()
        timers.push(setTimeout(() => finish(() => reject(abortError())), GRACE_MS))
      }
      timers.push(
        setTimeout(() => {
          cancel()
          timers.push(setTimeout(() => finish(() => resolve({ type: 'timed_out' })), GRACE_MS))
        }, options.timeoutMs),
      )
      if (options.stallMs !== undefined) {
        timers.push(watchSteps(flags, options.stallMs, () => finish(() => resolve({ type: 'stalled' }))))
      }
      worker.on('message', onMessage)
      worker.on('error', onError)
      worker.on('exit', onExit)
      options.signal.addEventListener('abort', onAbort, { once: true })
      worker.postMessage({ job, task: task.name, args, shared } satisfies TaskMessage)
    })
  }

  async #acquire(signal: AbortSignal): Promise<Thread> {
    for (;;) {
      if (signal.aborted) throw abortError()
      if (this.#disposed) throw new PlumblineError('aborted', 'The program is ending.')
      const free = [...this.#threads].find((thread) => !thread.busy)
      if (free !== undefined) {
        clearTimeout(free.idleTimer)
        free.busy = true
        free.worker.ref()
        return free
      }
      if (this.#threads.size < this.#size) return this.#start()
      await this.#turn(signal)
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', wake)
        const at = this.#waiting.indexOf(wake)
        if (at !== -1) this.#waiting.splice(at, 1)
        resolve()
      }
      signal.addEventListener('abort', wake, { once: true })
      this.#waiting.push(wake)
    })
  }

  #start(): Thread {
    const worker = new Worker(workerFile(this.#name), { name: this.#name, stdin: false })
    const thread: Thread = { worker, busy: true, idleTimer: undefined }
    worker.setMaxListeners(0)
    // A worker that dies between tasks must not end the program.
    worker.on('error', () => this.#threads.delete(thread))
    worker.on('exit', () => this.#threads.delete(thread))
    this.#threads.add(thread)
    return thread
  }

  #release(thread: Thread, reusable: boolean): void {
    thread.busy = false
    if (!reusable || this.#disposed) this.#end(thread)
    else {
      // Idle threads must not keep a terminal program from ending.
      thread.worker.unref()
      thread.idleTimer = setTimeout(() => this.#end(thread), this.#idleMs)
      thread.idleTimer.unref()
    }
    this.#waiting.shift()?.()
  }

  #end(thread: Thread): void {
    clearTimeout(thread.idleTimer)
    this.#threads.delete(thread)
    const ended = thread.worker.terminate().catch(() => undefined)
    this.#ending.add(ended)
    void ended.then(() => this.#ending.delete(ended))
  }
}

type Typed<Item, Result> =
  | { job: number; type: 'item'; item: Item }
  | { job: number; type: 'done'; result: Result }
  | Extract<WorkerReply, { type: 'failed' }>

/** Calls `onStall` when the step counter stands still for `stallMs`. The first step starts the watch. */
function watchSteps(flags: Int32Array, stallMs: number, onStall: () => void): NodeJS.Timeout {
  let seen = 0
  let since = Date.now()
  return setInterval(() => {
    const steps = Atomics.load(flags, 1)
    const now = Date.now()
    if (steps !== seen || steps === 0) {
      seen = steps
      since = now
    } else if (now - since >= stallMs) onStall()
  }, WATCH_MS)
}
