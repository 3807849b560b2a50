import { createHash } from 'node:crypto'
import { LineSet } from './line-set'
import { decodeTextFile, normaliseText, splitLines } from './text-file'

/** Files whose snapshots are kept; the one used longest ago goes first. */
const MAX_FILES = 1024

/** Versions of one file that are kept: a long session edits the same file again and again. */
const MAX_VERSIONS = 16

/** UTF-8 bytes of all kept text of a session. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024

/** Files whose last seen content is remembered by hash, which outlives the text. */
const MAX_OBSERVATIONS = 8192

/** Links of the edit log of one file. */
const MAX_LOG = 256

/** Tags per file that are remembered as issued after their text was dropped. */
const MAX_ISSUED = 1024

/** Digits of a tag; two more tell texts of one file apart that would share it. */
const TAG_DIGITS = 4
const MAX_TAG_DIGITS = 6

/** Texts whose digests are remembered: the file before and after an edit. */
const RECENT_DIGESTS = 2

/** One text of one file that this session has seen. The tag is a look-up key; `digest`, of the whole text, is identity. */
export interface Snapshot {
  /** Canonical path: absolute, links followed. */
  readonly path: string
  /** Four hex digits, upper case; five or six where another text of the file has the first four. */
  readonly tag: string
  /** SHA-256 of `text`, hex. */
  readonly digest: string
  /** Normalised: no byte-order mark, line feeds only. */
  readonly text: string
  /** Lines that were really printed; empty when nothing is known, which guards nothing. */
  readonly seen: LineSet
}

/** `removed` lines from line `start` (1-based) on gave way to `added` lines. `same` lists offsets whose text stayed. */
export interface LineSplice {
  readonly start: number
  readonly removed: number
  readonly added: number
  readonly same?: readonly number[]
}

/** What this session last saw in a file, whole. `text` is null for binary content and after ageing out. */
export interface Observation {
  /** SHA-256 of the exact bytes, hex. */
  readonly digest: string
  readonly text: string | null
}

export interface SnapshotLimits {
  readonly files?: number
  readonly versions?: number
  readonly textBytes?: number
}

interface Kept {
  /** Newest last. */
  versions: Snapshot[]
  bytes: number
}

/**
 * The texts that one session has seen, by canonical path and tag (EDIT-06, EDIT-13), what it last observed of whole files
 * (WRITE-07), and how its own edits led from one text to the next. Texts of other sessions are unknown here.
 */
export class SnapshotStore {
  readonly #files = new Map<string, Kept>()
  readonly #issued = new Map<string, Set<string>>()
  readonly #observed = new Map<string, { digest: string; textDigest: string | null }>()
  readonly #log = new Map<string, Map<string, { to: string; splices: readonly LineSplice[] }>>()
  readonly #tagOf: (text: string, digest: string) => string
  readonly #limits: Required<SnapshotLimits>
  #recent: { text: string; digest: string }[] = []
  #bytes = 0

  /** `tagOf` replaces how tags are made; tests use it to make them collide. */
  constructor(options: { tagOf?: (text: string, digest: string) => string; limits?: SnapshotLimits } = {}) {
    this.#tagOf = options.tagOf ?? ((_text, digest) => digest.slice(0, 4).toUpperCase())
    this.#limits = { files: MAX_FILES, versions: MAX_VERSIONS, textBytes: MAX_TEXT_BYTES, ...options.limits }
  }

  /**
   * Keeps a text as the newest version of a file and adds the lines that were printed of it. `path` is canonical. Bytes
   * are decoded strictly (throws as `decodeTextFile`); text may carry a mark and CRLF.
   */
  record(path: string, content: Uint8Array | string, shown: Iterable<number> | 'all'): Snapshot {
    const text = typeof content === 'string' ? normaliseText(content) : decodeTextFile(content, path).text
    const digest = this.#digest(text)
    const kept = this.#files.get(path) ?? { versions: [], bytes: 0 }
    const known = kept.versions.find((version) => version.digest === digest)
    const snapshot = known ?? { path, tag: this.#freeTag(path, text, digest), digest, text, seen: new LineSet() }
    kept.versions = [...kept.versions.filter((version) => version !== snapshot), snapshot]
    if (known === undefined) this.#account(kept, Buffer.byteLength(text))
    if (shown === 'all') snapshot.seen.add(1, splitLines(text).length)
    else snapshot.seen.addAll(shown)
    this.#files.delete(path)
    this.#files.set(path, kept)
    this.#issue(path, snapshot.tag)
    this.#evict(path)
    return snapshot
  }

  /** Versions with a tag, newest first. Two texts may share one; four digits also mean the longer tags that begin so. */
  byTag(path: string, tag: string): Snapshot[] {
    const wanted = tag.toUpperCase()
    const versions = [...(this.#files.get(path)?.versions ?? [])].reverse()
    const exact = versions.filter((version) => version.tag === wanted)
    if (wanted.length > TAG_DIGITS) return exact
    return [...exact, ...versions.filter((version) => version.tag !== wanted && version.tag.startsWith(wanted))]
  }

  /** The version with exactly this text. */
  byText(path: string, text: string): Snapshot | undefined {
    const digest = this.#digest(text)
    return this.#files.get(path)?.versions.find((version) => version.digest === digest)
  }

  byDigest(path: string, digest: string): Snapshot | undefined {
    return this.#files.get(path)?.versions.find((version) => version.digest === digest)
  }

  newest(path: string): Snapshot | undefined {
    return this.#files.get(path)?.versions.at(-1)
  }

  /** The tag was given out for this file in this session, whether its text is still kept or not. */
  wasIssued(path: string, tag: string): boolean {
    return this.#issued.get(path)?.has(tag.toUpperCase()) ?? false
  }

  /** The tag that a text of a file has or would have; nothing is recorded. */
  tagOf(path: string, content: string): string {
    const text = normaliseText(content)
    const digest = this.#digest(text)
    return this.byDigest(path, digest)?.tag ?? this.#freeTag(path, text, digest)
  }

  /** Kept versions of any file with this tag, newest files first. */
  anywhere(tag: string): Snapshot[] {
    const wanted = tag.toUpperCase()
    const all = [...this.#files.values()].reverse()
    return all.flatMap((kept) => kept.versions.filter((version) => version.tag === wanted).reverse())
  }

  /** Remembers that this session knows the whole content of a file: it read, wrote or edited it (WRITE-07). */
  observe(path: string, bytes: Uint8Array, text?: string): void {
    const normal = text === undefined ? undefined : normaliseText(text)
    const textDigest = normal === undefined ? null : this.#digest(normal)
    // Of the same length, the bytes are the text itself: it has no mark and no carriage return to lose.
    const same = normal !== undefined && Buffer.byteLength(normal) === bytes.byteLength
    const digest = same && textDigest !== null ? textDigest : digestOf(bytes)
    this.#observed.delete(path)
    this.#observed.set(path, { digest, textDigest })
    dropOldest(this.#observed, MAX_OBSERVATIONS)
  }

  observed(path: string): Observation | undefined {
    const known = this.#observed.get(path)
    if (known === undefined) return undefined
    const version = known.textDigest === null ? undefined : this.byDigest(path, known.textDigest)
    return { digest: known.digest, text: version?.text ?? null }
  }

  /** Notes that an edit of this session turned one text into another. */
  logEdit(path: string, from: string, to: string, splices: readonly LineSplice[]): void {
    if (from === to) return
    const log = this.#log.get(path) ?? new Map()
    log.delete(from)
    log.set(from, { to, splices })
    dropOldest(log, MAX_LOG)
    this.#log.set(path, log)
    dropOldest(this.#log, this.#limits.files)
  }

  /** The edits of this session that follow on a text, step by step, as far as they are known. */
  editsSince(path: string, digest: string): { to: string; splices: readonly LineSplice[] }[] {
    const log = this.#log.get(path)
    const steps: { to: string; splices: readonly LineSplice[] }[] = []
    const visited = new Set([digest])
    for (let step = log?.get(digest); step !== undefined; step = log?.get(step.to)) {
      if (visited.has(step.to)) break
      visited.add(step.to)
      steps.push(step)
    }
    return steps
  }

  /** Drops everything about a file that was removed; its tags count as issued no more. */
  forget(path: string): void {
    this.#bytes -= this.#files.get(path)?.bytes ?? 0
    this.#files.delete(path)
    this.#issued.delete(path)
    this.#observed.delete(path)
    this.#log.delete(path)
  }

  /** Lets snapshots follow a file that was moved, so that a tag read at the old path works at the new one. */
  move(from: string, to: string): void {
    const kept = this.#files.get(from)
    const observed = this.#observed.get(from)
    const log = this.#log.get(from)
    const issued = this.#issued.get(from)
    this.forget(from)
    this.forget(to)
    if (kept !== undefined) {
      kept.versions = kept.versions.map((version) => ({ ...version, path: to }))
      this.#files.set(to, kept)
      this.#bytes += kept.bytes
    }
    if (observed !== undefined) this.#observed.set(to, observed)
    if (log !== undefined) this.#log.set(to, log)
    if (issued !== undefined) this.#issued.set(to, issued)
  }

  /** A newcomer whose tag another kept text of the file has already is told apart by more digits. */
  #freeTag(path: string, text: string, digest: string): string {
    const short = this.#tagOf(text, digest)
    const taken = new Set(this.#files.get(path)?.versions.map((version) => version.tag))
    let tag = short
    for (let digits = TAG_DIGITS + 1; taken.has(tag) && digits <= MAX_TAG_DIGITS; digits += 1)
      tag = short + digest.slice(TAG_DIGITS, digits).toUpperCase()
    return tag
  }

  /** One edit asks several times for the digests of the same two texts. */
  #digest(text: string): string {
    const known = this.#recent.find((entry) => entry.text === text)
    if (known !== undefined) return known.digest
    const digest = digestOf(text)
    this.#recent = [{ text, digest }, ...this.#recent.slice(0, RECENT_DIGESTS - 1)]
    return digest
  }

  #issue(path: string, tag: string): void {
    const issued = this.#issued.get(path) ?? new Set<string>()
    issued.add(tag)
    for (const oldest of issued) {
      if (issued.size <= MAX_ISSUED) break
      issued.delete(oldest)
    }
    this.#issued.delete(path)
    this.#issued.set(path, issued)
    dropOldest(this.#issued, MAX_OBSERVATIONS)
  }

  #account(kept: Kept, bytes: number): void {
    kept.bytes += bytes
    this.#bytes += bytes
  }

  #evict(current: string): void {
    const own = this.#files.get(current)
    while (own !== undefined && own.versions.length > this.#limits.versions) this.#dropVersion(own)
    for (const [path, kept] of this.#files) {
      if (this.#files.size <= this.#limits.files && this.#bytes <= this.#limits.textBytes) return
      if (path === current) continue
      this.#bytes -= kept.bytes
      this.#files.delete(path)
    }
    while (own !== undefined && own.versions.length > 1 && this.#bytes > this.#limits.textBytes) this.#dropVersion(own)
  }

  #dropVersion(kept: Kept): void {
    const [oldest] = kept.versions.splice(0, 1)
    if (oldest !== undefined) this.#account(kept, -Buffer.byteLength(oldest.text))
  }
}

/** The snapshot stores of all open sessions. */
export class SnapshotStores {
  readonly #stores = new Map<string, SnapshotStore>()
  readonly #make: () => SnapshotStore

  constructor(make: () => SnapshotStore = () => new SnapshotStore()) {
    this.#make = make
  }

  /** The store of a session, made on first use. */
  of(session: string): SnapshotStore {
    const known = this.#stores.get(session)
    if (known !== undefined) return known
    const store = this.#make()
    this.#stores.set(session, store)
    return store
  }

  /** Drops what a closed session has seen. */
  release(session: string): void {
    this.#stores.delete(session)
  }

  dispose(): void {
    this.#stores.clear()
  }
}

/** SHA-256 as hex, of bytes or of text in UTF-8. */
export function digestOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex')
}

function dropOldest(map: Map<string, unknown>, max: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= max) return
    map.delete(oldest)
  }
}
