/** Lines of a file, 1-based and inclusive; `end` null reaches the last line. */
export interface LineRange {
  readonly start: number
  readonly end: number | null
}

/** What was asked of one target: no ranges means from the start, as far as the window goes. */
export interface Selector {
  readonly ranges: readonly LineRange[]
  /** Without header and line numbers. */
  readonly raw: boolean
}

export const NO_SELECTOR: Selector = { ranges: [], raw: false }

/** One way to read a target: a path and what follows it. */
export interface SelectorSplit {
  readonly path: string
  readonly selector: Selector
  /** The selector as written, with its colons; empty when there is none. */
  readonly suffix: string
}

/** At most this many ranges in one selector; more is a mistake, not a request. */
const MAX_RANGES = 64

/** `raw` once and line ranges once, in either order. */
const MAX_PARTS = 2

/**
 * All ways to split a target, the one that leaves most to the path first (READ-09, READ-11). The caller takes the first
 * whose path exists, so a file whose name ends like a selector can be read.
 * Ranges are `N`, `-M`, `N-M`, `N+` and `N+K`, several joined by commas; `L` before a number is allowed.
 */
export function splitSelector(target: string): SelectorSplit[] {
  const splits: SelectorSplit[] = [{ path: target, selector: NO_SELECTOR, suffix: '' }]
  let path = target
  let selector = NO_SELECTOR
  for (let part = 0; part < MAX_PARTS; part += 1) {
    const colon = path.lastIndexOf(':')
    if (colon < 1) break
    const next = addPart(selector, path.slice(colon + 1))
    if (next === undefined) break
    path = path.slice(0, colon)
    selector = next
    splits.push({ path, selector, suffix: target.slice(path.length) })
  }
  return splits
}

function addPart(selector: Selector, text: string): Selector | undefined {
  if (text === 'raw') return selector.raw ? undefined : { ...selector, raw: true }
  if (selector.ranges.length > 0) return undefined
  const ranges = parseRanges(text)
  return ranges && { ...selector, ranges }
}

/** The ranges of a selector part, sorted and joined where they meet; undefined when it is none. */
export function parseRanges(text: string): LineRange[] | undefined {
  const parts = text.split(',')
  if (parts.length > MAX_RANGES) return undefined
  const ranges: LineRange[] = []
  for (const part of parts) {
    const range = parseRange(part.trim())
    if (range === undefined) return undefined
    ranges.push(range)
  }
  return joinRanges(ranges)
}

function parseRange(text: string): LineRange | undefined {
  const match = /^(?:L?(\d{1,15}))?(?:([-+])(?:L?(\d{1,15}))?)?$/i.exec(text)
  if (match === null) return undefined
  const [, first, operator, second] = match
  if (first === undefined) {
    return operator === '-' && second !== undefined ? checked(1, Number(second)) : undefined
  }
  const start = Number(first)
  if (operator === undefined) return checked(start, start)
  if (operator === '+') return second === undefined ? checked(start, null) : checked(start, start + Number(second) - 1)
  return second === undefined ? checked(start, null) : checked(start, Number(second))
}

function checked(start: number, end: number | null): LineRange | undefined {
  if (start < 1 || (end !== null && end < start)) return undefined
  return { start, end }
}

/** Sorts ranges and joins those that overlap or touch. */
export function joinRanges(ranges: readonly LineRange[]): LineRange[] {
  const joined: LineRange[] = []
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1)
    if (last === undefined || (last.end !== null && range.start > last.end + 1)) {
      joined.push(range)
    } else if (last.end !== null && (range.end === null || range.end > last.end)) {
      joined[joined.length - 1] = { start: last.start, end: range.end }
    }
  }
  return joined
}
