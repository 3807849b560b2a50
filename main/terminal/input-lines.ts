import type { Readable } from 'node:stream'

const NEWLINE = 0x0a

/** One line of input as text, or why it can't be read as one. */
export type InputText = { text: string } | { problem: 'too_large' | 'not_utf8' }

/**
 * The lines of a stream of bytes. Only `\n` ends a line (a line separator or a lone carriage return inside JSON does
 * not), a byte order mark at the start is dropped, and bytes that are not UTF-8 are reported, never replaced. A line of
 * more than `maxBytes` is reported once and its bytes are not kept. Ends without an error where the stream is destroyed.
 */
export async function* inputLines(input: Readable, maxBytes: number): AsyncGenerator<InputText> {
  const line = new LineBuffer(maxBytes)
  try {
    for await (const chunk of input) {
      let rest = Buffer.from(chunk)
      for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
        line.add(rest.subarray(0, end))
        yield line.take()
        rest = rest.subarray(end + 1)
      }
      line.add(rest)
    }
  } catch (failure) {
    if (!input.destroyed) throw failure
  }
  if (line.bytes > 0) yield line.take()
}

class LineBuffer {
  bytes = 0
  readonly #maxBytes: number
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  #parts: Buffer[] = []

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  add(part: Buffer): void {
    this.bytes += part.byteLength
    if (this.bytes > this.#maxBytes) this.#parts = []
    else if (part.byteLength > 0) this.#parts.push(part)
  }

  take(): InputText {
    const whole = this.bytes <= this.#maxBytes
    const bytes = Buffer.concat(this.#parts)
    this.bytes = 0
    this.#parts = []
    if (!whole) return { problem: 'too_large' }
    try {
      return { text: this.#decoder.decode(bytes) }
    } catch {
      return { problem: 'not_utf8' }
    }
  }
}
