import type { LineSet } from './line-set'
import type { Splice } from './splice'

/** Unchanged lines shown on either side of a change. */
const AROUND = 2

/** Added rows of one change that are shown whole; longer runs are folded to two at each end. */
const FOLD_ABOVE = 8
const FOLD_ENDS = 2

/** Changes shown in one answer; the rest is counted. */
const MAX_CHANGES = 40

/** Longest row shown, in characters. */
const MAX_CHARACTERS = 400

/** The compact preview under a header (EDIT-70): rows in post-edit numbers, and which lines it shows in full. */
export interface PreviewRows {
  readonly text: string
  readonly shown: readonly number[]
  /** First changed line in post-edit numbers; undefined when nothing changed. */
  readonly firstChangedLine: number | undefined
}

/** Draws sorted splices over the text that they led to. */
export function previewRows(after: readonly string[], splices: readonly Splice[]): PreviewRows {
  const rows: string[] = []
  const shown: number[] = []
  let printed = 0
  let shift = 0
  let firstChangedLine: number | undefined
  const separate = () => {
    if (rows.length > 0 && rows.at(-1) !== '…') rows.push('…')
  }
  const print = (mark: string, number: number) => {
    if (number <= printed || number > after.length) return
    if (number > printed + 1 && printed > 0) separate()
    const line = after[number - 1] ?? ''
    const cut = line.length > MAX_CHARACTERS
    rows.push(`${mark}${number}:${cut ? `${line.slice(0, MAX_CHARACTERS)}…` : line}`)
    if (!cut) shown.push(number)
    printed = number
  }
  for (const [index, splice] of splices.entries()) {
    const first = splice.above + shift + 1
    const added = splice.rows.length
    firstChangedLine ??= Math.min(first, Math.max(1, after.length))
    shift += added - splice.removed
    if (index >= MAX_CHANGES) continue
    for (let number = Math.max(1, first - AROUND); number < first; number += 1) print(' ', number)
    if (added <= FOLD_ABOVE) for (let offset = 0; offset < added; offset += 1) print('+', first + offset)
    else {
      for (let offset = 0; offset < FOLD_ENDS; offset += 1) print('+', first + offset)
      for (let offset = added - FOLD_ENDS; offset < added; offset += 1) print('+', first + offset)
    }
    const next = splices[index + 1]
    const limit = next === undefined ? after.length : next.above + shift
    for (let number = first + added; number < first + added + AROUND && number <= limit; number += 1) print(' ', number)
  }
  if (splices.length > MAX_CHANGES) {
    separate()
    rows.push(`(${splices.length - MAX_CHANGES} more changes)`)
  }
  return { text: rows.join('\n'), shown, firstChangedLine }
}

/** Where lines went, in the numbers from before the edit: `lines ≥13: +2`. Undefined when none moved. */
export function renumbering(splices: readonly Splice[], linesBefore: number): string | undefined {
  const parts: string[] = []
  let shift = 0
  for (const [index, splice] of splices.entries()) {
    const first = splice.above + 1
    if (splice.removed > 0 && splice.rows.length === 0) parts.push(`${span(first, splice.above + splice.removed)} gone`)
    shift += splice.rows.length - splice.removed
    const from = splice.above + splice.removed + 1
    const next = splices[index + 1]
    if (shift === 0 || from > linesBefore) continue
    const by = shift > 0 ? `+${shift}` : `-${-shift}`
    if (next === undefined) parts.push(`lines ≥${from}: ${by}`)
    else if (next.above >= from) parts.push(`lines ${span(from, next.above)}: ${by}`)
  }
  return parts.some((part) => part.startsWith('lines')) ? parts.join('; ') : undefined
}

/** The lines of a new text that are known: those known before, where they went, and the new rows. */
export function carrySeen(seen: LineSet, into: LineSet, splices: readonly Splice[], linesAfter: number): void {
  let shift = 0
  let from = 1
  const carry = (to: number) => {
    for (const range of seen.ranges()) {
      const start = Math.max(range.start, from)
      const end = Math.min(range.end, to)
      if (start <= end) into.add(start + shift, Math.min(end + shift, linesAfter))
    }
  }
  for (const splice of splices) {
    carry(splice.above)
    into.add(splice.above + shift + 1, splice.above + shift + splice.rows.length)
    shift += splice.rows.length - splice.removed
    from = splice.above + splice.removed + 1
  }
  carry(Number.MAX_SAFE_INTEGER - Math.abs(shift))
}

function span(first: number, last: number): string {
  return first === last ? `${first}` : `${first}-${last}`
}
