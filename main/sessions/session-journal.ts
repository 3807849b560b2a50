import type { Failure } from '../../preload/contract/errors'
import type { EventBody, SessionEvent } from '../../preload/contract/events'
import type { SessionId } from '../../preload/contract/ids'
import { reduce } from '../../preload/contract/reduce'
import type { Item, SessionState } from '../../preload/contract/session-state'
import type { Clock } from '../platform/clock'
import { PlumblineError } from '../platform/errors'
import { newId } from '../platform/ids'
import type { FileBlobStore } from './blob-store'
import { deriveInterrupted } from './interrupted'
import { type JournalIssue, readSession } from './journal-lines'
import type { JournalWriter } from './journal-writer'
import { type OpenedFold, openStored } from './open-fold'
import { readPage } from './page-reader'
import type { Rebuild } from './rebuild-thread'
import { isTransient, type SessionFold, withoutRepeatedArguments } from './session-fold'
import type { SessionLock } from './session-lock'
import type { SessionPaths } from './session-paths'
import { SidecarWriter } from './sidecar'
import { writeSummary } from './summary'
import type { SessionJournal, SessionLogger } from './types'

/** Journal bytes after which the sidecar is written although no turn ended, so that opening never folds much. */
export const SNAPSHOT_EVERY_BYTES = 2 * 1024 * 1024
/** Least time between two writes of the session's row, in milliseconds. */
const SUMMARY_INTERVAL_MS = 500

/** Events that change the session's row in the list. */
const summaryTypes: ReadonlySet<SessionEvent['type']> = new Set([
  'session.titled',
  'prompt',
  'call.asked',
  'call.answered',
  'files.changed',
  'files.restored',
  'mode.changed',
  'toolset.changed',
  'model.changed',
  'turn.started',
  'turn.finished',
  'failed',
])

export interface JournalParts {
  paths: SessionPaths
  lock: SessionLock
  writer: JournalWriter
  blobs: FileBlobStore
  opened: OpenedFold
  clock: Clock
  logger: SessionLogger
  rebuild: Rebuild
  onClose(): void
}

/** An event since the opening, and where it stands; null for one that is in no journal. */
interface Appended {
  readonly event: SessionEvent
  readonly offset: number | null
}

/** The one writer of a session's journal. Made by `FileSessionStore`. */
export class FileSessionJournal implements SessionJournal {
  readonly id: SessionId
  readonly folder: string
  readonly blobs: FileBlobStore
  readonly indexed: Promise<void>
  readonly #parts: JournalParts
  readonly #calledOff = new AbortController()
  #fold: SessionFold
  #sidecar: SidecarWriter
  #storedOffset: number
  #issues: readonly JournalIssue[]
  #interrupted: readonly SessionEvent[] = []
  /** The last of `interrupted` that are only shown so far; they are written ahead of the next event. */
  #unwritten: readonly SessionEvent[] = []
  #shown: SessionState
  /** What was appended while only the end of the journal is folded; null when all of it is. */
  #since: Appended[] | null
  #saving: Promise<void> = Promise.resolve()
  #saveQueued = false
  #sidecarFailed = false
  #savingSummary: Promise<void> = Promise.resolve()
  #summaryTimer: NodeJS.Timeout | undefined
  #closing: Promise<void> | undefined

  constructor(parts: JournalParts) {
    const { paths, opened } = parts
    this.id = paths.id
    this.folder = paths.folder
    this.blobs = parts.blobs
    this.#parts = parts
    this.#fold = opened.fold
    this.#sidecar = new SidecarWriter(paths, opened.pagesBytes)
    this.#storedOffset = opened.storedOffset
    this.#issues = opened.issues
    this.#since = opened.provisional ? [] : null
    this.#shown = opened.fold.state
    this.#interrupt(deriveInterrupted(this.#fold.state))
    this.indexed = opened.provisional ? this.#index(parts.writer.end) : Promise.resolve()
    // Whoever does not wait for it must not be ended by its failure.
    this.indexed.catch(() => undefined)
  }

  get state(): SessionState {
    return this.#shown
  }

  get interrupted(): readonly SessionEvent[] {
    return this.#interrupted
  }

  get issues(): readonly JournalIssue[] {
    return this.#issues
  }

  get failure(): Failure | null {
    return this.#parts.writer.failure
  }

  append(body: EventBody): SessionEvent {
    if (this.#closing !== undefined)
      throw new PlumblineError('conflict', 'This session is closed. Open it again to go on.')
    this.#writeInterrupted()
    const event = this.#identify(withoutRepeatedArguments(this.#fold.state, body))
    if (isTransient(event)) {
      this.#fold.foldUnwritten(event)
      this.#since?.push({ event, offset: null })
    } else this.#write(event)
    this.#shown = this.#fold.state
    return event
  }

  flush(): Promise<void> {
    return this.#parts.writer.flush()
  }

  async page(index: number): Promise<readonly Item[]> {
    await this.indexed
    const loaded = this.#shown.pages[index]
    if (loaded !== undefined) return loaded
    const { writer, paths } = this.#parts
    // What is on disk can be read although the rest can't be saved.
    await writer.flush().catch(() => undefined)
    return readPage(paths.journal, this.#fold, index, writer.end)
  }

  async *history(): AsyncGenerator<SessionEvent> {
    await this.indexed
    await this.flush()
    const { writer, paths } = this.#parts
    yield* readSession(paths.journal, { range: { end: writer.end }, skip: this.#fold.skipped })
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const { writer, lock, onClose } = this.#parts
    this.#calledOff.abort(new DOMException('Operation aborted', 'AbortError'))
    clearTimeout(this.#summaryTimer)
    try {
      await this.indexed.catch(() => undefined)
      await this.flush()
      await this.#saving
      if (this.#sidecarFailed || this.#storedOffset < writer.end) await this.#save()
      await this.#saveSummary()
    } finally {
      try {
        await writer.close()
      } finally {
        await lock.release()
        onClose()
      }
    }
  }

  #identify(body: EventBody): SessionEvent {
    return { id: newId('e'), parent: this.#fold.state.lastEvent, at: this.#parts.clock.now(), ...body }
  }

  #write(event: SessionEvent): void {
    const offset = this.#parts.writer.enqueue(JSON.stringify(event))
    this.#fold.fold(event, offset)
    this.#since?.push({ event, offset })
    if (event.type === 'turn.finished') void this.flush().catch(() => undefined)
    if (event.type === 'turn.finished' || offset - this.#storedOffset > SNAPSHOT_EVERY_BYTES) this.#saveSoon()
    if (summaryTypes.has(event.type)) this.#saveSummarySoon()
  }

  /** Shows what was interrupted. It is written when the session goes on, so that the file alone gives this state. */
  #interrupt(bodies: readonly EventBody[]): void {
    let state = this.#fold.state
    const events = bodies.map((body) => {
      const event: SessionEvent = { id: newId('e'), parent: state.lastEvent, at: state.lastAt, ...body }
      state = reduce(state, event)
      return event
    })
    this.#interrupted = [...this.#interrupted, ...events]
    this.#unwritten = events
    this.#shown = state
  }

  #writeInterrupted(): void {
    const events = this.#unwritten
    for (const event of events) {
      this.#write(event)
      this.#unwritten = this.#unwritten.slice(1)
    }
  }

  /** Makes the sidecar in the background, then replaces the state by the whole one. */
  async #index(end: number): Promise<void> {
    const { paths, rebuild, logger } = this.#parts
    const { issues } = await rebuild(paths, end, this.#calledOff.signal)
    const opened = await openStored(paths, end)
    if (opened === null) {
      logger.warn('The index of a session could not be used', { session: this.id })
      throw new PlumblineError('io', "Older parts of this session can't be shown now. They are safe in its journal.")
    }
    if (this.#closing !== undefined) return
    this.#issues = issues
    this.#replaceFold(opened)
  }

  #replaceFold(opened: OpenedFold): void {
    const since = this.#since ?? []
    const length = opened.fold.state.length
    const interrupted = deriveInterrupted(opened.fold.state)
    this.#fold = opened.fold
    this.#sidecar = new SidecarWriter(this.#parts.paths, opened.pagesBytes)
    this.#storedOffset = opened.storedOffset
    for (const { event, offset } of since) {
      if (offset === null) this.#fold.foldUnwritten(event)
      else this.#fold.fold(event, offset)
    }
    this.#since = null
    this.#interrupted = this.#interrupted.filter((event) => !this.#unwritten.includes(event))
    // Once the session went on, only calls that the end of the journal did not show are left to settle.
    const { open } = this.#fold.state
    this.#interrupt(
      since.length === 0
        ? interrupted
        : interrupted.filter(
            (body) => body.type === 'failed' && body.what === 'call' && (open[body.call ?? ''] ?? length) < length,
          ),
    )
  }

  #saveSoon(): void {
    if (this.#saveQueued || this.#since !== null) return
    this.#saveQueued = true
    this.#saving = this.#saving.then(async () => {
      // The turn's last events come in one go; one snapshot serves them all.
      await new Promise((resolve) => setImmediate(resolve))
      this.#saveQueued = false
      await this.#save()
    })
  }

  /** Never rejects: the sidecar is a convenience and its loss costs time only. */
  async #save(): Promise<void> {
    if (this.#since !== null) return
    const { writer, logger } = this.#parts
    const { state, pages, skipped, announcedAt } = this.#fold
    const moment = { state, pageCount: pages.length, skipped, announcedAt, offset: writer.end }
    this.#sidecar.add(this.#fold.takeRecords())
    this.#storedOffset = moment.offset
    try {
      await writer.flush()
      await this.#sidecar.write(moment)
      this.#sidecarFailed = false
    } catch (failure) {
      this.#sidecarFailed = true
      logger.warn('The sidecar of a session could not be written', { session: this.id, failure })
    }
  }

  #saveSummarySoon(): void {
    if (this.#summaryTimer !== undefined) return
    this.#summaryTimer = setTimeout(() => {
      this.#summaryTimer = undefined
      void this.#saveSummary()
    }, SUMMARY_INTERVAL_MS)
    this.#summaryTimer.unref()
  }

  /** One after the other, so that the last one written is the newest. */
  #saveSummary(): Promise<void> {
    this.#savingSummary = this.#savingSummary.then(async () => {
      try {
        await writeSummary(this.#parts.paths, this.#shown)
      } catch (failure) {
        this.#parts.logger.warn('The row of a session could not be written', { session: this.id, failure })
      }
    })
    return this.#savingSummary
  }
}
