import { isAscii, isUtf8 } from 'node:buffer'
import { decodeText } from '../reading/text-decoding'
import type { FileMatches, GrepArgs, GrepReport, GrepRow, GrepTarget, LineLabel } from './grep-types'
import { labelLine, labelWeight } from './line-labels'
import type { LineHit, LineMatcher, Slice } from './line-matcher'

/** First bytes that are searched for a NUL before the rest is: most binary files show it there. */
const SNIFF_BYTES = 8192

interface Hit extends LineHit {
  readonly label: LineLabel
}

/** Searches one file's bytes; undefined when nothing in it matches. Counts into `report` what can't be searched. */
export function grepBytes(
  bytes: Buffer,
  file: { index: number; display: string; absolute: string; ranges?: Extract<GrepTarget, { kind: 'file' }>['ranges'] },
  matcher: LineMatcher,
  args: GrepArgs,
  report: GrepReport,
  onLine: () => boolean,
): FileMatches | undefined {
  const decoded = textOf(bytes, matcher, report)
  if (decoded === undefined) return undefined
  const { text, slice, invalidUtf8 } = decoded
  const kept: Hit[] = []
  let hits = 0
  for (const hit of matcher.lines(text, onLine, slice)) {
    if (
      file.ranges !== undefined &&
      !file.ranges.some((range) => hit.line >= range.start && (range.end === null || hit.line <= range.end))
    )
      continue
    hits += 1
    if (args.filesOnly) break
    if (args.ranked || kept.length < args.limits.hitsPerFile)
      kept.push({ ...hit, label: labelLine(hit.text, hit.start) })
    if (args.ranked && kept.length > args.limits.hitsPerFile * 8) keepBest(kept, args.limits.hitsPerFile)
  }
  if (hits === 0) return undefined
  keepBest(kept, args.limits.hitsPerFile)
  kept.sort((a, b) => a.line - b.line)
  const rows = args.filesOnly ? [] : rowsOf(decoded, kept, args)
  return { index: file.index, path: file.display, absolute: file.absolute, hits, kept: kept.length, rows, invalidUtf8 }
}

function keepBest(hits: Hit[], limit: number): void {
  if (hits.length <= limit) return
  hits.sort((a, b) => labelWeight[b.label] - labelWeight[a.label] || a.line - b.line)
  hits.length = limit
}

/** A file's text as it is searched. */
interface Searchable {
  readonly text: string
  /** A part of it as it is shown. */
  readonly slice: Slice
  readonly invalidUtf8: boolean
}

/**
 * Text to search, or nothing when the bytes are no text or can't match; counts what they are. UTF-16 with a mark is
 * decoded, odd bytes are shown as replacements. Decoding is most of the work, so bytes stand for characters where the
 * patterns allow it, and only lines that are shown are decoded.
 */
function textOf(bytes: Buffer, matcher: LineMatcher, report: GrepReport): Searchable | undefined {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    const decoded = decodeText(bytes)
    if (!('problem' in decoded)) return whole(decoded.text, false)
    report.binaryFiles += 1
    return undefined
  }
  if (bytes.subarray(0, SNIFF_BYTES).includes(0) || bytes.includes(0)) {
    report.binaryFiles += 1
    return undefined
  }
  const ascii = isAscii(bytes)
  const invalidUtf8 = !ascii && !isUtf8(bytes)
  if (invalidUtf8) report.invalidUtf8Files += 1
  if (!matcher.mayMatch(bytes)) return undefined
  const body = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
  if (ascii) return whole(body.toString('latin1'), false)
  if (!matcher.searchesBytes) return whole(body.toString('utf8'), invalidUtf8)
  return { text: body.toString('latin1'), slice: (from, to) => body.toString('utf8', from, to), invalidUtf8 }
}

function whole(text: string, invalidUtf8: boolean): Searchable {
  return { text, slice: (from, to) => text.slice(from, to), invalidUtf8 }
}

/** The hits with their context, each line once, in order. */
function rowsOf({ text, slice }: Searchable, hits: readonly Hit[], args: GrepArgs): GrepRow[] {
  if (args.before === 0 && args.after === 0) return hits.map((hit) => hitRow(hit, args.lineCharacters))
  const byLine = new Map(hits.map((hit) => [hit.line, hit]))
  const rows: GrepRow[] = []
  let line = 1
  let offset = 0
  for (const hit of hits) {
    const first = Math.max(rows.at(-1)?.line ?? 0, hit.line - args.before - 1) + 1
    const last = hit.line + args.after
    while (line <= last && offset < text.length) {
      const newline = text.indexOf('\n', offset)
      const end = newline === -1 ? text.length : newline
      if (line >= first) {
        const known = byLine.get(line)
        const stop = newline !== -1 && end > offset && text.charCodeAt(end - 1) === 13 ? end - 1 : end
        rows.push(
          known === undefined
            ? contextRow(line, slice(offset, stop), args.lineCharacters)
            : hitRow(known, args.lineCharacters),
        )
      }
      offset = end + 1
      line += 1
    }
  }
  return rows
}

function hitRow(hit: Hit, maxCharacters: number): GrepRow {
  return { ...contextRow(hit.line, hit.text, maxCharacters), hit: true, label: hit.label }
}

function contextRow(line: number, text: string, maxCharacters: number): GrepRow {
  if (text.length <= maxCharacters) return { line, text, cut: 0, hit: false }
  const unit = text.charCodeAt(maxCharacters - 1)
  const end = unit >= 0xd800 && unit <= 0xdbff ? maxCharacters - 1 : maxCharacters
  return { line, text: text.slice(0, end), cut: text.length - end, hit: false }
}
