import type { WalkOptions, WalkReport } from '../workspace/walker'
import type { CompiledPattern } from './regex-dialect'

/** What a line seems to be, by its text alone. */
export type LineLabel = 'def-like' | 'match' | 'import'

/** Where to search. Plain data: it is sent to a worker thread. */
export type GrepTarget =
  | {
      readonly kind: 'file'
      readonly absolute: string
      readonly display: string
      /** Only matches in these lines count; `end` null reaches the last line (SEARCH-16). */
      readonly ranges?: readonly { readonly start: number; readonly end: number | null }[]
    }
  | {
      readonly kind: 'folder'
      readonly walk: WalkOptions
      /** Put before paths below the folder: empty, or ending in `/`. */
      readonly prefix: string
      /** Only files that one of these matches. `byName` tries globs without `/` on the name alone, at any depth. */
      readonly globs?: { readonly patterns: readonly string[]; readonly byName: boolean }
    }

export interface GrepLimits {
  readonly fileBytes: number
  readonly totalBytes: number
  readonly files: number
  /** Matching lines after which the search stops; infinite to see everything. */
  readonly hits: number
  /** Matching lines kept of each file; all are counted. */
  readonly hitsPerFile: number
}

/** The places in `GrepArgs.shared`, which the threads of one search count in together. */
export const SHARED = {
  /** The next block of files that nobody has taken. */
  nextBlock: 0,
  /** Threads that take part. */
  joined: 1,
  /** Matching lines kept so far. */
  hits: 2,
  /** 1 when there are no more blocks to take. */
  over: 3,
  /** Bytes read so far, in units of 256. */
  byteUnits: 4,
  length: 5,
} as const

export interface GrepArgs {
  readonly targets: readonly GrepTarget[]
  readonly patterns: readonly CompiledPattern[]
  readonly limits: GrepLimits
  readonly before: number
  readonly after: number
  /** Longest line that is handed over, in characters. */
  readonly lineCharacters: number
  /** Keep the most telling lines of a file rather than the first. */
  readonly ranked: boolean
  /** Stop in a file at its first match and hand over no lines. */
  readonly filesOnly: boolean
  readonly deadlineAt: number
  /** Counters of the threads that share this search; see `SHARED`. Without it the task works alone. */
  readonly shared?: SharedArrayBuffer
}

export interface GrepRow {
  readonly line: number
  readonly text: string
  /** Characters left out at its end. */
  readonly cut: number
  readonly hit: boolean
  readonly label?: LineLabel
}

/** The matches of one file. */
export interface FileMatches {
  /** The file's place in the order of the search. */
  readonly index: number
  readonly path: string
  readonly absolute: string
  /** All matching lines; with `filesOnly` 1. */
  readonly hits: number
  /** Matching lines among `rows`. */
  readonly kept: number
  /** In order, each line once, context included. Runs that do not touch simply follow each other. */
  readonly rows: readonly GrepRow[]
  /** Not valid UTF-8: shown with replacement characters, never tagged. */
  readonly invalidUtf8: boolean
}

/** What a search looked at and left out (SEARCH-12, SEARCH-13). */
export interface GrepReport {
  readonly walk: WalkReport
  filesScanned: number
  bytesScanned: number
  binaryFiles: number
  invalidUtf8Files: number
  tooLargeFiles: number
  unreadableFiles: number
  fileLimitReached: boolean
  byteLimitReached: boolean
  timedOut: boolean
  cancelled: boolean
  /** Enough matches were found, the rest was not looked at. */
  stoppedEarly: boolean
  /** An expression ran away and was stopped with its thread; what was found until then stands. */
  matchingStopped: boolean
}

export function emptyReport(): GrepReport {
  return {
    walk: {
      entriesScanned: 0,
      entryLimitReached: false,
      timedOut: false,
      cancelled: false,
      walkErrors: 0,
      entriesOmitted: 0,
    },
    filesScanned: 0,
    bytesScanned: 0,
    binaryFiles: 0,
    invalidUtf8Files: 0,
    tooLargeFiles: 0,
    unreadableFiles: 0,
    fileLimitReached: false,
    byteLimitReached: false,
    timedOut: false,
    cancelled: false,
    stoppedEarly: false,
    matchingStopped: false,
  }
}

/** Whether every file that was asked for was looked at to its end. */
export function isExhaustive(report: GrepReport): boolean {
  const { walk } = report
  return !(
    report.fileLimitReached ||
    report.byteLimitReached ||
    report.timedOut ||
    report.cancelled ||
    report.stoppedEarly ||
    report.matchingStopped ||
    report.tooLargeFiles > 0 ||
    report.unreadableFiles > 0 ||
    walk.entryLimitReached ||
    walk.timedOut ||
    walk.cancelled ||
    walk.walkErrors > 0
  )
}
