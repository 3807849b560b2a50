import type { LineIndex } from './line-index'
import type { ReadContract, ShownLine, TextRead } from './read-contract'
import { joinRanges, type LineRange, type Selector } from './selectors'

/** Longest line that is shown, in characters; `:raw` shows lines whole (READ-08). */
export const MAX_LINE_CHARACTERS = 2000

type Window = Pick<TextRead, 'segments' | 'truncation' | 'beyondEnd'>

/**
 * Picks the lines to show: the ranges with their context, within the contract's lines and bytes. Rows are counted with
 * their number and newline, so what is shown keeps the cap.
 */
export function windowOf(index: LineIndex, selector: Selector, contract: ReadContract): Window {
  const asked: readonly LineRange[] = selector.ranges.length === 0 ? [{ start: 1, end: null }] : selector.ranges
  const beyondEnd = selector.ranges.filter((range) => range.start > index.count)
  const within = asked.filter((range) => range.start <= index.count)
  const context = selector.ranges.length > 0 && !selector.raw
  const wanted = context ? joinRanges(within.map((range) => withContext(range, contract))) : within
  const maxLines =
    selector.ranges.length > 0 && contract.rangesBeyondWindow ? Number.POSITIVE_INFINITY : contract.windowLines

  const segments: ShownLine[][] = []
  let lines = 0
  let bytes = 0
  for (const range of wanted) {
    const segment: ShownLine[] = []
    let number = range.start
    for (const text of index.lines(range.start, range.end ?? index.count)) {
      if (lines >= maxLines)
        return { segments: close(segments, segment), truncation: { by: 'lines', next: number }, beyondEnd }
      const shown = shownLine(number, text, selector.raw)
      const size = Buffer.byteLength(shown.text) + (selector.raw ? 1 : String(number).length + 2)
      if (bytes + size > contract.windowBytes) {
        if (lines === 0) segment.push(cutToBytes(shown, contract.windowBytes))
        const next = lines === 0 ? number + 1 : number
        const truncation = next > index.count ? null : ({ by: 'bytes', next } as const)
        return { segments: close(segments, segment), truncation, beyondEnd }
      }
      segment.push(shown)
      lines += 1
      bytes += size
      number += 1
    }
    close(segments, segment)
  }
  return { segments, truncation: null, beyondEnd }
}

function close(segments: ShownLine[][], segment: ShownLine[]): ShownLine[][] {
  if (segment.length > 0) segments.push(segment)
  return segments
}

function withContext(range: LineRange, contract: ReadContract): LineRange {
  return {
    start: Math.max(1, range.start - contract.contextBefore),
    end: range.end === null ? null : range.end + contract.contextAfter,
  }
}

function shownLine(number: number, text: string, raw: boolean): ShownLine {
  if (raw || text.length <= MAX_LINE_CHARACTERS) return { number, text, cut: 0 }
  const end = isHighSurrogate(text.charCodeAt(MAX_LINE_CHARACTERS - 1)) ? MAX_LINE_CHARACTERS - 1 : MAX_LINE_CHARACTERS
  return { number, text: text.slice(0, end), cut: text.length - end }
}

/** A single line that is larger than everything that may be shown. */
function cutToBytes(line: ShownLine, maxBytes: number): ShownLine {
  const bytes = Buffer.from(line.text.slice(0, maxBytes))
  let end = Math.min(maxBytes, bytes.length)
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  const text = bytes.subarray(0, end).toString('utf8')
  return { number: line.number, text, cut: line.cut + line.text.length - text.length }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
