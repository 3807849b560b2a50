import { z } from 'zod'
import { AssistantPart, ContentPart, StopReason, Usage } from './content'
import { Answer, Ask, ChangedFile, Preview, Touch } from './effects'
import { Failure } from './errors'
import { BlobRef, CallId, EventId, ModelRef, PermissionMode, SandboxTier, SessionId, ToolsetName } from './ids'

const base = { id: EventId, parent: EventId.nullable(), at: z.number() }

const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ ...base, type: z.literal(type), ...shape })

/** The journal's first line. */
export const SessionOpened = event('session.opened', {
  version: z.literal(1),
  session: SessionId,
  cwd: z.string(),
  toolset: ToolsetName,
  mode: PermissionMode,
  sandbox: SandboxTier,
  model: ModelRef.nullable(),
})

export const SessionTitled = event('session.titled', { title: z.string(), by: z.enum(['app', 'person']) })

/** A prompt as it reaches the model. `entry` names the queue entry it came from. */
export const Prompt = event('prompt', {
  content: z.array(ContentPart),
  queued: z.enum(['steer', 'follow-up']).optional(),
  entry: z.string().optional(),
})
export const PromptQueued = event('prompt.queued', {
  entry: z.string(),
  content: z.array(ContentPart),
  kind: z.enum(['steer', 'follow-up']),
})
/** The entry left the queue unsent: removed, or taken back into the composer. */
export const PromptRemoved = event('prompt.removed', { entry: z.string() })

/** Sent while the model speaks, never journaled. Pieces are in order and already batched. */
export const AssistantDelta = event('assistant.delta', {
  text: z.string().optional(),
  reasoning: z.string().optional(),
  /** `args` is the next piece of the call's argument text. */
  call: z.object({ call: CallId, tool: z.string(), args: z.string() }).optional(),
  /** A retry starts over: what streamed so far in this message is void. */
  restart: z.boolean().optional(),
})
export const AssistantMessage = event('assistant.message', {
  model: ModelRef,
  content: z.array(AssistantPart),
  usage: Usage,
  /** US dollars; absent when the model's prices are unknown. */
  cost: z.number().optional(),
  stop: StopReason,
  ms: z.number(),
})
/** A request to the provider failed and is tried again after `delayMs`. */
export const ProviderRetried = event('provider.retried', {
  attempt: z.number().int(),
  of: z.number().int(),
  delayMs: z.number(),
  error: Failure,
})

export const CallRequested = event('call.requested', {
  call: CallId,
  tool: z.string(),
  title: z.string(),
  /** Short text naming the target, for one-line rows: a path, a pattern, a command. */
  subject: z.string(),
  /**
   * Empty when the `assistant.message` that asked for the call has the very same arguments: a journal holds no payload
   * twice. The reducer puts them into the call's item.
   */
  args: z.string(),
  blob: BlobRef.optional(),
  parentCall: CallId.optional(),
})
export const CallPrepared = event('call.prepared', {
  call: CallId,
  touches: z.array(Touch),
  preview: Preview.optional(),
})
export const CallAsked = event('call.asked', { call: CallId, ask: Ask })
export const CallAnswered = event('call.answered', {
  call: CallId,
  answer: Answer,
  by: z.enum(['person', 'nobody', 'stop']),
  rule: z.string().optional(),
  note: z.string().optional(),
})
/** Output so far, sent, never journaled. `text` is the next piece. */
export const CallProgress = event('call.progress', { call: CallId, text: z.string() })
export const CallFinished = event('call.finished', {
  call: CallId,
  ok: z.boolean(),
  content: z.array(ContentPart),
  /** For the window: plain JSON, capped like text. */
  details: z.json().optional(),
  error: Failure.optional(),
  ms: z.number(),
  /** The whole output, where `content` had to be cut. */
  kept: z.object({ path: z.string(), bytes: z.number().int() }).optional(),
})

/** Files on disk were changed by a call (`call`) or by the person's review. `entry` names the undo entry. */
export const FilesChanged = event('files.changed', {
  call: CallId.nullable(),
  entry: z.string(),
  files: z.array(ChangedFile),
})
export const FilesRestored = event('files.restored', { entry: z.string(), files: z.array(ChangedFile) })

export const ModeChanged = event('mode.changed', { mode: PermissionMode })
export const ToolsetChanged = event('toolset.changed', { toolset: ToolsetName })
export const ModelChanged = event('model.changed', { model: ModelRef })
export const Compacted = event('compacted', { summary: z.string(), blob: BlobRef.optional(), upTo: EventId })
export const ReminderInjected = event('reminder.injected', {
  text: z.string(),
  blob: BlobRef.optional(),
  cause: z.string(),
})

/** A turn is everything from a prompt until the model stops. */
export const TurnStarted = event('turn.started', { turn: z.number().int(), model: ModelRef })
export const TurnFinished = event('turn.finished', {
  turn: z.number().int(),
  stop: StopReason,
  usage: Usage,
  cost: z.number().optional(),
  ms: z.number(),
  error: Failure.optional(),
})
/** Something that people should know and that is not part of the conversation. */
export const Notice = event('notice', { level: z.enum(['info', 'warn']), text: z.string() })
/** Work was cut short from outside: found on load (derived, not journaled) or written on an orderly quit. */
export const Interrupted = event('failed', {
  what: z.enum(['turn', 'call']),
  call: CallId.optional(),
  error: Failure,
})

/** Everything that happens in a session. The journal, the bridge, the window and the tests all speak it. */
export const SessionEvent = z.discriminatedUnion('type', [
  SessionOpened,
  SessionTitled,
  Prompt,
  PromptQueued,
  PromptRemoved,
  AssistantDelta,
  AssistantMessage,
  ProviderRetried,
  CallRequested,
  CallPrepared,
  CallAsked,
  CallAnswered,
  CallProgress,
  CallFinished,
  FilesChanged,
  FilesRestored,
  ModeChanged,
  ToolsetChanged,
  ModelChanged,
  Compacted,
  ReminderInjected,
  TurnStarted,
  TurnFinished,
  Notice,
  Interrupted,
])
export type SessionEvent = z.infer<typeof SessionEvent>
export type SessionEventType = SessionEvent['type']
export type EventOf<Type extends SessionEventType> = Extract<SessionEvent, { type: Type }>

/** An event before the session gave it its id, parent and time. */
type WithoutBase<Event> = Event extends SessionEvent ? Omit<Event, 'id' | 'parent' | 'at'> : never
export type EventBody = WithoutBase<SessionEvent>

/** Types that are sent to whoever watches and never reach the journal. */
export const transientEventTypes: ReadonlySet<SessionEventType> = new Set(['assistant.delta', 'call.progress'])
