const PURE_CLOSER = /^(?:[)\]}]+[;,.]*|<\/[\w.:-]*>[;,)\]}]*|\/?>[;,)\]}]*|end[;,)]?)$/

/** The line is blank. */
export function isBlank(line: string): boolean {
  return line.trim() === ''
}

/** Leading spaces and tabs. */
export function indentationOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}

/** The line only closes what was opened above: brackets, a tag, an `end`. */
export function isPureCloser(line: string): boolean {
  return PURE_CLOSER.test(line.trim())
}

/** `inner` is indented like `outer` and then further; different mixtures of tabs and spaces are never comparable. */
export function isDeeper(inner: string, outer: string): boolean {
  return inner.length > outer.length && inner.startsWith(outer)
}

/** The shallowest indentation of the rows that say something; undefined where all are blank or only close. */
export function bodyIndentation(rows: readonly string[]): string | undefined {
  const telling = rows.filter((row) => !isBlank(row))
  if (telling.every(isPureCloser)) return undefined
  return telling.map(indentationOf).reduce((least, own) => (own.length < least.length ? own : least))
}
