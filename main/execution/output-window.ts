/** What is remembered of an output: its beginning and its end, however long it was. */
export interface OutputSnapshot {
  /** The whole text when `complete`, else its beginning. */
  readonly head: string
  /** The end of the text; empty when `complete`. */
  readonly tail: string
  readonly complete: boolean
  /** UTF-16 units of the whole text. */
  readonly characters: number
  readonly bytes: number
  readonly lines: number
}

/** UTF-16 units kept of each end: what any tool shows fits into it. */
const END_CHARACTERS = 128 * 1024

/** Pieces are joined up to this length, so that a trickle of single characters stays cheap. */
const PIECE_CHARACTERS = 8 * 1024

/** Keeps the first and the last part of a text that comes piece by piece, in bounded memory. */
export class OutputWindow {
  readonly #limit: number
  #head = ''
  #tail: string[] = []
  #tailCharacters = 0
  #characters = 0
  #bytes = 0
  #newlines = 0
  #lastCharacter = ''

  constructor(limit: number = END_CHARACTERS) {
    this.#limit = limit
  }

  push(text: string, bytes: number): void {
    if (text === '') return
    this.#characters += text.length
    this.#bytes += bytes
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#newlines += 1
    this.#lastCharacter = text.slice(-1)
    const room = this.#limit - this.#head.length
    const split = room <= 0 || this.#tailCharacters > 0 ? 0 : cutAt(text, Math.min(room, text.length))
    if (split > 0) this.#head += text.slice(0, split)
    if (split < text.length) this.#pushTail(text.slice(split))
  }

  snapshot(): OutputSnapshot {
    const tail = this.#tail.join('')
    const dropped = this.#characters - this.#head.length - this.#tailCharacters
    const complete = dropped === 0 && tail.length <= this.#limit
    const start = complete ? 0 : cutAt(tail, Math.max(0, tail.length - this.#limit), 'after')
    return {
      head: complete ? this.#head + tail : this.#head,
      tail: complete ? '' : tail.slice(start),
      complete,
      characters: this.#characters,
      bytes: this.#bytes,
      lines: this.#newlines + (this.#lastCharacter === '' || this.#lastCharacter === '\n' ? 0 : 1),
    }
  }

  #pushTail(text: string): void {
    const last = this.#tail.at(-1)
    if (last !== undefined && last.length < PIECE_CHARACTERS) this.#tail[this.#tail.length - 1] = last + text
    else this.#tail.push(text)
    this.#tailCharacters += text.length
    for (let first = this.#tail[0]; first !== undefined; first = this.#tail[0]) {
      if (this.#tailCharacters - first.length < this.#limit) break
      this.#tail.shift()
      this.#tailCharacters -= first.length
    }
  }
}

/** A place to cut a text at or next to `index` that does not split a surrogate pair. */
export function cutAt(text: string, index: number, side: 'before' | 'after' = 'before'): number {
  if (index <= 0 || index >= text.length) return Math.max(0, Math.min(index, text.length))
  const unit = text.charCodeAt(index - 1)
  const splits = unit >= 0xd800 && unit <= 0xdbff
  if (!splits) return index
  return side === 'before' ? index - 1 : index + 1
}
