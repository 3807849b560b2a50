import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { BlobId, type BlobRef } from '../../preload/contract/ids'
import type { BlobSink } from '../platform/blob-sink'
import { isSystemError, PlumblineError } from '../platform/errors'
import { makeFolder, syncFolder, writeAtomically } from './file-operations'

/** Bytes that are hashed in one go; between two of them others get their turn. */
const HASH_CHUNK_BYTES = 1024 * 1024

/**
 * Bytes by their SHA-256, under `<folder>/<first two digits>/<digest>`. Owner-only; written to a temporary name and
 * renamed; the same bytes are kept once.
 */
export class FileBlobStore implements BlobSink {
  readonly #folder: string
  readonly #write: (file: string, bytes: Uint8Array) => Promise<void>
  readonly #running = new Map<string, Promise<void>>()

  constructor(folder: string, write: (file: string, bytes: Uint8Array) => Promise<void> = writeAtomically) {
    this.#folder = folder
    this.#write = write
  }

  async put(bytes: Uint8Array): Promise<BlobRef> {
    const id = await digest(bytes)
    const running = this.#running.get(id) ?? this.#keep(id, bytes).finally(() => this.#running.delete(id))
    this.#running.set(id, running)
    await running
    return { id, bytes: bytes.byteLength }
  }

  /** Throws `not_found`, or `io` when the bytes on disk are not those that were put. */
  async get(id: string): Promise<Uint8Array> {
    const bytes = await readFile(this.#file(id)).catch((failure: unknown) => {
      throw missing(id, failure)
    })
    if ((await digest(bytes)) !== id) {
      throw new PlumblineError('io', 'Kept content of this session was damaged on disk.', { context: { blob: id } })
    }
    return bytes
  }

  /** The first `limit` bytes, and how many there are in all. Throws `not_found`. */
  async head(id: string, limit: number): Promise<{ bytes: Uint8Array; total: number }> {
    const handle = await open(this.#file(id), 'r').catch((failure: unknown) => {
      throw missing(id, failure)
    })
    try {
      const { size } = await handle.stat()
      const buffer = Buffer.alloc(Math.min(limit, size))
      const { bytesRead } = await handle.read(buffer, 0, buffer.byteLength, 0)
      return { bytes: buffer.subarray(0, bytesRead), total: size }
    } finally {
      await handle.close()
    }
  }

  /** Streams at most `limit` bytes. Throws `not_found`. */
  async *stream(id: string, limit = Number.POSITIVE_INFINITY): AsyncGenerator<Uint8Array> {
    if (limit <= 0) return
    try {
      for await (const chunk of createReadStream(this.#file(id), { end: limit - 1 })) yield chunk
    } catch (failure) {
      throw missing(id, failure)
    }
  }

  async #keep(id: string, bytes: Uint8Array): Promise<void> {
    const file = this.#file(id)
    const found = await stat(file).catch(() => undefined)
    if (found?.size === bytes.byteLength) return
    await makeFolder(path.dirname(file))
    await this.#write(file, bytes)
    // An event that names the blob may be safe before the folder is, unless the folder is flushed too.
    await syncFolder(path.dirname(file))
  }

  #file(id: string): string {
    if (!BlobId.safeParse(id).success) throw new PlumblineError('not_found', 'No such kept content.')
    return path.join(this.#folder, id.slice(0, 2), id)
  }
}

async function digest(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256')
  for (let from = 0; from < bytes.byteLength; from += HASH_CHUNK_BYTES) {
    if (from > 0) await new Promise((resolve) => setImmediate(resolve))
    hash.update(bytes.subarray(from, from + HASH_CHUNK_BYTES))
  }
  return hash.digest('hex')
}

function missing(id: string, failure: unknown): unknown {
  if (!isSystemError(failure) || failure.code !== 'ENOENT') return failure
  return new PlumblineError('not_found', 'This content is no longer kept with the session.', { context: { blob: id } })
}
