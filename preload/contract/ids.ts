import { z } from 'zod'

/** Session ids name files, so their alphabet is safe on every file system. */
export const SessionId = z.string().regex(/^s_[0-9a-z]{8,40}$/)
export type SessionId = z.infer<typeof SessionId>

/** Unique within its session; sorts by creation. */
export const EventId = z.string().regex(/^e_[0-9a-z]{6,40}$/)
export type EventId = z.infer<typeof EventId>

/** One tool call, as the provider or the terminal program named it. */
export const CallId = z.string().min(1).max(256)
export type CallId = z.infer<typeof CallId>

/** The SHA-256 of a blob's bytes, in hex: its name under the session's `blobs` folder. */
export const BlobId = z.string().regex(/^[0-9a-f]{64}$/)
export type BlobId = z.infer<typeof BlobId>

export const BlobRef = z.object({ id: BlobId, bytes: z.number().int().nonnegative() })
export type BlobRef = z.infer<typeof BlobRef>

export const TerminalId = z.string().regex(/^t_[0-9a-z]{4,40}$/)
export type TerminalId = z.infer<typeof TerminalId>

/** `PROVIDER:MODEL`, for example `openai:gpt-5` or `scripted:demo.jsonl`. */
export const ModelRef = z
  .string()
  .min(3)
  .max(4096)
  .regex(/^[A-Za-z0-9_.-]+:.+$/s)
export type ModelRef = z.infer<typeof ModelRef>

export const ToolsetName = z.enum(['plumbline', 'magi', 'atomic', 'o4'])
export type ToolsetName = z.infer<typeof ToolsetName>

export const PermissionMode = z.enum(['ask', 'accept-edits', 'review', 'auto', 'bypass', 'plan'])
export type PermissionMode = z.infer<typeof PermissionMode>

export const SandboxTier = z.enum(['read-only', 'workspace-write', 'guarded', 'off'])
export type SandboxTier = z.infer<typeof SandboxTier>
