import { createHash } from 'node:crypto'
import { type ChangeObject, diffArrays } from 'diff'

/** Milliseconds that a comparison may take at once, half a frame. */
const AT_ONCE_MS = 8

/** Milliseconds after which a comparison that goes on in small steps is given up: what differs is one hunk then. */
const IN_STEPS_MS = 2000

/** Unchanged lines between two changes that still make them one hunk. */
export const JOINED_BY_LINES = 2

/** Characters of a hunk's name; half a SHA-256 tells all hunks of a session apart. */
const ID_CHARACTERS = 32

/** Lines of one side: the number of the first, counted from 1, and how many. With none, they would stand before `from`. */
export interface HunkSide {
  readonly from: number
  readonly count: number
}

/** A run of changed lines. Lines keep their endings, so that joining them gives the file's text again. */
export interface Hunk {
  /** Made of the path and both texts: it stays when lines above come or go. */
  readonly id: string
  readonly before: HunkSide
  readonly after: HunkSide
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

/** Lines with their endings; joined, they are the text. */
export function linesWithEndings(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/**
 * The hunks between two texts of one file, in order. Never blocks longer than half a frame; a comparison that takes too
 * long gives one hunk from the first to the last difference.
 */
export async function hunksOf(path: string, before: string, after: string): Promise<Hunk[]> {
  if (before === after) return []
  const old = linesWithEndings(before)
  const now = linesWithEndings(after)
  const { start, end } = commonEnds(old, now)
  const left = old.slice(start, old.length - end)
  const right = now.slice(start, now.length - end)
  const quick = diffArrays(left, right, { timeout: AT_ONCE_MS })
  const changes = quick ?? (await diffInSteps(left, right))
  const ranges =
    changes === undefined ? [{ removed: [0, left.length], added: [0, right.length] } as const] : joined(changes)
  const seen = new Map<string, number>()
  return ranges.map(({ removed, added }) => {
    const gone = left.slice(removed[0], removed[1])
    const come = right.slice(added[0], added[1])
    const key = `${gone.join('')}\0${come.join('')}`
    const ordinal = seen.get(key) ?? 0
    seen.set(key, ordinal + 1)
    return {
      id: hunkId(path, ordinal === 0 ? key : `${key}\0${ordinal}`),
      before: { from: start + removed[0] + 1, count: gone.length },
      after: { from: start + added[0] + 1, count: come.length },
      removed: gone,
      added: come,
    }
  })
}

/** The name of what differs, for changes that have no lines to compare: pass the names of both versions. */
export function hunkId(path: string, content: string): string {
  return createHash('sha256').update(`${path}\0${content}`).digest('hex').slice(0, ID_CHARACTERS)
}

/** The text without a hunk: its new lines give way to the old ones. */
export function withoutHunk(after: string, hunk: Hunk): string {
  const lines = linesWithEndings(after)
  const at = hunk.after.from - 1
  return [...lines.slice(0, at), ...hunk.removed, ...lines.slice(at + hunk.after.count)].join('')
}

interface Range {
  readonly removed: readonly [number, number]
  readonly added: readonly [number, number]
}

function joined(changes: readonly ChangeObject<string[]>[]): Range[] {
  const ranges: Range[] = []
  let left = 0
  let right = 0
  for (const change of changes) {
    const removed = change.added ? 0 : change.count
    const added = change.removed ? 0 : change.count
    if (change.added || change.removed) {
      const last = ranges.at(-1)
      const near = last !== undefined && left - last.removed[1] <= JOINED_BY_LINES
      const from = near ? last : { removed: [left, left] as const, added: [right, right] as const }
      const range: Range = {
        removed: [from.removed[0], left + removed],
        added: [from.added[0], right + added],
      }
      if (near) ranges[ranges.length - 1] = range
      else ranges.push(range)
    }
    left += removed
    right += added
  }
  return ranges
}

function commonEnds(before: readonly string[], after: readonly string[]): { start: number; end: number } {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  return { start, end }
}

function diffInSteps(before: string[], after: string[]): Promise<ChangeObject<string[]>[] | undefined> {
  return new Promise((resolve) => diffArrays(before, after, { timeout: IN_STEPS_MS, callback: resolve }))
}
