import { opendir, stat } from 'node:fs/promises'
import path from 'node:path'
import { isSystemError, PlumblineError } from '../platform/errors'
import type { WorkerPool, WorkerTask } from '../platform/worker-pool'
import type { DeniedPaths } from '../workspace/denied-paths'
import type { PathAuthority, PathScope, ResolvedPath } from '../workspace/path-authority'
import type { WalkOptions } from '../workspace/walker'
import type { FindArgs, FindResult } from './find-task'
import { emptyReport, type FileMatches, type GrepArgs, type GrepReport, SHARED } from './grep-types'
import { firstHits, mergeReports } from './merge-grep'

const grepTask: WorkerTask<GrepArgs, readonly FileMatches[], GrepReport> = { name: 'grep' }
const findTask: WorkerTask<FindArgs, FindResult, FindResult> = { name: 'find' }

/** A single file takes a fraction of this; an expression that gets nowhere for so long has run away. Milliseconds. */
const STALL_MS = 1500

/** What every toolset's walks have in common, for `SearchEngine.walkOptions`. */
export interface WalkStyle {
  readonly hidden: boolean
  readonly ignoreFiles: boolean
  readonly outsideGit: boolean
  readonly prune: readonly string[]
  readonly maxEntries: number
  readonly timeoutMs: number
}

export interface GrepOutcome {
  readonly files: readonly FileMatches[]
  readonly report: GrepReport
}

export interface FindOutcome extends FindResult {
  readonly timedOut: boolean
}

export interface ListedEntry {
  readonly name: string
  readonly kind: 'file' | 'directory' | 'link' | 'other'
}

/** Searches contents and paths in worker threads that start with the first search. */
export class SearchEngine {
  readonly #pool: WorkerPool
  readonly #paths: PathAuthority

  readonly #denied: ((scope: PathScope) => Promise<readonly DeniedPaths[]>) | undefined

  /** `denied` tells what the rules of a session forbid to read; walks leave it out. */
  constructor(options: {
    pool: WorkerPool
    paths: PathAuthority
    denied?: (scope: PathScope) => Promise<readonly DeniedPaths[]>
  }) {
    this.#denied = options.denied
    this.#pool = options.pool
    this.#paths = options.paths
  }

  /** The options to walk a folder in a session, credential locations and what its rules deny left out. */
  async walkOptions(folder: ResolvedPath, style: WalkStyle, scope: PathScope): Promise<WalkOptions> {
    const { timeoutMs, ...rest } = style
    // A search follows: the threads start while the rest is found out.
    this.#pool.warm()
    const denied = await this.#deniedIn(scope)
    return {
      root: folder.real,
      ...rest,
      deadlineAt: Date.now() + timeoutMs,
      excluded: await this.#paths.credentialLocations(),
      ...(denied.length === 0 ? {} : { denied }),
    }
  }

  /** Rules name folders as they are spelled, walks go by what they really are. */
  async #deniedIn(scope: PathScope): Promise<DeniedPaths[]> {
    const given = (await this.#denied?.(scope)) ?? []
    const real = new Map<string, string>()
    for (const { base } of given) {
      if (!real.has(base)) real.set(base, (await this.#paths.inspect(base, scope)).real)
    }
    return given.flatMap(({ base, pattern }) =>
      [...new Set([base, real.get(base) ?? base])].map((place) => ({ base: place, pattern })),
    )
  }

  /**
   * Searches contents. Ends at the deadline in `args` at the latest, with what was found: an expression that runs away is
   * stopped with its thread (S16). Rejects with an AbortError after an abort.
   */
  async grep(args: GrepArgs, signal: AbortSignal): Promise<GrepOutcome> {
    const files: FileMatches[] = []
    const shared = new SharedArrayBuffer(4 * SHARED.length)
    const counters = new Int32Array(shared)
    const threads = args.targets.some((target) => target.kind === 'folder') ? this.#pool.size : 1
    const reports: GrepReport[] = []
    const runOne = async (): Promise<void> => {
      const outcome = await this.#pool.run(
        grepTask,
        { ...args, shared },
        {
          signal,
          timeoutMs: Math.max(0, args.deadlineAt - Date.now()),
          stallMs: STALL_MS,
          onItem: (found) => files.push(...found),
        },
      )
      reports.push(
        outcome.type === 'done'
          ? outcome.result
          : { ...emptyReport(), timedOut: outcome.type === 'timed_out', matchingStopped: true },
      )
    }
    const isOver = () =>
      Atomics.load(counters, SHARED.over) === 1 && reports.length >= Atomics.load(counters, SHARED.joined)
    await settleWhen(Array.from({ length: threads }, runOne), isOver)
    const report = mergeReports(reports)
    if (report.cancelled || report.walk.cancelled) report.timedOut = true
    const first = firstHits(files, args.limits.hits)
    // Threads look at a few files more than they must; an answer does not depend on how many.
    if (first.length < files.length) report.stoppedEarly = true
    return { files: first, report }
  }

  /** Finds paths below a folder. `onProgress` gets what is known so far, in long scans. */
  async find(args: FindArgs, signal: AbortSignal, onProgress?: (soFar: FindResult) => void): Promise<FindOutcome> {
    let last: FindResult | undefined
    const outcome = await this.#pool.run(findTask, args, {
      signal,
      timeoutMs: Math.max(0, args.walk.deadlineAt - Date.now()),
      onItem: (soFar) => {
        last = soFar
        onProgress?.(soFar)
      },
    })
    if (outcome.type === 'done') {
      // Without an abort, only the end of its time stops a task.
      const { timedOut, cancelled } = outcome.result.report
      return { ...outcome.result, timedOut: timedOut || cancelled }
    }
    const report = { ...emptyReport().walk, ...last?.report, timedOut: true }
    return { paths: last?.paths ?? [], total: last?.total ?? 0, report, timedOut: true }
  }

  /** The entries of one folder by name, folders among files, no ignore rules (FIND-20). `more` when there are over `max`. */
  async list(
    folder: ResolvedPath,
    max: number,
    signal: AbortSignal,
  ): Promise<{ entries: ListedEntry[]; more: boolean }> {
    if (folder.kind === 'missing') throw new PlumblineError('not_found', `${folder.display} does not exist.`)
    if (folder.kind !== 'directory') throw new PlumblineError('not_a_directory', `${folder.display} is not a folder.`)
    try {
      const entries: ListedEntry[] = []
      let more = false
      for await (const entry of await opendir(folder.real)) {
        signal.throwIfAborted()
        if (entries.length >= max) {
          more = true
          break
        }
        const kind = entry.isSymbolicLink()
          ? 'link'
          : entry.isDirectory()
            ? 'directory'
            : entry.isFile()
              ? 'file'
              : 'other'
        entries.push({ name: entry.name, kind })
      }
      return { entries: entries.sort((a, b) => (a.name < b.name ? -1 : 1)), more }
    } catch (failure) {
      if (!isSystemError(failure) || failure instanceof PlumblineError) throw failure
      throw new PlumblineError('access_denied', `${folder.display} can't be listed: ${failure.message}.`, {
        cause: failure,
      })
    }
  }
}

/** Where a glob starts to be one: the longest beginning that exists as it is written (S17), and the rest. */
export interface GlobSplit {
  /** As given, relative or absolute; `.` when the glob starts at once. */
  readonly base: string
  readonly glob: string
}

/**
 * Splits `app/[id]/*.tsx` after the folders that exist literally, brackets or not. `absolute` makes a path absolute.
 * Undefined when the whole text exists, or has no glob in it.
 */
export async function splitGlob(text: string, absolute: (given: string) => string): Promise<GlobSplit> {
  const normal = path.sep === '\\' ? text.replaceAll('\\', '/') : text
  const parts = normal.split('/')
  let base = normal.startsWith('/') ? '/' : '.'
  let used = normal.startsWith('/') ? 1 : 0
  while (used < parts.length - 1) {
    const next = parts.slice(0, used + 1).join('/') || '/'
    if (!(await isFolder(absolute(next)))) break
    base = next
    used += 1
  }
  return { base, glob: parts.slice(used).join('/') }
}

async function isFolder(absolute: string): Promise<boolean> {
  return stat(absolute).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

/**
 * Waits for all, or until one is done and `isOver`: a thread that came too late to help is not waited for. Rejects with
 * the first failure.
 */
function settleWhen(runs: readonly Promise<void>[], isOver: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = runs.length
    for (const run of runs) {
      run.then(() => {
        left -= 1
        if (left === 0 || isOver()) resolve()
      }, reject)
    }
  })
}
