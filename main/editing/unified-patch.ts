import type { Splice } from './splice'

/** Unchanged lines around a hunk of a unified patch. */
const CONTEXT = 3

/** A diff as text, and how many lines it adds and removes. */
export interface LineDiff {
  /** Unified, with file headers; empty when nothing changed. */
  readonly patch: string
  readonly added: number
  readonly removed: number
}

/** A unified patch made from splices, so that no text has to be compared again. Splices are sorted and trimmed here. */
export function patchFromSplices(
  names: { readonly before: string; readonly after: string },
  before: readonly string[],
  splices: readonly Splice[],
): LineDiff {
  const trimmed = splices
    .map((splice) => trim(splice, before))
    .filter((splice) => splice.removed + splice.rows.length > 0)
  const added = trimmed.reduce((sum, splice) => sum + splice.rows.length, 0)
  const removed = trimmed.reduce((sum, splice) => sum + splice.removed, 0)
  if (trimmed.length === 0) return { patch: '', added, removed }
  const lines = [`--- ${names.before}`, `+++ ${names.after}`]
  let shift = 0
  for (const group of grouped(trimmed)) {
    const first = group[0]
    const last = group.at(-1)
    if (first === undefined || last === undefined) continue
    const from = Math.max(0, first.above - CONTEXT)
    const to = Math.min(before.length, last.above + last.removed + CONTEXT)
    const grown = group.reduce((sum, splice) => sum + splice.rows.length - splice.removed, 0)
    lines.push(`@@ -${place(from, to - from)} +${place(from + shift, to - from + grown)} @@`)
    let at = from
    for (const splice of group) {
      for (; at < splice.above; at += 1) lines.push(` ${before[at] ?? ''}`)
      for (; at < splice.above + splice.removed; at += 1) lines.push(`-${before[at] ?? ''}`)
      for (const row of splice.rows) lines.push(`+${row}`)
    }
    for (; at < to; at += 1) lines.push(` ${before[at] ?? ''}`)
    shift += grown
  }
  return { patch: `${lines.join('\n')}\n`, added, removed }
}

function trim(splice: Splice, before: readonly string[]): Splice {
  let { above, removed, rows } = splice
  let head = 0
  while (head < Math.min(removed, rows.length) && before[above + head] === rows[head]) head += 1
  above += head
  removed -= head
  rows = rows.slice(head)
  let tail = 0
  while (tail < Math.min(removed, rows.length) && before[above + removed - 1 - tail] === rows[rows.length - 1 - tail])
    tail += 1
  return { above, removed: removed - tail, rows: rows.slice(0, rows.length - tail) }
}

function grouped(splices: readonly Splice[]): Splice[][] {
  const groups: Splice[][] = []
  for (const splice of splices) {
    const last = groups.at(-1)?.at(-1)
    if (last !== undefined && splice.above - (last.above + last.removed) <= 2 * CONTEXT) groups.at(-1)?.push(splice)
    else groups.push([splice])
  }
  return groups
}

function place(from: number, count: number): string {
  return count === 0 ? `${from},0` : `${from + 1},${count}`
}
