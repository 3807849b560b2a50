/** Pieces are joined up to this length, so that a trickle stays cheap. */
const PIECE_CHARACTERS = 16 * 1024

/** The newest part of what a terminal printed, bounded. */
export class Scrollback {
  readonly #limit: number
  #pieces: string[] = []
  #characters = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  push(text: string): void {
    const last = this.#pieces.at(-1)
    if (last !== undefined && last.length + text.length <= PIECE_CHARACTERS)
      this.#pieces[this.#pieces.length - 1] = last + text
    else this.#pieces.push(text)
    this.#characters += text.length
    for (
      let first = this.#pieces[0];
      first !== undefined && this.#characters - first.length >= this.#limit;
      first = this.#pieces[0]
    ) {
      this.#pieces.shift()
      this.#characters -= first.length
    }
  }

  /** At most the limit; what was cut begins with a new line, so that no half of a control sequence stands in front. */
  text(): string {
    const all = this.#pieces.join('')
    if (all.length <= this.#limit) return all
    const cut = all.slice(all.length - this.#limit)
    return cut.slice(cut.indexOf('\n') + 1)
  }
}
