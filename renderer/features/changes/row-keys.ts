/** Rows that Page Up and Page Down step over. */
const PAGE_ROWS = 8

/** The row that a key leads to, or undefined for a key that moves nothing. */
export function rowForKey(key: string, at: number, count: number): number | undefined {
  const last = count - 1
  const to: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + PAGE_ROWS,
    PageUp: at - PAGE_ROWS,
    Home: 0,
    End: last,
  }
  const row = to[key]
  return row === undefined || count === 0 ? undefined : Math.max(0, Math.min(last, row))
}
