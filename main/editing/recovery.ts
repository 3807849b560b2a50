import { diffArrays } from 'diff'
import type { ConcreteHunk } from './concrete-hunk'
import { isBlank, isPureCloser } from './line-shapes'
import type { LineSplice } from './snapshots'

/** Hunks in the numbers of a newer text, or nothing where one of them can't be proved. */
export interface Translated {
  readonly hunks: readonly ConcreteHunk[]
  /** A line was rewritten meanwhile with the same text, so the edit is replayed on it. */
  readonly replayed: boolean
}

/** Changed lines beyond which two texts are not compared further: the file was rewritten. */
const MAX_CHANGED_LINES = 4000

/** Milliseconds that one comparison may take on the main thread. */
const DIFF_MS = 200

/**
 * Follows hunks through this session's own edits, exactly: a line that an edit rewrote is lost, others move (A11).
 * Undefined when a hunk names a lost line, or when rows now stand inside its range.
 */
export function translateThroughEdits(
  hunks: readonly ConcreteHunk[],
  steps: readonly { readonly splices: readonly LineSplice[] }[],
): Translated | undefined {
  let replayed = false
  const follow = (line: number): number | undefined => {
    let now: number | undefined = line
    for (const step of steps) {
      const moved: { line: number; same: boolean } | undefined =
        now === undefined ? undefined : moveLine(now, step.splices)
      if (moved?.same === true) replayed = true
      now = moved?.line
    }
    return now
  }
  const moved = moveHunks(hunks, follow)
  return moved === undefined ? undefined : { hunks: moved, replayed }
}

/**
 * Follows hunks from a text to one that somebody else changed. Each hunk is proved on its own: its lines are unchanged and
 * still side by side, and enough of its neighbourhood moved with them (A11 steps 5 to 8, EDIT-16, EDIT-17).
 */
export function translateThroughDrift(
  hunks: readonly ConcreteHunk[],
  before: readonly string[],
  after: readonly string[],
): Translated | undefined {
  const map = unchangedLines(before, after)
  if (map === undefined) return undefined
  const repeated = repeatedLines(before, after)
  const proven = hunks.every((hunk) => isProven(hunk, map, before, repeated))
  const moved = proven ? moveHunks(hunks, (line) => map.get(line)) : undefined
  return moved === undefined ? undefined : { hunks: moved, replayed: false }
}

function moveLine(line: number, splices: readonly LineSplice[]): { line: number; same: boolean } | undefined {
  let shift = 0
  for (const splice of splices) {
    if (line < splice.start) break
    if (line < splice.start + splice.removed) {
      const offset = line - splice.start
      return splice.same?.includes(offset) === true ? { line: line + shift, same: true } : undefined
    }
    shift += splice.added - splice.removed
  }
  return { line: line + shift, same: false }
}

function moveHunks(
  hunks: readonly ConcreteHunk[],
  follow: (line: number) => number | undefined,
): ConcreteHunk[] | undefined {
  const moved: ConcreteHunk[] = []
  for (const hunk of hunks) {
    if (hunk.kind === 'head' || hunk.kind === 'tail') {
      moved.push(hunk)
      continue
    }
    const first = hunk.block?.start ?? hunk.start
    const last = hunk.block?.end ?? hunk.end
    const start = follow(first)
    if (start === undefined) return undefined
    for (let line = first + 1; line <= last; line += 1) {
      if (follow(line) !== start + line - first) return undefined
    }
    const shift = start - first
    moved.push({
      ...hunk,
      start: hunk.start + shift,
      end: hunk.end + shift,
      ...(hunk.block && { block: { start: hunk.block.start + shift, end: hunk.block.end + shift } }),
    })
  }
  return moved
}

/** Old line number to new, for the lines that a line diff leaves alone. */
function unchangedLines(before: readonly string[], after: readonly string[]): Map<number, number> | undefined {
  const changes = diffArrays([...before], [...after], { maxEditLength: MAX_CHANGED_LINES, timeout: DIFF_MS })
  if (changes === undefined) return undefined
  const map = new Map<number, number>()
  let old = 1
  let now = 1
  for (const change of changes) {
    if (change.added) now += change.count
    else if (change.removed) old += change.count
    else for (let index = 0; index < change.count; index += 1) map.set(old++, now++)
  }
  return map
}

/** Texts that can't prove a place: they occur twice in either version, or say nothing. */
function repeatedLines(before: readonly string[], after: readonly string[]): (line: string) => boolean {
  const repeated = new Set<string>()
  for (const lines of [before, after]) {
    const seen = new Set<string>()
    for (const line of lines) {
      if (seen.has(line)) repeated.add(line)
      seen.add(line)
    }
  }
  return (line) => isBlank(line) || isPureCloser(line) || /^\s*[[({]+\s*$/.test(line) || repeated.has(line)
}

function isProven(
  hunk: ConcreteHunk,
  map: ReadonlyMap<number, number>,
  before: readonly string[],
  repeated: (line: string) => boolean,
): boolean {
  if (hunk.kind === 'head' || hunk.kind === 'tail') return true
  const first = hunk.block?.start ?? hunk.start
  const last = hunk.block?.end ?? hunk.end
  const start = map.get(first)
  if (start === undefined) return false
  const offset = start - first
  let unique = false
  for (let line = first; line <= last; line += 1) {
    if (map.get(line) !== line + offset) return false
    unique ||= !repeated(before[line - 1] ?? '')
  }
  const neighbours = [first - 1, last + 1].filter((line) => line >= 1 && line <= before.length)
  const held = neighbours.filter((line) => map.get(line) === line + offset)
  if (unique) return held.length > 0 || neighbours.length === 0
  return neighbours.length > 0 && held.length === neighbours.length
}
