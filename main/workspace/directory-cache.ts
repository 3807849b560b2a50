import { type Dirent, readdirSync, statSync } from 'node:fs'

export type ListedKind = 'file' | 'directory' | 'link' | 'other'

/** One entry of a folder. */
export interface Listed {
  readonly name: string
  readonly kind: ListedKind
  /** The name as bytes, where it is no UTF-8 and `name` only shows it. */
  readonly bytes?: Buffer
}

/** How long a listing is trusted, in milliseconds. */
const TTL_MS = 30_000

/** A folder that changed so shortly before it was listed can change again within the same tick. Milliseconds. */
const SETTLED_MS = 2_000

/** Entries kept in all listings together: some 30 MB. */
const MAX_ENTRIES = 200_000

interface Kept {
  readonly mtimeMs: number
  readonly until: number
  readonly entries: readonly Listed[]
}

/**
 * Lists folders, and remembers the listings of a thread by path and modification time of the folder (FIND-19). Names and
 * kinds only, never contents.
 */
export class DirectoryCache {
  readonly #kept = new Map<string, Kept>()
  readonly #now: () => number
  #entries = 0

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Entries that are remembered right now. */
  get size(): number {
    return this.#entries
  }

  /** The entries by name. Throws what the system says. */
  list(folder: string | Buffer): readonly Listed[] {
    if (typeof folder !== 'string') return readFolder(folder)
    const { mtimeMs } = statSync(folder)
    const known = this.#kept.get(folder)
    const now = this.#now()
    if (known !== undefined) {
      if (known.mtimeMs === mtimeMs && now < known.until) return known.entries
      this.#kept.delete(folder)
      this.#entries -= known.entries.length
    }
    const entries = readFolder(folder)
    if (now - mtimeMs >= SETTLED_MS && entries.length <= MAX_ENTRIES) this.#keep(folder, mtimeMs, now, entries)
    return entries
  }

  #keep(folder: string, mtimeMs: number, now: number, entries: readonly Listed[]): void {
    for (const [oldest, { entries: dropped }] of this.#kept) {
      if (this.#entries + entries.length <= MAX_ENTRIES) break
      this.#kept.delete(oldest)
      this.#entries -= dropped.length
    }
    this.#kept.set(folder, { mtimeMs, until: now + TTL_MS, entries })
    this.#entries += entries.length
  }
}

function readFolder(folder: string | Buffer): Listed[] {
  const entries: Listed[] = readdirSync(folder, { withFileTypes: true }).map((entry) => ({
    name: entry.name,
    kind: kindOf(entry),
  }))
  if (process.platform === 'linux' && entries.some(({ name }) => name.includes('\uFFFD'))) {
    return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })
      .map((entry): Listed => {
        const name = entry.name.toString('utf8')
        return { name, kind: kindOf(entry), ...(Buffer.from(name).equals(entry.name) ? {} : { bytes: entry.name }) }
      })
      .sort(byName)
  }
  return entries.sort(byName)
}

function byName(a: Listed, b: Listed): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}

function kindOf(entry: Dirent<string> | Dirent<Buffer>): ListedKind {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'directory'
  return entry.isSymbolicLink() ? 'link' : 'other'
}
