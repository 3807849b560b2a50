import { PlumblineError } from '../platform/errors'
import type { Hunk } from './patch'
import { at, messages } from './patch-messages'

/** A hunk whose lines are known. `replace` with no rows deletes; inserts name the line they stand at. */
export interface ConcreteHunk {
  readonly kind: 'replace' | 'before' | 'after' | 'head' | 'tail'
  readonly start: number
  readonly end: number
  readonly rows: readonly string[]
  readonly source: Hunk
  /** The block that a block operation resolved to. */
  readonly block?: { readonly start: number; readonly end: number }
  /** Set on an `after` whose landing is settled already. */
  readonly settled?: boolean
}

/** Refuses anchors that do not exist; ranges are never cut at the end of the file (EDIT-39). */
export function checkBounds(hunks: readonly Pick<Hunk, 'kind' | 'start' | 'end'>[], lineCount: number): void {
  for (const hunk of hunks) {
    if (hunk.kind === 'head' || hunk.kind === 'tail') continue
    const missing = hunk.start > lineCount ? hunk.start : hunk.end > lineCount ? hunk.end : undefined
    if (missing !== undefined) {
      throw new PlumblineError('edit_rejected', `Line ${missing} does not exist (file has ${lineCount} lines)`, {
        context: { bounds: true },
      })
    }
  }
}

/**
 * Refuses a line that two hunks consume, and rows inserted strictly inside a consumed range. To be called after block
 * operations have their lines (EDIT-34).
 */
export function checkOverlap(hunks: readonly ConcreteHunk[]): void {
  const consuming = hunks.filter((hunk) => hunk.kind === 'replace').sort((left, right) => left.start - right.start)
  for (const [index, hunk] of consuming.entries()) {
    const next = consuming[index + 1]
    if (next === undefined || next.start > hunk.end) continue
    const [first, second] = hunk.source.line <= next.source.line ? [hunk, next] : [next, hunk]
    throw overlap(second, Math.max(first.start, second.start), first)
  }
  for (const hunk of hunks) {
    const gap = gapOf(hunk)
    if (gap === undefined) continue
    const around = enclosing(consuming, gap)
    if (around !== undefined) throw overlap(hunk, hunk.start, around)
  }
}

/** The number of lines above an insert's rows. */
export function gapOf(hunk: ConcreteHunk): number | undefined {
  if (hunk.kind === 'before') return hunk.start - 1
  if (hunk.kind === 'after') return hunk.end
  return undefined
}

/** The hunk that consumes lines on both sides of a gap. `consuming` is sorted and does not overlap. */
function enclosing(consuming: readonly ConcreteHunk[], gap: number): ConcreteHunk | undefined {
  let low = 0
  let high = consuming.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const hunk = consuming[middle]
    if (hunk === undefined) return undefined
    if (gap < hunk.start) high = middle - 1
    else if (gap >= hunk.end) low = middle + 1
    else return hunk
  }
  return undefined
}

function overlap(hunk: ConcreteHunk, anchor: number, other: ConcreteHunk): PlumblineError {
  return new PlumblineError('edit_rejected', at(hunk.source.line, messages.overlap(anchor, other.source.line)))
}
