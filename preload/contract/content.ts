import { z } from 'zod'
import { BlobRef, CallId } from './ids'

/** Text above this many UTF-8 bytes is kept as a blob; the event then holds its first part and the reference. */
export const INLINE_TEXT_BYTES = 8 * 1024

/** `text` is whole when `blob` is absent, else the beginning of what the blob holds. */
export const TextPart = z.object({ type: z.literal('text'), text: z.string(), blob: BlobRef.optional() })
export type TextPart = z.infer<typeof TextPart>

export const ImagePart = z.object({
  type: z.literal('image'),
  mimeType: z.string(),
  blob: BlobRef,
  name: z.string().optional(),
  width: z.number().int().optional(),
  height: z.number().int().optional(),
})
export type ImagePart = z.infer<typeof ImagePart>

/** What a prompt or a tool result consists of. */
export const ContentPart = z.discriminatedUnion('type', [TextPart, ImagePart])
export type ContentPart = z.infer<typeof ContentPart>

/** `opaque` is whatever the provider wants to see again with this part (signatures, encrypted reasoning), as JSON. */
export const ReasoningPart = z.object({
  type: z.literal('reasoning'),
  text: z.string(),
  blob: BlobRef.optional(),
  opaque: z.string().optional(),
  /** Holds `opaque` where it is too long to be inline. */
  opaqueBlob: BlobRef.optional(),
})

/** A call the model asked for. `args` is the text it sent, valid JSON or not; it is parsed in the pipeline only. */
export const CallPart = z.object({
  type: z.literal('call'),
  call: CallId,
  tool: z.string(),
  args: z.string(),
  blob: BlobRef.optional(),
  /** The stream ended or broke before the arguments were complete: such a call is never executed. */
  cutOff: z.boolean().optional(),
})
export type CallPart = z.infer<typeof CallPart>

export const AssistantPart = z.discriminatedUnion('type', [TextPart, ReasoningPart, CallPart])
export type AssistantPart = z.infer<typeof AssistantPart>

/** Tokens. `input` includes cached ones. */
export const Usage = z.object({
  input: z.number().int().nonnegative(),
  output: z.number().int().nonnegative(),
  cachedInput: z.number().int().nonnegative().optional(),
  reasoning: z.number().int().nonnegative().optional(),
})
export type Usage = z.infer<typeof Usage>

export const StopReason = z.enum([
  'done',
  'calls',
  'length',
  'refused',
  'stopped',
  'failed',
  'script_ended',
  'max_turns',
  'budget',
])
export type StopReason = z.infer<typeof StopReason>
