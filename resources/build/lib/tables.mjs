/**
 * @typedef {object} Measured what a measurement answers with
 * @property {string} [title]
 * @property {Record<string, string | number | boolean>[]} [rows] columns are the keys, in the order of the first row that has them
 * @property {string[]} [notes]
 * @property {boolean} [ok] false makes the run end with an error
 */

/**
 * A Markdown table.
 * @param {Record<string, string | number | boolean>[]} rows
 */
export function markdownTable(rows) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  /** @param {string | number | boolean | undefined} value */
  const cell = (value) =>
    String(value ?? '')
      .replace(/\|/g, '\\|')
      .replace(/\n/g, ' ')
  const widths = columns.map((column) => Math.max(3, column.length, ...rows.map((row) => cell(row[column]).length)))
  /** @param {string[]} cells */
  const line = (cells) => `| ${cells.map((text, index) => text.padEnd(widths[index] ?? 0)).join(' | ')} |`
  return [
    line(columns.map(cell)),
    line(widths.map((width) => '-'.repeat(width))),
    ...rows.map((row) => line(columns.map((column) => cell(row[column])))),
  ].join('\n')
}
