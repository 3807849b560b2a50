import type { WalkOptions, WalkReport } from '../workspace/walker'

/** Where to look: one file, whatever ignore rules say, or a folder. Plain data: it is sent to a worker thread. */
export type AstTarget =
  | { readonly kind: 'file'; readonly absolute: string; readonly display: string }
  | { readonly kind: 'folder'; readonly walk: WalkOptions; readonly prefix: string }

/** What a call may cost (AST-06, AST-07). */
export interface AstLimits {
  readonly fileBytes: number
  readonly files: number
  readonly totalBytes: number
  readonly nodes: number
  readonly depth: number
  /** Lines or entries that are handed over. */
  readonly results: number
  readonly outputBytes: number
}

export interface AstSearchArgs {
  readonly target: AstTarget
  readonly pattern: string
  readonly rewrite?: string
  /** Grammars asked for; undefined takes every file's own. */
  readonly grammars?: readonly string[]
  readonly limits: AstLimits
  readonly deadlineAt: number
}

export type OutlineItems = 'structure' | 'exports' | 'imports' | 'all'
export type OutlineView = 'names' | 'signatures' | 'digest' | 'expanded'

export interface OutlineArgs {
  readonly target: AstTarget
  readonly grammars?: readonly string[]
  readonly items: OutlineItems
  readonly view: OutlineView
  /** JavaScript source, tried on name, signature and first source line of top-level entries. */
  readonly name?: { readonly source: string; readonly flags: string }
  readonly types?: readonly string[]
  readonly publicMembers: boolean
  readonly limits: AstLimits
  readonly deadlineAt: number
}

/** 1-based; the end lies behind the last character. */
export interface AstRange {
  readonly start: { readonly line: number; readonly column: number }
  readonly end: { readonly line: number; readonly column: number }
}

export interface OutlineMember {
  readonly symbolType: string
  readonly name: string
  readonly range: AstRange
  readonly signature?: string
  readonly isPublic: boolean
}

export interface OutlineItem {
  readonly symbolType: string
  readonly name: string
  readonly range: AstRange
  readonly signature?: string
  readonly isImport: boolean
  readonly isExported: boolean
  readonly members?: readonly OutlineMember[]
}

/** One line of a result, as it is printed, with where it is for people. */
export interface AstRow {
  readonly path: string
  readonly line: number
  readonly text: string
}

export interface OutlineRow {
  readonly path: string
  readonly language: string
  readonly item: OutlineItem
}

export interface AstReport {
  readonly walk: WalkReport
  filesScanned: number
  bytesScanned: number
  /** Oversized, unreadable, not UTF-8 or too complex. */
  filesSkipped: number
  matches: number
  /** Languages for which the pattern is no pattern. */
  readonly uncompiled: string[]
  /** A limit of files, bytes or time ended the call early. */
  limitReached: boolean
  timedOut: boolean
  cancelled: boolean
  /** A limit of results or output cut what is handed over. */
  truncated: boolean
}

export function emptyAstReport(): AstReport {
  const walk = {
    entriesScanned: 0,
    entryLimitReached: false,
    timedOut: false,
    cancelled: false,
    walkErrors: 0,
    entriesOmitted: 0,
  }
  return {
    walk,
    filesScanned: 0,
    bytesScanned: 0,
    filesSkipped: 0,
    matches: 0,
    uncompiled: [],
    limitReached: false,
    timedOut: false,
    cancelled: false,
    truncated: false,
  }
}

/** Whether something that was asked for could not be looked at (AST-08, AST-10). */
export function isPartial(report: AstReport): boolean {
  const { walk } = report
  return (
    report.filesSkipped > 0 ||
    report.uncompiled.length > 0 ||
    report.limitReached ||
    report.timedOut ||
    report.cancelled ||
    walk.entryLimitReached ||
    walk.timedOut ||
    walk.walkErrors > 0
  )
}
