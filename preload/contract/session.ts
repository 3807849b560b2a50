import { z } from 'zod'
import { Answer } from './effects'
import { SessionEvent } from './events'
import { BlobId, CallId, ModelRef, PermissionMode, SandboxTier, SessionId, ToolsetName } from './ids'
import { domain, request, stream } from './rpc'
import type { Item, SessionState } from './session-state'

/** One row of the session list. */
export const SessionSummary = z.object({
  id: SessionId,
  title: z.string(),
  project: z.string(),
  projectName: z.string(),
  state: z.enum(['idle', 'running', 'needs-you', 'done', 'failed']),
  /** What the row says under the title: the question that waits, the failure, or nothing. */
  detail: z.string(),
  updatedAt: z.number(),
  added: z.number().int(),
  removed: z.number().int(),
  cost: z.number(),
  archived: z.boolean(),
})
export type SessionSummary = z.infer<typeof SessionSummary>

/** Text or an image that the person sends; images come as bytes and become blobs before anything else happens. */
export const PromptContent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string().max(4 * 1024 * 1024) }),
  z.object({
    type: z.literal('image'),
    name: z.string().max(255),
    mimeType: z.string().max(64),
    data: z.instanceof(Uint8Array).refine((data) => data.byteLength <= 20 * 1024 * 1024, 'image over 20 MB'),
  }),
])
export type PromptContent = z.infer<typeof PromptContent>

/**
 * The state without most of its pages: `state` is a `SessionState` whose pages hold only the newest ones. It is plain
 * data made by our own reducer, so the shape is not parsed again.
 */
export const SessionSnapshot = z.object({
  state: z.custom<SessionState>((value) => typeof value === 'object' && value !== null),
  /** Older pages are still being indexed: `state.length` will grow at the front. */
  indexing: z.boolean(),
})
export type SessionSnapshot = z.infer<typeof SessionSnapshot>

/** Events of a frame, in order. `snapshot` replaces everything the receiver has. */
export const SessionUpdate = z.discriminatedUnion('type', [
  z.object({ type: z.literal('events'), events: z.array(SessionEvent) }),
  z.object({ type: z.literal('snapshot'), snapshot: SessionSnapshot }),
])
export type SessionUpdate = z.infer<typeof SessionUpdate>

export const session = domain('session', {
  list: request({ args: z.void(), result: z.array(SessionSummary) }),
  /** The whole list whenever it changes, at most four times a second. */
  summaries: stream({ args: z.void(), item: z.array(SessionSummary) }),
  create: request({
    args: z.object({
      project: z.string().max(4096),
      toolset: ToolsetName.optional(),
      mode: PermissionMode.optional(),
      model: ModelRef.optional(),
    }),
    result: SessionSummary,
  }),
  /** Subscribes; the first item is a snapshot. Deltas are batched to a frame. */
  updates: stream({ args: z.object({ session: SessionId }), item: SessionUpdate }),
  /** Items of one page (`PAGE_SIZE` items). */
  page: request({
    args: z.object({ session: SessionId, page: z.number().int().nonnegative() }),
    result: z.array(z.custom<Item>((value) => typeof value === 'object' && value !== null)),
  }),
  /** Sends, or queues while a turn runs: `steer` goes in after the running calls, `follow-up` after the turn. */
  prompt: request({
    args: z.object({
      session: SessionId,
      content: z.array(PromptContent).min(1).max(64),
      kind: z.enum(['steer', 'follow-up']).optional(),
    }),
    result: z.void(),
  }),
  removeQueued: request({ args: z.object({ session: SessionId, entry: z.string().max(64) }), result: z.void() }),
  stop: request({ args: z.object({ session: SessionId }), result: z.void() }),
  answer: request({
    args: z.object({
      session: SessionId,
      call: CallId,
      answer: Answer,
      rule: z.string().max(1024).optional(),
      note: z.string().max(8192).optional(),
    }),
    result: z.void(),
  }),
  setModel: request({ args: z.object({ session: SessionId, model: ModelRef }), result: z.void() }),
  /** `bypass` needs `confirmation` to be the word "bypass", typed by the person, and a trusted folder. */
  setMode: request({
    args: z.object({ session: SessionId, mode: PermissionMode, confirmation: z.string().max(64).optional() }),
    result: z.void(),
  }),
  setToolset: request({ args: z.object({ session: SessionId, toolset: ToolsetName }), result: z.void() }),
  rename: request({
    args: z.object({ session: SessionId, title: z.string().trim().min(1).max(200) }),
    result: z.void(),
  }),
  setArchived: request({ args: z.object({ session: SessionId, archived: z.boolean() }), result: z.void() }),
  /** A blob as text, cut at `limit` bytes on a character boundary. */
  blobText: request({
    args: z.object({
      session: SessionId,
      blob: BlobId,
      limit: z
        .number()
        .int()
        .positive()
        .max(8 * 1024 * 1024),
    }),
    result: z.object({ text: z.string(), bytes: z.number().int(), binary: z.boolean() }),
  }),
  blobBytes: request({ args: z.object({ session: SessionId, blob: BlobId }), result: z.instanceof(Uint8Array) }),
  sandbox: request({ args: z.object({ session: SessionId }), result: SandboxTier }),
})
