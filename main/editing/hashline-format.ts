import type { Snapshot, SnapshotStore } from './snapshots'

/** A line to print. */
export interface HashlineRow {
  /** 1-based. */
  readonly number: number
  readonly text: string
  /** Search rows only: the line matched, rather than being context. */
  readonly hit?: boolean
  /** Characters left out at the end; such a line is printed but does not count as seen. */
  readonly cut?: number
}

/** `read` rows are `LINE:TEXT`; `search` rows `*LINE:TEXT` for hits and ` LINE:TEXT` for context. */
export type HashlineStyle = 'read' | 'search'

/** `[path#TAG]`; `display` is the path as the model may copy it. */
export function hashlineHeader(display: string, tag: string): string {
  return `[${display}#${tag}]`
}

/** Renders rows, and says which lines a reader of them has seen in full. Both come from the same rows. */
export function hashlineRows(rows: readonly HashlineRow[], style: HashlineStyle): { text: string; shown: number[] } {
  const shown = rows.filter((row) => (row.cut ?? 0) === 0).map((row) => row.number)
  return { text: rows.map((row) => hashlineRow(row, style)).join('\n'), shown }
}

export function hashlineRow(row: HashlineRow, style: HashlineStyle): string {
  const mark = style === 'read' ? '' : row.hit === true ? '*' : ' '
  const note = (row.cut ?? 0) > 0 ? ` … (${row.cut} more characters)` : ''
  return `${mark}${row.number}:${row.text}${note}`
}

/**
 * Prints rows of a file under its header and records exactly them as seen: the one way for read, search and edit.
 * `path` is canonical, `content` the whole file, rows are in the order to print. Throws as `decodeTextFile` for bytes.
 */
export function printHashline(
  store: SnapshotStore,
  file: { readonly path: string; readonly display: string; readonly content: Uint8Array | string },
  rows: readonly HashlineRow[],
  style: HashlineStyle,
): { readonly header: string; readonly rows: string; readonly snapshot: Snapshot } {
  const rendered = hashlineRows(rows, style)
  const snapshot = store.record(file.path, file.content, rendered.shown)
  return { header: hashlineHeader(file.display, snapshot.tag), rows: rendered.text, snapshot }
}
