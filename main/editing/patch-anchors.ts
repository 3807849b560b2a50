import { type HunkKind, MAX_RANGE_LINES, type OpMatch, type Vocabulary } from './patch'
import { messages } from './patch-messages'

/** One line number and an optional second one, or why they are none. */
export type RangeMatch = { readonly start: number; readonly end: number } | { readonly malformed: string }

/**
 * Reads `N` or `N<separator>M`. The separators are those whose meaning can't be mistaken; numbers are checked before
 * anything is expanded (EDIT-33, EDIT-39, EDIT-40).
 */
export function readRange(text: string, separators: string): RangeMatch {
  const match = new RegExp(`^(\\d+)(?:\\s*(?:${separators})\\s*(\\d+))?$`).exec(text.trim())
  if (match === null) return { malformed: messages.expectedLine(text.trim()) }
  const [, first = '', second = first] = match
  for (const digits of [first, second]) {
    const value = Number(digits)
    if (!Number.isSafeInteger(value) || value < 1) return { malformed: messages.unsafeAnchor(digits) }
  }
  const start = Number(first)
  const end = Number(second)
  if (end < start) return { malformed: messages.reversed(start, end) }
  if (end - start + 1 > MAX_RANGE_LINES) return { malformed: messages.tooLong(start, end) }
  return { start, end }
}

/** An operation with a range or a single anchor, from the text behind its verb. */
export function rangeOp(
  kind: HunkKind,
  text: string,
  options: { separators: string; single: boolean; vocabulary: Vocabulary },
): OpMatch {
  const range = readRange(text, options.separators)
  const certain = /^\S*\d\S*$/.test(text.trim())
  if ('malformed' in range)
    return { malformed: range.malformed, certain: certain || /^\d[\d\s.=…,-]*$/.test(text.trim()) }
  if (options.single && range.start !== range.end) return { malformed: messages.expectedLine(text.trim()), certain }
  return { op: { kind, start: range.start, end: range.end, vocabulary: options.vocabulary } }
}
