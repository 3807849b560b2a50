import { lstat, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { BlobRef } from '../../preload/contract/ids'
import type { BlobSink } from '../platform/blob-sink'
import { isSystemError, PlumblineError } from '../platform/errors'

/** Files that are read at the same time. */
const PARALLEL = 8

/** Changes of a file within this many milliseconds may not show in its times; such a file is read again. */
const RACY_MS = 2000

/** Files whose content is known by their times, over all sessions. */
const MAX_KNOWN = 100_000

/** Largest single file that a capture keeps, in bytes; larger ones are named as left out. */
const MAX_FILE_BYTES = 25_000_000

export interface CaptureLimits {
  readonly files: number
  /** Bytes of new content in all. */
  readonly bytes: number
  readonly timeoutMs: number
}

export interface CapturedFile {
  /** Below the root, with `/`. */
  readonly path: string
  readonly blob: BlobRef
  /** Permission bits. */
  readonly mode: number
}

export interface CapturedTree {
  readonly files: readonly CapturedFile[]
  /** Files that were too large to keep. */
  readonly leftOut: readonly string[]
}

interface Known {
  readonly stamp: string
  readonly blob: BlobRef
}

/** Captures the content of many files; what has not changed since the last time is not read again. */
export class TreeCapture {
  readonly #known = new Map<string, Known>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * Keeps the files of a folder by content. `files` are below the root, with `/`. `space` keeps sessions apart. Throws
   * `limit_exceeded` beyond the limits and an AbortError after an abort.
   */
  async capture(
    where: { space: string; root: string; files: readonly string[] },
    blobs: BlobSink,
    limits: CaptureLimits,
    signal: AbortSignal,
  ): Promise<CapturedTree> {
    if (where.files.length > limits.files)
      throw tooMuch(`it has ${where.files.length} files, and ${limits.files} are the most`)
    const deadline = this.#now() + limits.timeoutMs
    const captured: (CapturedFile | string | undefined)[] = []
    let bytes = 0
    let next = 0
    const work = async (): Promise<void> => {
      for (let index = next++; index < where.files.length; index = next++) {
        signal.throwIfAborted()
        if (this.#now() > deadline) throw tooMuch(`it took longer than ${limits.timeoutMs} milliseconds`)
        const name = where.files[index] ?? ''
        const found = await this.#one(where, name, blobs, (size) => {
          bytes += size
          if (bytes > limits.bytes) throw tooMuch(`its new content is larger than ${limits.bytes} bytes`)
        })
        captured[index] = found
      }
    }
    await Promise.all(Array.from({ length: PARALLEL }, work))
    return {
      files: captured.filter((entry): entry is CapturedFile => typeof entry === 'object'),
      leftOut: captured.filter((entry): entry is string => typeof entry === 'string'),
    }
  }

  async #one(
    where: { space: string; root: string },
    name: string,
    blobs: BlobSink,
    reads: (bytes: number) => void,
  ): Promise<CapturedFile | string | undefined> {
    const file = path.join(where.root, ...name.split('/'))
    try {
      const entry = await lstat(file)
      if (!entry.isFile()) return undefined
      if (entry.size > MAX_FILE_BYTES) return name
      const mode = entry.mode & 0o7777
      const key = `${where.space}\0${file}`
      const stamp = [entry.ino, entry.size, entry.mtimeMs, entry.ctimeMs].join(' ')
      const known = this.#known.get(key)
      if (known?.stamp === stamp) return { path: name, blob: known.blob, mode }
      reads(entry.size)
      const blob = await blobs.put(await readFile(file))
      if (this.#now() - entry.ctimeMs > RACY_MS) this.#remember(key, { stamp, blob })
      return { path: name, blob, mode }
    } catch (failure) {
      // What went or closed between listing and reading is not part of the picture.
      if (isSystemError(failure) && ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(failure.code)) return undefined
      throw failure
    }
  }

  #remember(key: string, known: Known): void {
    this.#known.delete(key)
    this.#known.set(key, known)
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_KNOWN) break
      this.#known.delete(oldest)
    }
  }
}

function tooMuch(why: string): PlumblineError {
  return new PlumblineError('limit_exceeded', `The project is too large for a checkpoint: ${why}. Nothing was kept.`)
}
