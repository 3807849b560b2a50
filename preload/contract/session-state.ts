import type { AssistantPart, ContentPart, StopReason, Usage } from './content'
import type { Answer, Ask, ChangedFile, Preview, Touch } from './effects'
import type { Failure } from './errors'
import type { BlobRef, CallId, EventId, ModelRef, PermissionMode, SandboxTier, SessionId, ToolsetName } from './ids'

/** Items a page holds. A page is the unit of copying, of the sidecar and of what a window asks for. */
export const PAGE_SIZE = 256

/** Characters of a running call's output that the state keeps; the whole output is on disk. */
export const LIVE_OUTPUT_CHARACTERS = 16 * 1024

interface ItemBase {
  /** The event that created the item. */
  readonly id: EventId
  readonly at: number
  readonly turn: number
}

export interface PromptItem extends ItemBase {
  readonly kind: 'prompt'
  readonly content: readonly ContentPart[]
  readonly queued?: 'steer' | 'follow-up' | undefined
}

export interface MessageItem extends ItemBase {
  readonly kind: 'message'
  readonly model: ModelRef
  readonly content: readonly AssistantPart[]
  readonly usage: Usage
  readonly cost?: number | undefined
  readonly stop: StopReason
  readonly ms: number
}

export type CallState = 'requested' | 'asking' | 'running' | 'done' | 'failed' | 'denied' | 'interrupted'

export interface CallItem extends ItemBase {
  readonly kind: 'call'
  readonly call: CallId
  readonly parentCall?: CallId | undefined
  readonly tool: string
  readonly title: string
  readonly subject: string
  readonly args: string
  readonly blob?: BlobRef | undefined
  readonly state: CallState
  readonly touches?: readonly Touch[] | undefined
  readonly preview?: Preview | undefined
  readonly ask?: Ask | undefined
  readonly answer?: Answer | undefined
  readonly answeredBy?: 'person' | 'nobody' | 'stop' | undefined
  readonly note?: string | undefined
  /** The end of the output so far. */
  readonly output: string
  readonly content?: readonly ContentPart[] | undefined
  readonly details?: unknown
  readonly error?: Failure | undefined
  readonly ms?: number | undefined
  readonly kept?: { readonly path: string; readonly bytes: number } | undefined
  readonly files?: readonly ChangedFile[] | undefined
}

export interface TurnEndItem extends ItemBase {
  readonly kind: 'turn-end'
  readonly stop: StopReason
  readonly usage: Usage
  readonly cost?: number | undefined
  readonly ms: number
  readonly error?: Failure | undefined
}

/** Retries, changed settings, restored files, interruptions and notices: one line each. */
export interface NoteItem extends ItemBase {
  readonly kind: 'note'
  readonly level: 'info' | 'warn' | 'error'
  readonly source: 'notice' | 'retry' | 'setting' | 'restored' | 'interrupted' | 'reminder' | 'compacted'
  readonly text: string
}

/** One row of the transcript and of the timeline; both show the same list. */
export type Item = PromptItem | MessageItem | CallItem | TurnEndItem | NoteItem

/** The message that is being streamed. */
export interface LiveMessage {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly { readonly call: CallId; readonly tool: string; readonly args: string }[]
}

export interface QueueEntry {
  readonly entry: string
  readonly kind: 'steer' | 'follow-up'
  readonly content: readonly ContentPart[]
}

/** All changes of one file since the span began: its first `before` and its last `after`. */
export type ChangeSpan = Readonly<Record<string, ChangedFile>>

export interface SessionState {
  readonly session: SessionId | null
  readonly cwd: string
  readonly title: string
  readonly toolset: ToolsetName
  readonly mode: PermissionMode
  readonly sandbox: SandboxTier
  readonly model: ModelRef | null
  /** Items in pages of `PAGE_SIZE`; a page that was not loaded is undefined. */
  readonly pages: readonly (readonly Item[] | undefined)[]
  readonly length: number
  /** Calls that are not settled, and where their items stand. */
  readonly open: Readonly<Record<CallId, number>>
  /** Arguments of calls that the last message asked for and that are not requested yet. */
  readonly announced?: Readonly<Record<CallId, { readonly args: string; readonly blob?: BlobRef | undefined }>>
  /** Calls that wait for the person, oldest first. */
  readonly waiting: readonly CallId[]
  readonly live: LiveMessage | null
  readonly queue: readonly QueueEntry[]
  readonly turn: number
  readonly running: { readonly turn: number; readonly since: number } | null
  readonly usage: Usage
  readonly cost: number
  /** Input tokens of the last request: how full the context is. */
  readonly contextTokens: number
  readonly turnChanges: ChangeSpan
  readonly sessionChanges: ChangeSpan
  readonly lastEvent: EventId | null
  readonly lastAt: number
}

export const emptySessionState: SessionState = {
  session: null,
  cwd: '',
  title: '',
  toolset: 'plumbline',
  mode: 'ask',
  sandbox: 'guarded',
  model: null,
  pages: [],
  length: 0,
  open: {},
  announced: {},
  waiting: [],
  live: null,
  queue: [],
  turn: 0,
  running: null,
  usage: { input: 0, output: 0 },
  cost: 0,
  contextTokens: 0,
  turnChanges: {},
  sessionChanges: {},
  lastEvent: null,
  lastAt: 0,
}

/** The item at `index`, or undefined when it is out of range or its page is not loaded. */
export function itemAt(state: Pick<SessionState, 'pages'>, index: number): Item | undefined {
  return state.pages[Math.floor(index / PAGE_SIZE)]?.[index % PAGE_SIZE]
}
