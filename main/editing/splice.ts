import type { ConcreteHunk } from './concrete-hunk'
import type { LineSplice } from './snapshots'
import { ENDING_NONE, joinLines, majorityEnding, type TextFile } from './text-file'

/** Rows that take the place of `removed` lines behind the first `above` lines. */
export interface Splice {
  readonly above: number
  readonly removed: number
  readonly rows: readonly string[]
}

/** What a list of splices made of a file. */
export interface Spliced {
  readonly file: TextFile
  readonly splices: readonly Splice[]
}

/** Pieces that are joined in one call, which is faster; more would not fit the stack. */
const MAX_SPREAD = 1000

const ORDER = { head: 0, after: 1, before: 2, replace: 3, tail: 4 } as const

/**
 * Brings hunks into the one order that the contract gives, whatever their order in the patch: rows before a line, its
 * replacement or itself, rows after it; several at one place in patch order. The hunks must not overlap.
 */
export function splicesOf(hunks: readonly ConcreteHunk[], lineCount: number): Splice[] {
  const placed = hunks.map((hunk, index) => ({
    ...placeOf(hunk, lineCount),
    rows: hunk.rows,
    order: ORDER[hunk.kind],
    index,
  }))
  placed.sort((left, right) => left.above - right.above || left.order - right.order || left.index - right.index)
  return placed.map(({ above, removed, rows }) => ({ above, removed, rows }))
}

function placeOf(hunk: ConcreteHunk, lineCount: number): { above: number; removed: number } {
  switch (hunk.kind) {
    case 'head':
      return { above: 0, removed: 0 }
    case 'tail':
      return { above: lineCount, removed: 0 }
    case 'before':
      return { above: hunk.start - 1, removed: 0 }
    case 'after':
      return { above: hunk.end, removed: 0 }
    case 'replace':
      return { above: hunk.start - 1, removed: hunk.end - hunk.start + 1 }
  }
}

/**
 * Applies sorted splices. Untouched lines keep their own ending; a new row takes that of the line it replaces, else of
 * the line above, else the file's majority. The final newline stays as it was, unless told otherwise; a file that was
 * empty gets one.
 */
export function applySplices(file: TextFile, splices: readonly Splice[], finalNewlineAfter?: boolean): Spliced {
  const usual = majorityEnding(file.endings)
  const count = splices.reduce((total, splice) => total + splice.rows.length - splice.removed, file.lines.length)
  const pieces: (readonly string[])[] = []
  const endings = new Uint8Array(count)
  let from = 0
  let filled = 0
  const copy = (to: number) => {
    pieces.push(file.lines.slice(from, to))
    endings.set(file.endings.subarray(from, to), filled)
    filled += to - from
    from = to
  }
  for (const splice of splices) {
    copy(splice.above)
    pieces.push(splice.rows)
    for (let index = 0; index < splice.rows.length; index += 1) {
      const replaced = splice.removed === 0 ? from - 1 : from + Math.min(index, splice.removed - 1)
      endings[filled] = file.endings[replaced] || file.endings[replaced - 1] || usual
      filled += 1
    }
    from = splice.above + splice.removed
  }
  copy(file.lines.length)
  const lines = pieces.length <= MAX_SPREAD ? ([] as string[]).concat(...pieces) : pieces.flat()
  const finalNewline = finalNewlineAfter ?? (file.lines.length === 0 || file.endings.at(-1) !== ENDING_NONE)
  for (let index = endings.indexOf(ENDING_NONE); index !== -1; index = endings.indexOf(ENDING_NONE, index + 1))
    endings[index] = endings[index - 1] ?? usual
  if (!finalNewline && endings.length > 0) endings[endings.length - 1] = ENDING_NONE
  const text = joinLines(lines, finalNewline)
  return { file: { bom: file.bom, lines, endings, text }, splices: joinSplices(splices) }
}

/** Splices at one place or side by side as one, so that each describes a whole changed region. */
function joinSplices(splices: readonly Splice[]): Splice[] {
  const joined: Splice[] = []
  for (const splice of splices) {
    const last = joined.at(-1)
    if (last !== undefined && last.above + last.removed === splice.above) {
      joined[joined.length - 1] = {
        above: last.above,
        removed: last.removed + splice.removed,
        rows: [...last.rows, ...splice.rows],
      }
    } else joined.push(splice)
  }
  return joined
}

/** The splices as the edit log keeps them: without lines that stayed, and with those that look the same. */
export function logSplices(splices: readonly Splice[], before: readonly string[]): LineSplice[] {
  return splices.flatMap((splice) => {
    const removed = before.slice(splice.above, splice.above + splice.removed)
    const { rows } = splice
    const most = Math.min(removed.length, rows.length)
    let head = 0
    while (head < most && removed[head] === rows[head]) head += 1
    let tail = 0
    while (tail < most - head && removed[removed.length - 1 - tail] === rows[rows.length - 1 - tail]) tail += 1
    const middle = { removed: removed.length - head - tail, added: rows.length - head - tail }
    if (middle.removed === 0 && middle.added === 0) return []
    const kept =
      middle.removed === middle.added
        ? removed
            .slice(head, head + middle.removed)
            .flatMap((line, index) => (line === rows[head + index] ? [index] : []))
        : []
    return [{ start: splice.above + head + 1, ...middle, ...(kept.length > 0 && { same: kept }) }]
  })
}
