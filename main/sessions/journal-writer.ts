import type { Failure } from '../../preload/contract/errors'
import { isSystemError, PlumblineError, toFailure } from '../platform/errors'
import type { JournalFile } from './file-operations'

/** Milliseconds that a written event may wait for the medium when nobody asks: one flush then serves many events. */
export const SYNC_DELAY_MS = 50
/** Bytes that may wait for a slow disk. Beyond that the session takes no more events, and says so. */
export const MAX_QUEUED_BYTES = 64 * 1024 * 1024
/** Bytes of one write. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024
/** Written bytes after which a flush is due although more wait to be written; a fast writer can't put it off for ever. */
const MAX_UNSYNCED_BYTES = 8 * 1024 * 1024

interface Waiter {
  readonly until: number
  resolve(): void
  reject(failure: unknown): void
}

/**
 * Appends lines to a journal, off the caller's path: `enqueue` returns at once, one loop writes batches in order and
 * flushes them to the medium. Bytes stay in memory until the medium has them, so a disk that was full for a while
 * costs nothing: after a failure the file is cut back to what is safe, nothing more is taken, and each `flush` tries
 * again.
 */
export class JournalWriter {
  readonly #file: JournalFile
  readonly #onFailure: (failure: Failure) => void
  readonly #maxQueuedBytes: number
  /** What the medium does not have yet, in order; the first `#writtenCount` are written and not flushed. */
  #pending: Buffer[] = []
  #writtenCount = 0
  #synced: number
  #written: number
  #end: number
  #waiters: Waiter[] = []
  #running: Promise<void> | undefined
  #hurry: (() => void) | undefined
  #failure: Failure | null = null

  constructor(
    file: JournalFile,
    size: number,
    options: { onFailure?: (failure: Failure) => void; maxQueuedBytes?: number } = {},
  ) {
    this.#file = file
    this.#synced = size
    this.#written = size
    this.#end = size
    this.#onFailure = options.onFailure ?? (() => undefined)
    this.#maxQueuedBytes = options.maxQueuedBytes ?? MAX_QUEUED_BYTES
  }

  /** Bytes of the journal once all that was taken is written. */
  get end(): number {
    return this.#end
  }

  /** Why the session takes no more events, or null. */
  get failure(): Failure | null {
    return this.#failure
  }

  /**
   * Takes a line (without its end) and returns the offset at which it will stand. Throws the failure that closed the
   * journal, or `limit_exceeded` while the disk is too far behind; the line is not taken then.
   */
  enqueue(line: string): number {
    if (this.#failure !== null) throw new PlumblineError(this.#failure.code, this.#failure.message)
    const bytes = Buffer.from(`${line}\n`)
    const waiting = this.#end - this.#synced
    if (waiting > 0 && waiting + bytes.byteLength > this.#maxQueuedBytes) {
      throw new PlumblineError(
        'limit_exceeded',
        `The disk is too slow for this session: ${megabytes(waiting)} wait to be saved. What was shown before is kept. Go on when the disk has caught up.`,
      )
    }
    const offset = this.#end
    this.#pending.push(bytes)
    this.#end += bytes.byteLength
    this.#wake()
    return offset
  }

  /** Resolves when everything taken so far is on the medium; rejects when that fails. */
  flush(): Promise<void> {
    if (this.#synced >= this.#end) return Promise.resolve()
    return new Promise((resolve, reject) => {
      this.#waiters.push({ until: this.#end, resolve, reject })
      this.#hurry?.()
      this.#wake()
    })
  }

  /** Flushes as far as possible and closes the file. Rejects when something could not be saved. */
  async close(): Promise<void> {
    try {
      await this.flush()
    } finally {
      await this.#running
      await this.#file.close()
    }
  }

  #wake(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      // A flush that came while the last one failed is tried too.
      if (this.#waiters.length > 0 || (this.#synced < this.#end && this.#failure === null)) this.#wake()
    })
  }

  async #run(): Promise<void> {
    try {
      // Whatever is appended in this turn of the event loop goes into the first write.
      await new Promise((resolve) => setImmediate(resolve))
      while (this.#synced < this.#end) {
        await this.#writeBatch()
        if (this.#written < this.#end && this.#written - this.#synced < MAX_UNSYNCED_BYTES) continue
        if (this.#waiters.length === 0) await this.#delay()
        await this.#sync()
      }
    } catch (thrown) {
      await this.#fail(thrown)
    }
  }

  async #writeBatch(): Promise<void> {
    const batch: Buffer[] = []
    let bytes = 0
    for (const line of this.#pending.slice(this.#writtenCount)) {
      if (batch.length > 0 && bytes + line.byteLength > MAX_BATCH_BYTES) break
      batch.push(line)
      bytes += line.byteLength
    }
    if (batch.length === 0) return
    if ((await this.#file.size()) !== this.#written) {
      throw new PlumblineError('conflict', 'another program changed the journal')
    }
    await this.#file.write(batch.length === 1 && batch[0] ? batch[0] : Buffer.concat(batch), this.#written)
    this.#written += bytes
    this.#writtenCount += batch.length
  }

  #delay(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#hurry = undefined
        resolve()
      }
      const timer = setTimeout(done, SYNC_DELAY_MS)
      this.#hurry = done
    })
  }

  async #sync(): Promise<void> {
    const until = this.#written
    const count = this.#writtenCount
    await this.#file.datasync()
    this.#synced = until
    this.#pending.splice(0, count)
    this.#writtenCount -= count
    if (this.#synced === this.#end) this.#failure = null
    const served = this.#waiters.filter((waiter) => waiter.until <= until)
    this.#waiters = this.#waiters.filter((waiter) => waiter.until > until)
    for (const waiter of served) waiter.resolve()
  }

  async #fail(thrown: unknown): Promise<void> {
    const lost = this.#pending.length
    const conflict = thrown instanceof PlumblineError && thrown.code === 'conflict'
    if (!conflict) {
      // After a failed write or flush nobody knows what the medium has beyond the last good flush: write it all again.
      this.#written = this.#synced
      this.#writtenCount = 0
      await this.#file.truncate(this.#synced).catch(() => undefined)
    }
    this.#failure = { code: conflict ? 'conflict' : 'io', message: words(thrown, lost) }
    const waiters = this.#waiters
    this.#waiters = []
    for (const waiter of waiters)
      waiter.reject(new PlumblineError(this.#failure.code, this.#failure.message, { cause: thrown }))
    this.#onFailure(this.#failure)
  }
}

function words(thrown: unknown, lost: number): string {
  const { message } = toFailure(thrown)
  const full = isSystemError(thrown) && (thrown.code === 'ENOSPC' || thrown.code === 'EDQUOT')
  const what = full ? 'The disk is full.' : `The session can't be saved: ${message.replace(/\.$/, '')}.`
  return `${what} The last ${lost} ${lost === 1 ? 'event is' : 'events are'} not saved, everything before is. The session takes nothing new until that is mended; free some space and open it again.`
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / (1024 * 1024))} MB`
}
