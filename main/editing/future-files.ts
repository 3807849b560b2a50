import type { Mutation } from './mutation'

/** Files as they would be after some mutations, none of which is carried out. Null stands for no file. */
export class FutureFiles {
  readonly #read: (path: string) => Promise<Uint8Array | undefined>
  readonly #files = new Map<string, { disk: Uint8Array | null; now: Uint8Array | null; mode?: number }>()
  readonly #moves = new Map<string, string>()

  constructor(read: (path: string) => Promise<Uint8Array | undefined>) {
    this.#read = read
  }

  /** Takes a mutation in; false where a file is not what the mutation starts from. */
  async apply(mutation: Mutation): Promise<boolean> {
    const file = await this.#open(mutation.path)
    if (mutation.kind === 'create') {
      if (file.now !== null) return false
      file.now = mutation.after
      if (mutation.mode !== undefined) file.mode = mutation.mode
      return true
    }
    if (file.now === null || Buffer.compare(file.now, mutation.before) !== 0) return false
    if (mutation.kind === 'modify') file.now = mutation.after
    else if (mutation.kind === 'delete') file.now = null
    else {
      const to = await this.#open(mutation.to)
      if (to.now !== null) return false
      to.now = mutation.after
      file.now = null
      this.#moves.set(mutation.to, mutation.path)
    }
    return true
  }

  /** What leads from the files on disk to the future ones. */
  mutations(): Mutation[] {
    const found: Mutation[] = []
    const moved = new Set<string>()
    for (const [to, from] of this.#moves) {
      const [source, target] = [this.#files.get(from), this.#files.get(to)]
      if (source?.disk == null || source.now !== null || target?.now == null || target.disk !== null) continue
      found.push({ kind: 'move', path: from, to, before: source.disk, after: target.now })
      moved.add(from).add(to)
    }
    for (const [path, { disk, now, mode }] of this.#files) {
      if (moved.has(path)) continue
      if (disk === null && now !== null)
        found.push({ kind: 'create', path, after: now, ...(mode !== undefined && { mode }) })
      else if (disk !== null && now === null) found.push({ kind: 'delete', path, before: disk })
      else if (disk !== null && now !== null && Buffer.compare(disk, now) !== 0)
        found.push({ kind: 'modify', path, before: disk, after: now })
    }
    return found
  }

  async #open(path: string): Promise<{ disk: Uint8Array | null; now: Uint8Array | null; mode?: number }> {
    const known = this.#files.get(path)
    if (known !== undefined) return known
    const disk = (await this.#read(path)) ?? null
    const made = { disk, now: disk }
    this.#files.set(path, made)
    return made
  }
}
