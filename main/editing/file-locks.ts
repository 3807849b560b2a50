/** One holder a file at a time, in order of arrival. Several files are taken in one order, so nobody waits in a ring. */
export class FileLocks {
  readonly #tails = new Map<string, Promise<void>>()

  /** Runs `work` while nobody else of this process holds any of the canonical paths. */
  async hold<Result>(paths: readonly string[], work: () => Promise<Result>): Promise<Result> {
    const releases: (() => void)[] = []
    try {
      for (const path of [...new Set(paths)].sort()) releases.push(await this.#take(path))
      return await work()
    } finally {
      for (const release of releases.reverse()) release()
    }
  }

  /** Files that are held or waited for. */
  get size(): number {
    return this.#tails.size
  }

  async #take(path: string): Promise<() => void> {
    const before = this.#tails.get(path)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const tail = before === undefined ? held : before.then(() => held)
    this.#tails.set(path, tail)
    await before
    return () => {
      if (this.#tails.get(path) === tail) this.#tails.delete(path)
      release()
    }
  }
}
