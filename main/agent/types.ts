import type { Answer } from '../../preload/contract/effects'
import type { EventOf, SessionEvent } from '../../preload/contract/events'
import type { ModelRef, PermissionMode, SandboxTier, SessionId, ToolsetName } from '../../preload/contract/ids'
import type { PromptContent, SessionSummary } from '../../preload/contract/session'
import type { Item, SessionState } from '../../preload/contract/session-state'
import type { Disposer } from '../platform/disposer'
import type { SessionScope } from '../toolsets/define'

/** What the bridge and the terminal program use: sessions that are open in this process, and the list of all. */
export interface Sessions {
  create(options: NewSession): Promise<LiveSession>
  /** The open session, or resumes it from disk. Throws `session_not_found`, `journal_locked`. */
  open(id: SessionId): Promise<LiveSession>
  list(): Promise<SessionSummary[]>
  /** Called with the whole list whenever a row changed, at most four times a second. */
  onList(listener: (summaries: SessionSummary[]) => void): Disposer
  setArchived(id: SessionId, archived: boolean): Promise<void>
  /** Stops all turns, closes all journals. */
  dispose(): Promise<void>
}

export interface NewSession {
  cwd: string
  toolset: ToolsetName
  mode: PermissionMode
  sandbox: SandboxTier
  model: ModelRef | null
  /** Further folders that the file tools reach. */
  addedFolders?: readonly string[]
  /** File tools reach only the working directory and the added folders. */
  narrowed?: boolean
  /** Somebody can be asked. Unattended sessions deny what would ask. */
  attended: boolean
  maxTurns?: number
}

export interface LiveSession {
  readonly id: SessionId
  readonly state: SessionState
  /** The session's folder beside its journal. */
  readonly folder: string
  readonly indexed: Promise<void>
  /** Events as they happen, transient ones included, one by one and in order; batching is the receiver's. */
  subscribe(listener: (event: SessionEvent) => void): Disposer
  page(index: number): Promise<readonly Item[]>
  /**
   * Starts a turn, or queues while one runs. Without `kind` a running turn gets a follow-up. Resolves when the prompt
   * is journaled. Throws `key_missing` or `invalid_arguments` when there is no usable model; nothing is lost then.
   */
  prompt(content: readonly PromptContent[], kind?: 'steer' | 'follow-up'): Promise<void>
  /** Resolves with the end of the running turn and of everything queued behind it; at once when nothing runs. */
  idle(): Promise<EventOf<'turn.finished'> | null>
  removeQueued(entry: string): void
  /** The session as engines see it. */
  readonly scope: SessionScope
  /**
   * Lets the model know what the person did: at the next chance in the running turn, else along with the next prompt.
   * Starts no turn. With `join` it is added to an earlier note that still waits. Returns the queue's entry.
   */
  note(text: string, join?: boolean): Promise<string>
  /** Journals that the person changed files, by review or by undo. Resolves when it is in the journal. */
  recordFiles(body: Pick<EventOf<'files.changed'>, 'entry' | 'files'>, how: 'changed' | 'restored'): Promise<void>
  /** Stops the running turn: the stream, its calls, their processes. Resolves when they have ended. */
  stop(): Promise<void>
  answer(call: string, reply: { answer: Answer; rule?: string; note?: string }): void
  setModel(model: ModelRef): void
  setMode(mode: PermissionMode): void
  setToolset(toolset: ToolsetName): void
  rename(title: string): void
  grants(): { key: string; label: string }[]
  removeGrant(key: string): void
  blob(id: string): Promise<Uint8Array>
  close(): Promise<void>
}
