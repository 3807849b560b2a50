import type { Failure } from '../../preload/contract/errors'
import type { EventBody, SessionEvent } from '../../preload/contract/events'
import type { SessionId } from '../../preload/contract/ids'
import type { SessionSummary } from '../../preload/contract/session'
import type { Item, SessionState } from '../../preload/contract/session-state'
import type { BlobSink } from '../platform/blob-sink'
import type { JournalIssue } from './journal-lines'

/** Sessions on disk: `PLUMBLINE_HOME/sessions/<project>/<id>.jsonl` with a folder of the same name beside it. */
export interface SessionStore {
  /** Makes the journal and its first line. The caller is its one writer until it closes it. */
  create(opened: OpenSession): Promise<SessionJournal>
  /**
   * Opens for writing: takes the lock (`journal_locked` names the process that holds it), repairs a torn last line,
   * and folds what the sidecar does not have yet.
   */
  open(id: SessionId): Promise<SessionJournal>
  /** All sessions, newest first; reads sidecars and never whole journals. */
  list(): Promise<SessionSummary[]>
  /** Archive flag and the like, which are not part of the conversation. */
  annotate(id: SessionId, patch: { archived?: boolean }): Promise<void>
  dispose(): Promise<void>
}

export interface OpenSession {
  cwd: string
  toolset: SessionState['toolset']
  mode: SessionState['mode']
  sandbox: SessionState['sandbox']
  model: SessionState['model']
}

export interface SessionJournal {
  readonly id: SessionId
  /** Owner-only folder beside the journal; holds `blobs`, `tool-results` and `local`. */
  readonly folder: string
  readonly blobs: BlobSink
  /** The folded state with its newest pages; replaced, never mutated. */
  readonly state: SessionState
  /**
   * Older pages are still being folded. Resolves when `page` can answer for all of them; `state` is the whole one then.
   * Before that it is the journal's end alone: items count from its first, totals lack what came before. Rejects when
   * the index can't be made, or with an AbortError when the session is closed.
   */
  readonly indexed: Promise<void>
  /**
   * Derived on open: what the last run left unfinished. They are part of `state` and not in the file; only when the
   * session goes on are they written ahead of the first new event, so that the file alone gives the same state.
   */
  readonly interrupted: readonly SessionEvent[]
  /** Lines of the journal that can't be read, at most the first hundred. They stay in the file and are skipped. */
  readonly issues: readonly JournalIssue[]
  /** Why the session takes no more events (a full disk, for example), or null. `flush` tries again. */
  readonly failure: Failure | null
  /**
   * Gives the event its id, parent and time, folds it into `state`, and returns it. Journaled events are written in
   * order, in batches; transient ones are only folded. Text over 8 KiB must already be a blob (`externalise`). Throws
   * when the session can't be saved (`failure`) or the disk is far behind (`limit_exceeded`): nothing is folded then.
   */
  append(body: EventBody): SessionEvent
  /** Resolves when everything appended so far is on disk (flushed). */
  flush(): Promise<void>
  page(index: number): Promise<readonly Item[]>
  /** The events of the current branch from the first line on, streamed from disk. */
  history(): AsyncIterable<SessionEvent>
  /** Writes the sidecar, flushes, gives the lock back. */
  close(): Promise<void>
}

/** Where trouble that nobody waits for is noted. */
export interface SessionLogger {
  warn(message: string, context?: Readonly<Record<string, unknown>>): void
}
