import type { TaskContext } from '../platform/worker-tasks'
import { FileLoader } from '../workspace/file-loader'
import { absoluteOf, Walker } from '../workspace/walker'
import { globTest } from './globs'
import { grepBytes } from './grep-file'
import { emptyReport, type FileMatches, type GrepArgs, type GrepReport, type GrepTarget, SHARED } from './grep-types'
import { LineMatcher } from './line-matcher'
import { listings } from './listings'

/** Files whose lines are handed over by one thread; beyond that only their number of matches is. */
const MAX_FILES_WITH_ROWS = 5000

/** Files that a thread takes at a time: few enough to share the work evenly. */
const BLOCK = 16

/** Files handed over at a time, where no expression can run away. */
const BATCH = 32

/** Unit of the shared count of bytes. */
const BYTE_UNIT = 256

interface Candidate {
  readonly absolute: string | Buffer
  readonly display: string
  readonly listed: boolean
  readonly ranges?: Extract<GrepTarget, { kind: 'file' }>['ranges']
}

/**
 * Searches contents in a worker thread: walks, reads and matches, handing over each file as it is done. Threads that share
 * a search all walk, in the same order, and take the files block by block; so blocks that were taken are always the first
 * ones, and a search that ends early has looked at everything before its end.
 */
export function grepTask(args: GrepArgs, context: TaskContext<readonly FileMatches[]>): GrepReport {
  return new GrepRun(args, context).run()
}

class GrepRun {
  readonly #args: GrepArgs
  readonly #context: TaskContext<readonly FileMatches[]>
  readonly #report = emptyReport()
  readonly #matcher: LineMatcher
  readonly #loader = new FileLoader()
  readonly #counters: Int32Array
  #found = 0
  #pending: FileMatches[] = []
  /** The block that this thread works on. */
  #block = -1

  constructor(args: GrepArgs, context: TaskContext<readonly FileMatches[]>) {
    this.#args = args
    this.#context = context
    this.#matcher = new LineMatcher(args.patterns)
    this.#counters = new Int32Array(args.shared ?? new SharedArrayBuffer(4 * SHARED.length))
  }

  run(): GrepReport {
    const report = this.#report
    Atomics.add(this.#counters, SHARED.joined, 1)
    if (this.#count('over') === 1) return report
    this.#take()
    let index = -1
    for (const candidate of this.#candidates()) {
      index += 1
      if (this.#interrupted()) break
      if (index >= this.#args.limits.files) {
        report.fileLimitReached = true
        break
      }
      while (index >= (this.#block + 1) * BLOCK && this.#next());
      if (report.stoppedEarly) break
      if (index < this.#block * BLOCK) continue
      if (!this.#search(candidate, index)) break
    }
    this.#flush()
    Atomics.store(this.#counters, SHARED.over, 1)
    return report
  }

  #count(name: 'over' | 'hits' | 'byteUnits'): number {
    return Atomics.load(this.#counters, SHARED[name])
  }

  #take(): void {
    this.#block = Atomics.add(this.#counters, SHARED.nextBlock, 1)
  }

  /** Takes the next block; false when enough was found in those that are taken. */
  #next(): boolean {
    if (this.#count('hits') >= this.#args.limits.hits) {
      this.#report.stoppedEarly = true
      return false
    }
    this.#take()
    return true
  }

  #interrupted(): boolean {
    const report = this.#report
    this.#context.step()
    if (this.#context.cancelled()) report.cancelled = true
    else if (Date.now() >= this.#args.deadlineAt) report.timedOut = true
    return report.cancelled || report.timedOut
  }

  /** False when the search is over. */
  #search(candidate: Candidate, index: number): boolean {
    const { limits } = this.#args
    const report = this.#report
    const bytes = this.#loader.load(candidate.absolute, limits.fileBytes, candidate.listed)
    if (bytes === undefined || bytes === 'too_large') {
      if (bytes === undefined) report.unreadableFiles += 1
      else report.tooLargeFiles += 1
      return true
    }
    const units = Math.ceil(bytes.length / BYTE_UNIT)
    if ((Atomics.add(this.#counters, SHARED.byteUnits, units) + units) * BYTE_UNIT > limits.totalBytes + BYTE_UNIT) {
      report.byteLimitReached = true
      return false
    }
    report.filesScanned += 1
    report.bytesScanned += bytes.length
    const { display, ranges } = candidate
    const absolute = candidate.absolute.toString()
    const file = { index, display, absolute, ...(ranges === undefined ? {} : { ranges }) }
    const matches = grepBytes(bytes, file, this.#matcher, this.#args, report, () => this.#interrupted())
    if (matches === undefined) return true
    this.#found += 1
    Atomics.add(this.#counters, SHARED.hits, matches.kept)
    this.#pending.push(this.#found <= MAX_FILES_WITH_ROWS ? matches : { ...matches, rows: [], kept: 0 })
    if (!this.#matcher.isPredictable || this.#pending.length >= BATCH) this.#flush()
    return true
  }

  /** Hands over what waits. What a thread has not handed over is lost when its expression runs away. */
  #flush(): void {
    if (this.#pending.length === 0) return
    this.#context.emit(this.#pending)
    this.#pending = []
  }

  *#candidates(): Generator<Candidate> {
    const { targets } = this.#args
    const seen = new Set<string>()
    for (const target of targets) {
      if (target.kind === 'file') {
        if (!seen.has(target.absolute)) yield { ...target, listed: false }
        seen.add(target.absolute)
        continue
      }
      const test =
        target.globs === undefined
          ? undefined
          : globTest(target.globs.patterns, {
              nameOnly: target.globs.byName,
              ignoresCase: process.platform === 'win32',
            })
      const walker = new Walker(target.walk, () => this.#interrupted(), listings)
      for (const entry of walker.walk()) {
        // What a link names is found where it really lies.
        if (entry.kind !== 'file' || entry.link) continue
        if (test !== undefined && !test(entry.relative, entry.name)) continue
        const absolute = absoluteOf(target.walk.root, entry)
        if (targets.length > 1) {
          const key = absolute.toString('latin1')
          if (seen.has(key)) continue
          seen.add(key)
        }
        yield { absolute, display: target.prefix + entry.relative, listed: true }
      }
      addReport(this.#report.walk, walker.report)
    }
  }
}

function addReport(total: GrepReport['walk'], part: GrepReport['walk']): void {
  total.entriesScanned += part.entriesScanned
  total.walkErrors += part.walkErrors
  total.entriesOmitted += part.entriesOmitted
  total.entryLimitReached ||= part.entryLimitReached
  total.timedOut ||= part.timedOut
  total.cancelled ||= part.cancelled
}
