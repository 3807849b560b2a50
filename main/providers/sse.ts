/** One event of a stream of server-sent events: the lines of its `data` fields, joined. */
export type SseData = string

/**
 * Splits the text of an event stream into events, however the pieces fall. Comments, other fields and events without
 * data are dropped. It holds only the event that is not complete yet.
 */
export class SseSplitter {
  #rest = ''
  #searched = 0

  /** The data of the events that this piece completed. */
  push(piece: string): SseData[] {
    this.#rest += piece
    const events: SseData[] = []
    for (;;) {
      const end = this.#findEnd()
      if (end === undefined) return events
      const data = dataOf(this.#rest.slice(0, end.at))
      if (data !== undefined) events.push(data)
      this.#rest = this.#rest.slice(end.next)
      this.#searched = 0
    }
  }

  /** What stands behind the last blank line when the stream ends; servers forget the blank line. */
  end(): SseData[] {
    const data = dataOf(this.#rest)
    this.#rest = ''
    this.#searched = 0
    return data === undefined ? [] : [data]
  }

  #findEnd(): { at: number; next: number } | undefined {
    const blank = /\r\n\r\n|\n\n|\r\r(?!\n)|\n\r\n|\r\n\n/g
    // A separator can begin up to three characters before the new piece.
    blank.lastIndex = Math.max(0, this.#searched - 3)
    const match = blank.exec(this.#rest)
    if (match === null) {
      this.#searched = this.#rest.length
      return undefined
    }
    return { at: match.index, next: match.index + match[0].length }
  }
}

function dataOf(block: string): SseData | undefined {
  const lines: string[] = []
  for (const line of block.split(/\r\n|\n|\r/)) {
    if (line === 'data') lines.push('')
    else if (line.startsWith('data:')) lines.push(line.startsWith('data: ') ? line.slice(6) : line.slice(5))
  }
  return lines.length === 0 ? undefined : lines.join('\n')
}
