import { diffArrays } from 'diff'
import type { Splice } from './splice'
import { splitLines } from './text-file'

/** Changed lines beyond which two texts count as wholly different. */
const MAX_CHANGED_LINES = 5000

/** Milliseconds that one comparison may take on the main thread. */
const DIFF_MS = 100

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Lines that a change adds and removes. Binary content counts as no line. */
export function countLines(before: Uint8Array | null, after: Uint8Array | null): { added: number; removed: number } {
  const [old, now] = [linesOf(before), linesOf(after)]
  const splices = compareLines(old, now)
  return {
    added: splices.reduce((total, splice) => total + splice.rows.length, 0),
    removed: splices.reduce((total, splice) => total + splice.removed, 0),
  }
}

/** The shortest way from one list of lines to another as sorted splices; one big splice where that takes too long. */
export function compareLines(before: readonly string[], after: readonly string[]): Splice[] {
  let head = 0
  const most = Math.min(before.length, after.length)
  while (head < most && before[head] === after[head]) head += 1
  let tail = 0
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1
  const old = before.slice(head, before.length - tail)
  const now = after.slice(head, after.length - tail)
  if (old.length === 0 && now.length === 0) return []
  const whole = [{ above: head, removed: old.length, rows: now }]
  if (old.length === 0 || now.length === 0) return whole
  const changes = diffArrays(old, now, { maxEditLength: MAX_CHANGED_LINES, timeout: DIFF_MS })
  if (changes === undefined) return whole
  const splices: { above: number; removed: number; rows: string[] }[] = []
  let above = head
  for (const change of changes) {
    const last = splices.at(-1)
    const open = last !== undefined && last.above + last.removed === above ? last : undefined
    if (change.added) {
      if (open !== undefined) open.rows.push(...change.value)
      else splices.push({ above, removed: 0, rows: [...change.value] })
    } else if (change.removed) {
      if (open !== undefined) open.removed += change.count
      else splices.push({ above, removed: change.count, rows: [] })
      above += change.count
    } else above += change.count
  }
  return splices
}

function linesOf(bytes: Uint8Array | null): string[] {
  if (bytes === null || bytes.includes(0)) return []
  try {
    return splitLines(decoder.decode(bytes))
  } catch {
    return []
  }
}
