import type { ConcreteHunk } from './concrete-hunk'
import { type Balance, balanceOf, difference, equalBalance, NEUTRAL, sum } from './delimiters'
import { indentationOf, isBlank, isDeeper, isPureCloser } from './line-shapes'

/** Longest border that is compared: a patch that restates more than this is no slip. */
const MAX_BORDER_LINES = 500

/** A repair that would fit, for the caller to prove and to show (EDIT-56, EDIT-57, EDIT-66, EDIT-67). */
export interface Repair {
  readonly kind: 'echo' | 'balance'
  readonly hunk: ConcreteHunk
  readonly warning: string
}

/**
 * Looks for a replacement that restates lines at its border, or drops or repeats a closer. At most one repair a hunk.
 * Inserts, deletions and single operations that touch other hunks' lines are left alone.
 */
export function findRepair(
  hunk: ConcreteHunk,
  lines: readonly string[],
  all: readonly ConcreteHunk[],
  path: string,
): Repair | undefined {
  if (hunk.kind !== 'replace' || hunk.rows.length === 0) return undefined
  const removed = lines.slice(hunk.start - 1, hunk.end)
  const free = freeBorder(hunk, lines.length, all)
  const payload = balanceOf(hunk.rows, path)
  const replaced = balanceOf(removed, path)
  const surplus = difference(payload, replaced)
  const echo = findEcho(hunk, lines, free, surplus, path)
  if (echo !== undefined) return echo
  if (equalBalance(payload, replaced) || equalBalance(wholeBalance(all, lines, path), NEUTRAL)) return undefined
  return (
    findDuplicatedCloser(hunk, lines, free.below, surplus, path) ??
    findDuplicatedOpener(hunk, lines, free.above, surplus, path) ??
    findSwallowedCloser(hunk, lines, removed, surplus, path)
  )
}

/** How many lines above and below a hunk no other hunk touches. */
function freeBorder(hunk: ConcreteHunk, count: number, all: readonly ConcreteHunk[]): { above: number; below: number } {
  let above = hunk.start - 1
  let below = count - hunk.end
  for (const other of all) {
    if (other === hunk || other.kind === 'head' || other.kind === 'tail') continue
    if (other.start < hunk.start) above = Math.min(above, hunk.start - 1 - other.end)
    if (other.end > hunk.end) below = Math.min(below, other.start - hunk.end - 1)
    if (other.kind === 'before' && other.start === hunk.start) above = 0
    if (other.kind === 'after' && other.end === hunk.end) below = 0
  }
  return { above: Math.max(0, above), below: Math.max(0, below) }
}

function findEcho(
  hunk: ConcreteHunk,
  lines: readonly string[],
  free: { above: number; below: number },
  surplus: Balance,
  path: string,
): Repair | undefined {
  const { rows } = hunk
  const leading = longest(Math.min(free.above, rows.length), (size) =>
    same(rows, 0, lines, hunk.start - 1 - size, size),
  )
  const trailing = longest(Math.min(free.below, rows.length), (size) =>
    same(rows, rows.length - size, lines, hunk.end, size),
  )
  if (leading === 0 || trailing === 0 || leading + trailing >= rows.length) return undefined
  const dropped = [...rows.slice(0, leading), ...rows.slice(rows.length - trailing)]
  if (dropped.every(isBlank)) return undefined
  const weight = balanceOf(dropped, path)
  if (!equalBalance(weight, NEUTRAL) && !equalBalance(weight, surplus)) return undefined
  return {
    kind: 'echo',
    hunk: { ...hunk, rows: rows.slice(leading, rows.length - trailing) },
    warning: `Auto-repaired a replacement boundary echo at line ${hunk.start}: dropped ${leading} leading and ${trailing} trailing payload line(s) already present outside the range. Issue the payload as the final desired content for the selected range only — never restate unchanged lines bordering the range.`,
  }
}

function findDuplicatedCloser(
  hunk: ConcreteHunk,
  lines: readonly string[],
  below: number,
  surplus: Balance,
  path: string,
): Repair | undefined {
  const { rows } = hunk
  const size = longest(Math.min(below, rows.length - 1), (length) => {
    if (!same(rows, rows.length - length, lines, hunk.end, length)) return false
    return equalBalance(balanceOf(rows.slice(rows.length - length), path), surplus)
  })
  if (size === 0) return undefined
  const action = `dropped ${size} duplicated trailing payload line(s) already present below the range`
  return balanceRepair(hunk, rows.slice(0, rows.length - size), action)
}

function findDuplicatedOpener(
  hunk: ConcreteHunk,
  lines: readonly string[],
  above: number,
  surplus: Balance,
  path: string,
): Repair | undefined {
  const { rows } = hunk
  const size = longest(Math.min(above, rows.length - 1), (length) => {
    if (!same(rows, 0, lines, hunk.start - 1 - length, length)) return false
    return equalBalance(balanceOf(rows.slice(0, length), path), surplus)
  })
  if (size === 0) return undefined
  const action = `dropped ${size} duplicated leading payload line(s) already present above the range`
  return balanceRepair(hunk, rows.slice(size), action)
}

function findSwallowedCloser(
  hunk: ConcreteHunk,
  lines: readonly string[],
  removed: readonly string[],
  surplus: Balance,
  path: string,
): Repair | undefined {
  let closers = 0
  while (closers < removed.length && isPureCloser(removed[removed.length - 1 - closers] ?? '')) closers += 1
  for (let size = 1; size <= closers; size += 1) {
    const kept = removed.slice(removed.length - size)
    if (!equalBalance(sum(surplus, balanceOf(kept, path)), NEUTRAL)) continue
    const first = kept[0] ?? ''
    const below = lines.slice(hunk.end).find((line) => !isBlank(line))
    if (hunk.rows.includes(first) || below === first) return undefined
    const deeper = hunk.rows
      .filter((row) => !isBlank(row))
      .every((row) => isDeeper(indentationOf(row), indentationOf(first)))
    if (!deeper && !opens(balanceOf(hunk.rows, path))) return undefined
    const action = `kept ${size} structural closing line(s) the range deleted without restating`
    return balanceRepair(hunk, [...hunk.rows, ...kept], action)
  }
  return undefined
}

function balanceRepair(hunk: ConcreteHunk, rows: readonly string[], action: string): Repair {
  return {
    kind: 'balance',
    hunk: { ...hunk, rows },
    warning: `Auto-repaired a delimiter-balance mismatch in the replacement at line ${hunk.start}: ${action}. Issue the payload as the final desired content only — never restate or omit a closing bracket bordering the range.`,
  }
}

/** What all hunks together add to the file: an unwrap in two hunks is balanced as a whole and meant so. */
export function wholeBalance(all: readonly ConcreteHunk[], lines: readonly string[], path: string): Balance {
  return all.reduce((total, hunk) => {
    const removed = hunk.kind === 'replace' ? lines.slice(hunk.start - 1, hunk.end) : []
    return sum(total, difference(balanceOf(hunk.rows, path), balanceOf(removed, path)))
  }, NEUTRAL)
}

function opens(balance: Balance): boolean {
  return balance.round > 0 || balance.square > 0 || balance.curly > 0
}

/** Runs of two lists are equal. */
function same(left: readonly string[], from: number, right: readonly string[], at: number, size: number): boolean {
  for (let index = 0; index < size; index += 1) if (left[from + index] !== right[at + index]) return false
  return true
}

/** The greatest size up to `most` that holds; sizes below it need not. */
function longest(most: number, holds: (size: number) => boolean): number {
  for (let size = Math.min(most, MAX_BORDER_LINES); size > 0; size -= 1) if (holds(size)) return size
  return 0
}
