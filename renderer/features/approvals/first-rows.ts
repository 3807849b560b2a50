import type { DiffContent } from '../../../preload/contract/changes'
import type { DiffRow } from '../changes/line-diff'

/** A file of a change and its rows. */
export interface FileRows {
  readonly content: DiffContent
  readonly rows: readonly DiffRow[]
}

/** The first `limit` rows of the files together, and how many are left. */
export function firstRows(
  files: readonly FileRows[],
  limit: number,
): { readonly shown: readonly FileRows[]; readonly left: number } {
  const shown: FileRows[] = []
  let room = limit
  let left = 0
  for (const file of files) {
    const rows = file.rows.slice(0, Math.max(0, room))
    left += file.rows.length - rows.length
    room -= rows.length
    if (rows.length > 0 || file.rows.length === 0) shown.push({ content: file.content, rows })
  }
  return { shown, left }
}
