/** One remembered offset for this many lines: a file of a million lines costs a thousand numbers. */
const LINES_PER_MARK = 1024

/** Characters that are scanned before other work gets its turn: about a millisecond. */
const SLICE_CHARACTERS = 1024 * 1024

/**
 * The lines of a text without a copy of it. Lines end at LF; a CR before it belongs to the ending. A final newline ends
 * the last line and starts no other (READ-16). An empty text has no lines.
 */
export class LineIndex {
  readonly count: number
  readonly #text: string
  readonly #marks: readonly number[]

  private constructor(text: string, count: number, marks: readonly number[]) {
    this.#text = text
    this.count = count
    this.#marks = marks
  }

  /** Counts lines in slices, letting other work run between them. */
  static async of(text: string, signal?: AbortSignal): Promise<LineIndex> {
    const marks: number[] = []
    let count = 0
    let from = 0
    let sliceEnd = SLICE_CHARACTERS
    while (from < text.length) {
      if (count % LINES_PER_MARK === 0) marks.push(from)
      count += 1
      const newline = text.indexOf('\n', from)
      if (newline === -1) break
      from = newline + 1
      if (from > sliceEnd) {
        sliceEnd = from + SLICE_CHARACTERS
        await new Promise(setImmediate)
        signal?.throwIfAborted()
      }
    }
    return new LineIndex(text, count, marks)
  }

  /** Lines `start` to `end`, 1-based and inclusive, without their endings; what lies beyond the text is left out. */
  *lines(start: number, end: number): Generator<string> {
    let offset = this.#offsetOf(start)
    for (let line = start; line <= Math.min(end, this.count); line += 1) {
      const newline = this.#text.indexOf('\n', offset)
      const stop = newline === -1 ? this.#text.length : newline
      yield this.#text.slice(offset, stop > offset && this.#text[stop - 1] === '\r' && newline !== -1 ? stop - 1 : stop)
      offset = stop + 1
    }
  }

  #offsetOf(line: number): number {
    let offset = this.#marks[Math.floor((line - 1) / LINES_PER_MARK)] ?? this.#text.length
    for (let skipped = (line - 1) % LINES_PER_MARK; skipped > 0; skipped -= 1) {
      const newline = this.#text.indexOf('\n', offset)
      if (newline === -1) return this.#text.length
      offset = newline + 1
    }
    return offset
  }
}
