/** Files whose last no-op is remembered in a session. */
const MAX_FILES = 1024

/** Counts identical edits of one file that changed nothing; another payload or a real change starts again (EDIT-69). */
export class NoOpCounter {
  readonly #counts = new Map<string, { payload: string; count: number }>()

  /** How often this payload has now come to nothing. */
  count(path: string, payload: string): number {
    const known = this.#counts.get(path)
    const count = known?.payload === payload ? known.count + 1 : 1
    this.#counts.delete(path)
    this.#counts.set(path, { payload, count })
    for (const oldest of this.#counts.keys()) {
      if (this.#counts.size <= MAX_FILES) break
      this.#counts.delete(oldest)
    }
    return count
  }

  reset(path: string): void {
    this.#counts.delete(path)
  }
}
