/** A body row before it is settled: only rows without a plus may lose a pasted line number. */
export interface BodyRow {
  readonly text: string
  readonly bare: boolean
}

const PASTED = /^\*?\d+:/
const LONE_VALUE = /^(?:(["'`]).*\1|-?\d+(?:\.\d+)?)\s*,?$/s

/**
 * The text of a body. Where every bare row that is not blank carries `LINE:` or `*LINE:`, they were pasted from a read and
 * lose it; a body of quoted or numeric values keeps its numeric keys (EDIT-29, EDIT-62).
 */
export function settleBody(rows: readonly BodyRow[]): string[] {
  const bare = rows.filter((row) => row.bare && row.text.trim() !== '')
  const pasted = bare.length > 0 && bare.every((row) => PASTED.test(row.text)) && !isNumericMap(bare)
  return rows.map((row) => (pasted && row.bare ? row.text.replace(PASTED, '') : row.text))
}

function isNumericMap(rows: readonly BodyRow[]): boolean {
  return rows.every((row) => LONE_VALUE.test(row.text.replace(PASTED, '').trim()))
}
