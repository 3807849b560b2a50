/** A set of line numbers, kept as sorted ranges that neither overlap nor touch: a whole file is one entry. */
export class LineSet {
  #ranges: { start: number; end: number }[] = []

  add(start: number, end = start): void {
    if (end < start) return
    const last = this.#ranges.at(-1)
    if (last !== undefined && start > last.end + 1) {
      this.#ranges.push({ start, end })
      return
    }
    if (last !== undefined && start >= last.start) {
      last.end = Math.max(last.end, end)
      return
    }
    const before = this.#ranges.filter((range) => range.end < start - 1)
    const after = this.#ranges.filter((range) => range.start > end + 1)
    const touching = this.#ranges.slice(before.length, this.#ranges.length - after.length)
    const joined = {
      start: Math.min(start, touching[0]?.start ?? start),
      end: Math.max(end, touching.at(-1)?.end ?? end),
    }
    this.#ranges = [...before, joined, ...after]
  }

  addAll(lines: Iterable<number>): void {
    for (const line of lines) this.add(line)
  }

  has(line: number): boolean {
    let low = 0
    let high = this.#ranges.length - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const range = this.#ranges[middle]
      if (range === undefined) return false
      if (line < range.start) high = middle - 1
      else if (line > range.end) low = middle + 1
      else return true
    }
    return false
  }

  /** The ranges in order, ends included. */
  ranges(): readonly { readonly start: number; readonly end: number }[] {
    return this.#ranges
  }

  get empty(): boolean {
    return this.#ranges.length === 0
  }
}
