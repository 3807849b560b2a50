import path from 'node:path'
import type { SessionId } from '../../preload/contract/ids'
import type { SessionSummary } from '../../preload/contract/session'
import { type Clock, systemClock } from '../platform/clock'
import { isSystemError, PlumblineError } from '../platform/errors'
import { newId } from '../platform/ids'
import { FileBlobStore } from './blob-store'
import { type FileOperations, makeFolder, nodeFileOperations, syncFolder } from './file-operations'
import { JournalWriter } from './journal-writer'
import { type OpenedFold, openFold } from './open-fold'
import { type ProcessTable, SystemProcessTable } from './process-identity'
import { createRebuild, type Rebuild } from './rebuild-thread'
import { repairJournal } from './repair-journal'
import { SessionFold } from './session-fold'
import { FileSessionJournal } from './session-journal'
import { isLocked, type SessionLock, takeLock } from './session-lock'
import { findSession, findSessions, projectFolderName, type SessionPaths, sessionPaths } from './session-paths'
import { readAnnotations, readSummary, summarise, writeAnnotations } from './summary'
import type { OpenSession, SessionJournal, SessionLogger, SessionStore } from './types'

/** Sessions whose rows are read at once. */
const LIST_CONCURRENCY = 16

export interface FileSessionStoreOptions {
  /** `PLUMBLINE_HOME`. */
  home: string
  clock?: Clock
  fileOperations?: FileOperations
  processes?: ProcessTable
  rebuild?: Rebuild
  logger?: SessionLogger
}

/** Sessions under `<home>/sessions`; folders and files are their owner's alone. */
export class FileSessionStore implements SessionStore {
  readonly #sessions: string
  readonly #clock: Clock
  readonly #files: FileOperations
  readonly #processes: ProcessTable
  readonly #rebuild: Rebuild
  readonly #logger: SessionLogger
  readonly #open = new Map<SessionId, FileSessionJournal>()

  constructor(options: FileSessionStoreOptions) {
    this.#sessions = path.join(options.home, 'sessions')
    this.#clock = options.clock ?? systemClock
    this.#files = options.fileOperations ?? nodeFileOperations
    this.#processes = options.processes ?? new SystemProcessTable()
    this.#rebuild = options.rebuild ?? createRebuild()
    this.#logger = options.logger ?? { warn: () => undefined }
  }

  async create(opened: OpenSession): Promise<SessionJournal> {
    const id = newId('s')
    const project = path.join(this.#sessions, await projectFolderName(opened.cwd))
    const paths = sessionPaths(project, id)
    await makeFolder(this.#sessions)
    await makeFolder(project)
    await makeFolder(paths.folder)
    return this.#underLock(paths, async (lock) => {
      const fold: OpenedFold = {
        fold: new SessionFold(),
        pagesBytes: 0,
        storedOffset: 0,
        issues: [],
        provisional: false,
      }
      const journal = await this.#attach(paths, lock, fold, { create: true, size: 0 })
      journal.append({ type: 'session.opened', version: 1, session: id, ...opened })
      await journal.flush()
      await syncFolder(project)
      return journal
    })
  }

  async open(id: SessionId): Promise<SessionJournal> {
    const paths = await findSession(this.#sessions, id)
    await makeFolder(paths.folder)
    return this.#underLock(paths, async (lock) => {
      const { size, tornBytes } = await repairJournal(paths.journal, paths.folder, this.#clock)
      if (tornBytes > 0)
        this.#logger.warn('The last line of a journal was torn and put aside', { session: id, tornBytes })
      const opened = await openFold(paths, size)
      if (opened.fold.state.session !== id) throw foreign(paths)
      return this.#attach(paths, lock, opened, { create: false, size })
    })
  }

  async list(): Promise<SessionSummary[]> {
    const waiting = await findSessions(this.#sessions)
    const rows: SessionSummary[] = []
    const read = async () => {
      for (let paths = waiting.pop(); paths !== undefined; paths = waiting.pop()) {
        const row = await this.#row(paths)
        if (row !== null) rows.push(row)
      }
    }
    await Promise.all(Array.from({ length: LIST_CONCURRENCY }, read))
    return rows.sort((left, right) => right.updatedAt - left.updatedAt)
  }

  async annotate(id: SessionId, patch: { archived?: boolean }): Promise<void> {
    const paths = await findSession(this.#sessions, id)
    await makeFolder(paths.folder)
    await writeAnnotations(paths, { ...(await readAnnotations(paths)), ...patch })
  }

  async dispose(): Promise<void> {
    const results = await Promise.allSettled([...this.#open.values()].map((journal) => journal.close()))
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    if (failures.length > 0) throw new AggregateError(failures, 'Not every session could be saved')
  }

  /** Null for a journal whose process died before its first line: there is nothing in it. */
  async #row(paths: SessionPaths): Promise<SessionSummary | null> {
    const live = this.#open.get(paths.id)
    if (live !== undefined && live.state.session !== null) return summarise(live.state, await readAnnotations(paths))
    const row = await readSummary(paths)
    if (row === null) return null
    if (row.state !== 'running' && row.state !== 'needs-you') return row
    if (await isLocked(paths.lock, this.#processes, this.#clock)) return row
    return { ...row, state: 'failed', detail: 'Interrupted: Plumbline ended unexpectedly.' }
  }

  async #underLock(
    paths: SessionPaths,
    act: (lock: SessionLock) => Promise<FileSessionJournal>,
  ): Promise<FileSessionJournal> {
    const lock = await takeLock(paths.lock, this.#processes, this.#clock)
    try {
      return await act(lock)
    } catch (failure) {
      await lock.release()
      throw inWords(failure)
    }
  }

  async #attach(
    paths: SessionPaths,
    lock: SessionLock,
    opened: OpenedFold,
    file: { create: boolean; size: number },
  ): Promise<FileSessionJournal> {
    const handle = await this.#files.openJournal(paths.journal, { create: file.create })
    const writer = new JournalWriter(handle, file.size, {
      onFailure: (failure) => this.#logger.warn(failure.message, { session: paths.id, code: failure.code }),
    })
    const journal = new FileSessionJournal({
      paths,
      lock,
      writer,
      blobs: new FileBlobStore(paths.blobs, this.#files.writeAtomically),
      opened,
      clock: this.#clock,
      logger: this.#logger,
      rebuild: this.#rebuild,
      onClose: () => this.#open.delete(paths.id),
    })
    this.#open.set(paths.id, journal)
    return journal
  }
}

function foreign(paths: SessionPaths): PlumblineError {
  const message = 'This journal belongs to another session than its name says. The file was left as it is.'
  return new PlumblineError('journal_corrupt', message, { context: { journal: paths.journal } })
}

/** System errors say which file could not be used, and that nothing was lost. */
function inWords(failure: unknown): unknown {
  if (!isSystemError(failure) || failure instanceof PlumblineError) return failure
  return new PlumblineError('io', `The session can't be opened: ${failure.message}. Nothing was changed.`, {
    cause: failure,
  })
}
