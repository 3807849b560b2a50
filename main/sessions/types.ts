import type { EventBody, SessionEvent } from '../../preload/contract/events'
import type { SessionId } from '../../preload/contract/ids'
import type { SessionSummary } from '../../preload/contract/session'
import type { Item, SessionState } from '../../preload/contract/session-state'
import type { BlobSink } from '../platform/blob-sink'

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
  /** Older pages are still being folded. Resolves when `page` can answer for all of them. */
  readonly indexed: Promise<void>
  /** Derived on open: what the last run left unfinished. They are part of `state` and not in the file. */
  readonly interrupted: readonly SessionEvent[]
  /**
   * Gives the event its id, parent and time, folds it into `state`, and returns it. Journaled events are written in
   * order, in batches; transient ones are only folded. Text over 8 KiB must already be a blob (`externalise`).
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
