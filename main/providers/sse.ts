/** One event of a stream of server-sent events: the lines of its `data` fields, joined. */
export type SseData = string

/**
 * Splits the text of an event stream into events, however the pieces fall. Comments, other fields and events without
 * data are dropped. It holds only the event that is not complete yet, and looks at each character once.
 */
export class SseSplitter {
  /** Pieces of the line that is not complete; joined once, since growing strings are copied when they are searched. */
  #line: string[] = []
  #data: string[] | undefined
  /** The last piece ended in a carriage return, which a line feed may still belong to. */
  #afterReturn = false

  /** The data of the events that this piece completed. */
  push(piece: string): SseData[] {
    if (piece === '') return []
    const text = this.#afterReturn && piece.startsWith('\n') ? piece.slice(1) : piece
    this.#afterReturn = piece.endsWith('\r')
    const events: SseData[] = []
    const lines = text.split(/\r\n|\n|\r/)
    for (const [index, part] of lines.entries()) {
      if (part !== '') this.#line.push(part)
      if (index === lines.length - 1) break
      const event = this.#endLine()
      if (event !== undefined) events.push(event)
    }
    return events
  }

  /** What stands behind the last blank line when the stream ends; servers forget the blank line. */
  end(): SseData[] {
    const events = [this.#endLine(), this.#endLine()]
    return events.filter((event) => event !== undefined)
  }

  /** Closes the line; an empty one closes the event and gives its data. */
  #endLine(): SseData | undefined {
    const line = this.#line.join('')
    this.#line = []
    if (line === '') {
      const data = this.#data?.join('\n')
      this.#data = undefined
      return data
    }
    if (line === 'data' || line.startsWith('data:')) {
      this.#data ??= []
      this.#data.push(line.slice(line.startsWith('data: ') ? 6 : 5))
    }
    return undefined
  }
}
