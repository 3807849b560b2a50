import { open } from 'node:fs/promises'
import { z } from 'zod'
import { SessionEvent } from '../../preload/contract/events'
import { EventId } from '../../preload/contract/ids'

/** Bytes read at once. Small enough that folding them takes less than a frame. */
const CHUNK_BYTES = 128 * 1024
/** A longer line is no event of ours; it is skipped and reported, never held in memory. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024

const NEWLINE = 10

/** A complete line, without its end. `bytes` is null for one that is too long. */
export interface JournalLine {
  readonly offset: number
  /** Bytes with the line's end. */
  readonly length: number
  readonly bytes: Buffer | null
}

export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** What is wrong with a line. It stays in the file and is skipped. */
export interface JournalIssue {
  readonly offset: number
  readonly problem: string
}

/** An event of the journal, and where it stands. */
export interface JournalEntry {
  readonly offset: number
  readonly event: SessionEvent
}

export type ParsedLine =
  | { readonly event: SessionEvent; readonly issue?: undefined }
  /** `link` is there when at least the line's place in the tree can be told. */
  | { readonly event?: undefined; readonly issue: JournalIssue; readonly link?: { id: string; parent: string | null } }

/**
 * The complete lines of a range, in batches of one read each. The last line counts only if its end stands in the range.
 * Reading is asynchronous, so whoever folds a batch gives way to others between two of them.
 */
export async function* readLines(file: string, range: Partial<ByteRange> = {}): AsyncGenerator<JournalLine[]> {
  const handle = await open(file, 'r')
  try {
    const end = range.end ?? Number.POSITIVE_INFINITY
    let position = range.start ?? 0
    const splitter = new LineSplitter(position)
    while (position < end) {
      const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - position))
      const { bytesRead } = await handle.read(buffer, 0, buffer.byteLength, position)
      if (bytesRead === 0) return
      position += bytesRead
      const lines = splitter.push(buffer.subarray(0, bytesRead))
      if (lines.length > 0) yield lines
    }
  } finally {
    await handle.close()
  }
}

class LineSplitter {
  #offset: number
  #parts: Buffer[] = []
  #partBytes = 0
  #dropping = false

  constructor(offset: number) {
    this.#offset = offset
  }

  push(chunk: Buffer): JournalLine[] {
    const lines: JournalLine[] = []
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      lines.push(this.#take(chunk.subarray(from, at)))
      from = at + 1
    }
    this.#keep(chunk.subarray(from))
    return lines
  }

  #take(rest: Buffer): JournalLine {
    const length = this.#partBytes + rest.byteLength + 1
    const tooLong = this.#dropping || length > MAX_LINE_BYTES
    const bytes = tooLong ? null : this.#parts.length === 0 ? rest : Buffer.concat([...this.#parts, rest])
    const line = { offset: this.#offset, length, bytes }
    this.#offset += length
    this.#parts = []
    this.#partBytes = 0
    this.#dropping = false
    return line
  }

  #keep(rest: Buffer): void {
    if (rest.byteLength === 0) return
    this.#partBytes += rest.byteLength
    if (this.#partBytes > MAX_LINE_BYTES) {
      this.#dropping = true
      this.#parts = []
    } else this.#parts.push(rest)
  }
}

const Link = z.object({ id: EventId, parent: EventId.nullable() })

/** Reads one line. Never throws: what is wrong becomes an issue. */
export function parseLine(line: JournalLine): ParsedLine {
  const { offset } = line
  if (line.bytes === null) return { issue: { offset, problem: `The line has more than ${MAX_LINE_BYTES} bytes.` } }
  let value: unknown
  try {
    value = JSON.parse(line.bytes.toString('utf8'))
  } catch {
    return { issue: { offset, problem: 'The line is not JSON.' } }
  }
  const event = SessionEvent.safeParse(value)
  if (event.success) return { event: event.data }
  const link = Link.safeParse(value)
  const problem = `The line is no event that this version knows: ${event.error.issues[0]?.message ?? 'wrong shape'}`
  return link.success ? { issue: { offset, problem }, link: link.data } : { issue: { offset, problem } }
}

/** The one complete line that starts at `offset`, or null. */
export async function readLineAt(file: string, offset: number): Promise<JournalLine | null> {
  for await (const lines of readLines(file, { start: offset })) return lines[0] ?? null
  return null
}

/**
 * All events of a session's file in the order of the file, lines that can't be read left out. `onIssue` hears of those.
 * Export, history and the terminal program read through this; memory does not grow with the file.
 */
export async function* readSession(
  file: string,
  options: { range?: Partial<ByteRange>; skip?: readonly ByteRange[]; onIssue?: (issue: JournalIssue) => void } = {},
): AsyncGenerator<SessionEvent> {
  for await (const lines of readLines(file, options.range)) {
    for (const line of lines) {
      if (options.skip && isSkipped(options.skip, line.offset)) continue
      const parsed = parseLine(line)
      if (parsed.event) yield parsed.event
      else options.onIssue?.(parsed.issue)
    }
  }
}

/** Whether the offset lies in one of the ranges; they are in order and do not overlap. */
export function isSkipped(ranges: readonly ByteRange[], offset: number): boolean {
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const range = ranges[middle]
    if (range === undefined || offset < range.start) high = middle
    else if (offset >= range.end) low = middle + 1
    else return true
  }
  return false
}
