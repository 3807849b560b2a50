/** The words a hunk was written in: `SWAP 1.=2:` is magi, `replace 1..2:` is atomic. */
export type Vocabulary = 'magi' | 'atomic'

export type HunkKind =
  | 'replace'
  | 'delete'
  | 'before'
  | 'after'
  | 'head'
  | 'tail'
  | 'replace-block'
  | 'delete-block'
  | 'after-block'

/** One operation on a snapshot, in either vocabulary. Lines are 1-based, ends included; 0 for `head` and `tail`. */
export interface Hunk {
  readonly kind: HunkKind
  readonly start: number
  readonly end: number
  /** What the body says, without the leading plus signs. */
  readonly rows: readonly string[]
  /** Where it stands in the patch, 1-based, for messages. */
  readonly line: number
  readonly vocabulary: Vocabulary
}

/** All operations on one file. */
export interface Section {
  /** As authored, without quotes and noise. */
  readonly path: string
  /** Four hex digits, upper case. */
  readonly tag: string
  readonly line: number
  readonly hunks: readonly Hunk[]
  readonly move?: { readonly to: string; readonly line: number }
  readonly remove?: { readonly line: number }
  readonly warnings: readonly string[]
}

/** What a parser accepts. */
export interface PatchRules {
  readonly vocabularies: readonly Vocabulary[]
  /** Body rows without a plus are taken literally, with a warning. */
  readonly bareRows: boolean
  /** A concrete replacement without a body deletes its range. */
  readonly emptyReplaceDeletes: boolean
  readonly maxSections: number
  /** UTF-8 bytes of the whole patch. */
  readonly maxInputBytes: number
}

/** Longest range of lines that a hunk may name (EDIT-33). */
export const MAX_RANGE_LINES = 100_000

/** An operation header as the two grammars hand it over. */
export type OpHeader =
  | { readonly kind: HunkKind; readonly start: number; readonly end: number; readonly vocabulary: Vocabulary }
  | { readonly kind: 'move'; readonly to: string; readonly vocabulary: Vocabulary }
  | { readonly kind: 'remove'; readonly vocabulary: Vocabulary }

/** `malformed` begins like an operation but is none; the message says why, without the line. */
export type OpMatch = { readonly op: OpHeader } | { readonly malformed: string; readonly certain: boolean }

export type OpMatcher = (text: string) => OpMatch | undefined
