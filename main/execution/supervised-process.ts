import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { Readable } from 'node:stream'
import { isSystemError, toFailure } from '../platform/errors'
import { type ProcessSystem, signalTree, type TreeRoot, treeMembers } from '../platform/process-tree'
import type { Guardian } from './guardian'
import { type CollectorOptions, OutputCollector } from './output-collector'
import type { OutputSnapshot } from './output-window'

/** Between TERM and KILL, in milliseconds. */
export const GRACE_MS = 5_000

/** After the process itself ended, its pipes may bring more for this long while they are quiet, in milliseconds. */
const DRAIN_MS = 150

/** And at most for this long after what it left behind was ended, in milliseconds. */
const LAST_DRAIN_MS = 350

/** UTF-16 units that are read from the side pipe, and from standard error where it is kept apart. */
const SIDE_CHARACTERS = 16 * 1024

/** The longest timer Node takes, in milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export interface Launch extends CollectorOptions {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  /** The complete environment. */
  readonly env: Readonly<Record<string, string>>
  /** Milliseconds until everything is stopped; null for no limit. */
  readonly timeoutMs: number | null
  readonly signal?: AbortSignal | undefined
  /** `file` is bubblewrap and holds a process namespace, so its end is the end of everything in it. */
  readonly namespaced?: boolean
  /** Written to standard input, which is closed after it; without it input is empty. */
  readonly input?: string
  /** Standard error is kept apart, as `Outcome.errors`, instead of joining the output. */
  readonly separate?: boolean
  /** Opens a fourth pipe as descriptor 3; what is written there is `Outcome.side`. */
  readonly sidePipe?: boolean
}

export type Ending = 'exited' | 'timeout' | 'aborted' | 'stopped' | 'not-started'

export interface Outcome {
  readonly ended: Ending
  /** As the system gave it; null when a signal ended the process, or nothing was started. */
  readonly exitCode: number | null
  /**
   * The signal that ended it. In a process namespace the system only passes 128 + number on; then both are set, as
   * with every shell.
   */
  readonly signal: NodeJS.Signals | null
  readonly wallTimeMs: number
  readonly output: OutputSnapshot
  /** The whole output on disk, where it was long and could be kept. */
  readonly kept: { path: string; bytes: number } | undefined
  readonly side: string
  /** The beginning of standard error, where it was kept apart. */
  readonly errors: string
  /** Why nothing was started. */
  readonly problem: string | undefined
}

export interface Surroundings {
  readonly system: ProcessSystem
  readonly guardian: Guardian
  readonly callMarker: string
  readonly refusal: string | undefined
}

/** One child process with everything it starts. */
export class SupervisedProcess {
  readonly pid: number | undefined
  readonly finished: Promise<Outcome>
  readonly #launch: Launch
  readonly #surroundings: Surroundings
  readonly #collector: OutputCollector
  readonly #child: ChildProcess | undefined
  readonly #started = performance.now()
  #ended: Ending | undefined
  #over = false
  #side = ''
  #errors = ''
  #stopping: Promise<void> | undefined

  constructor(launch: Launch, surroundings: Surroundings) {
    this.#launch = launch
    this.#surroundings = surroundings
    this.#collector = new OutputCollector(launch)
    if (surroundings.refusal !== undefined || launch.signal?.aborted === true) {
      this.finished = this.#outcome(
        null,
        null,
        launch.signal?.aborted ? 'aborted' : 'not-started',
        surroundings.refusal,
      )
      return
    }
    try {
      this.#child = this.#spawn()
    } catch (thrown) {
      this.finished = this.#outcome(null, null, 'not-started', startProblem(thrown))
      return
    }
    this.pid = this.#child.pid
    if (this.pid !== undefined && launch.namespaced !== true) surroundings.guardian.guard(this.pid)
    this.finished = this.#follow(this.#child)
  }

  /** The output so far. */
  snapshot(): OutputSnapshot {
    return this.#collector.snapshot()
  }

  /** TERM to the whole tree, after `graceMs` KILL. Resolves when the end is certain; a process that ended is left alone. */
  async stop(why: 'aborted' | 'stopped' | 'timeout', graceMs: number = GRACE_MS): Promise<Outcome> {
    if (!this.#over) {
      this.#ended ??= why
      this.#stopping ??= this.#terminate(graceMs)
      await this.#stopping
    }
    return this.finished
  }

  /** Freezes or thaws the tree. */
  async pause(paused: boolean): Promise<void> {
    const root = this.#root()
    if (root && !this.#over) await signalTree(root, paused ? 'SIGSTOP' : 'SIGCONT', this.#surroundings.system)
  }

  #spawn(): ChildProcess {
    const { file, args, cwd, env, input, sidePipe } = this.#launch
    const { callMarker, guardian } = this.#surroundings
    return spawn(file, [...args], {
      cwd,
      env: { ...env, ...variable(guardian.marker), ...variable(callMarker) },
      detached: this.#surroundings.system.platform !== 'win32',
      windowsHide: true,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', ...(sidePipe ? (['pipe'] as const) : [])],
    })
  }

  async #follow(child: ChildProcess): Promise<Outcome> {
    this.#read(child)
    const { signal, timeoutMs, input } = this.#launch
    const onAbort = () => void this.stop('aborted')
    signal?.addEventListener('abort', onAbort, { once: true })
    const timer =
      timeoutMs === null
        ? undefined
        : setTimeout(() => void this.stop('timeout'), Math.min(timeoutMs, LONGEST_TIMER_MS))
    child.stdin?.on('error', () => undefined)
    if (input !== undefined) child.stdin?.end(input)
    const end = await exitOf(child)
    this.#over = true
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
    await this.#drain(child)
    if (this.pid !== undefined && this.#launch.namespaced !== true) this.#surroundings.guardian.release(this.pid)
    if (end.problem !== undefined) return this.#outcome(null, null, 'not-started', end.problem)
    return this.#outcome(end.code, end.signal ?? this.#passedOn(end.code), this.#ended ?? 'exited')
  }

  #read(child: ChildProcess): void {
    const apart = this.#launch.separate === true
    const readers = [child.stdout, apart ? null : child.stderr].filter((stream) => stream !== null)
    if (apart) {
      child.stderr?.on('data', (chunk: Uint8Array) => {
        if (this.#errors.length < SIDE_CHARACTERS) this.#errors += Buffer.from(chunk).toString('utf8')
      })
      child.stderr?.on('error', () => undefined)
    }
    for (const stream of readers) {
      const take = this.#collector.pipe()
      stream.on('data', (chunk: Uint8Array) => {
        if (!take(chunk)) for (const each of readers) each.pause()
      })
      stream.once('close', () => take(null))
      stream.on('error', () => undefined)
    }
    this.#collector.onDrain(() => {
      for (const each of readers) each.resume()
    })
    const side = child.stdio[3]
    if (side && 'read' in side) {
      side.on('data', (chunk: Uint8Array) => {
        this.#side = (this.#side + Buffer.from(chunk).toString('utf8')).slice(-SIDE_CHARACTERS)
      })
      side.on('error', () => undefined)
    }
  }

  /** What came until the end counts; what was left behind is ended, so nothing can hold the pipes for long. */
  async #drain(child: ChildProcess): Promise<void> {
    const streams = child.stdio
      .slice(1)
      .filter((stream): stream is Readable => stream !== null && stream !== undefined && 'read' in stream)
    const closed = Promise.all(streams.map((stream) => (stream.destroyed ? undefined : onceClosed(stream))))
    const quiet = await within(closed, DRAIN_MS)
    await this.#endLeftovers()
    if (!quiet) await within(closed, LAST_DRAIN_MS)
    for (const stream of streams) stream.destroy()
    await within(closed, DRAIN_MS)
  }

  async #endLeftovers(): Promise<void> {
    const root = this.#root()
    const { system } = this.#surroundings
    if (root === undefined || root.namespaced === true || system.platform === 'win32') return
    const left = await treeMembers(root, system)
    for (const row of left) system.kill(row.pid, 'SIGKILL')
  }

  async #terminate(graceMs: number): Promise<void> {
    const root = this.#root()
    if (root === undefined) return
    const { system } = this.#surroundings
    await signalTree(root, 'SIGTERM', system)
    if (await within(this.finished, graceMs)) return
    // Again and again, since a tree may fork faster than one list of it is worked off.
    for (let round = 0; round < 50 && !this.#over; round += 1) {
      await signalTree(root, 'SIGKILL', system)
      if (await within(this.finished, 100)) return
    }
  }

  #root(): TreeRoot | undefined {
    if (this.pid === undefined) return undefined
    return { pid: this.pid, marker: this.#surroundings.callMarker, namespaced: this.#launch.namespaced }
  }

  #passedOn(code: number | null): NodeJS.Signals | null {
    if (this.#launch.namespaced !== true || code === null || code <= 128) return null
    return signalName(code - 128)
  }

  async #outcome(
    exitCode: number | null,
    signal: NodeJS.Signals | null,
    ended: Ending,
    problem?: string,
  ): Promise<Outcome> {
    this.#over = true
    const kept = await this.#collector.finish()
    return {
      ended,
      exitCode,
      signal,
      wallTimeMs: Math.round(performance.now() - this.#started),
      output: this.#collector.snapshot(),
      kept,
      side: this.#side,
      errors: this.#errors,
      problem,
    }
  }
}

/** Signals that end programs; a code above 128 means one of these, the others are just numbers. */
const FATAL_SIGNALS: readonly NodeJS.Signals[] = [
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGILL',
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGKILL',
  'SIGSEGV',
  'SIGPIPE',
  'SIGALRM',
  'SIGTERM',
]

/** The name of a signal's number on this machine, if it is one that ends programs. */
export function signalName(number: number): NodeJS.Signals | null {
  return FATAL_SIGNALS.find((name) => constants.signals[name] === number) ?? null
}

interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
  problem?: string
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', (failure) => {
      if (child.pid === undefined) resolve({ code: null, signal: null, problem: startProblem(failure) })
    })
  })
}

/** Why the system started nothing, in words. */
function startProblem(failure: unknown): string {
  switch (isSystemError(failure) ? failure.code : undefined) {
    case 'E2BIG':
      return 'the command and its environment are larger than the system takes'
    case 'EACCES':
      return 'access to the program or the working folder is denied'
    case 'ENOENT':
      return 'the program or the working folder does not exist'
    case 'EAGAIN':
    case 'ENOMEM':
      return 'the system has no room for another process'
    case 'EMFILE':
    case 'ENFILE':
      return 'too many files are open'
    default:
      return toFailure(failure).message
  }
}

function onceClosed(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    stream.once('close', () => resolve())
  })
}

/** Whether the promise settles in time. */
async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  try {
    return await Promise.race([promise.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}

function variable(marker: string): Record<string, string> {
  const [name = '', value = ''] = marker.split('=')
  return { [name]: value }
}
