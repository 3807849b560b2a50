import { z } from 'zod'
import { BlobRef, SandboxTier } from './ids'

/** What a call would touch; permission rules judge these. `target` is an absolute real path, a host or a command line. */
export const Touch = z.object({
  kind: z.enum(['read', 'write', 'delete', 'run', 'host', 'secret']),
  target: z.string(),
  /** The absolute path as it was asked for, where links make it differ from `target`; rules are tested on both. */
  given: z.string().optional(),
  /** A file outside the project, the added folders and the home folder. */
  outside: z.boolean().optional(),
})
export type Touch = z.infer<typeof Touch>

export const FileChangeKind = z.enum(['added', 'modified', 'deleted', 'renamed'])

/** One file of a change. `path` is relative to the project where it lies inside, with `/`. Blobs hold the exact bytes. */
export const ChangedFile = z.object({
  path: z.string(),
  from: z.string().optional(),
  kind: FileChangeKind,
  before: BlobRef.nullable(),
  after: BlobRef.nullable(),
  added: z.number().int().nonnegative(),
  removed: z.number().int().nonnegative(),
})
export type ChangedFile = z.infer<typeof ChangedFile>

/** What an approval shows, computed before anything happens. Windows and terminals each draw it. */
export const Preview = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('diff'), files: z.array(ChangedFile), warnings: z.array(z.string()).optional() }),
  z.object({
    kind: z.literal('command'),
    /** The beginning only where `blob` holds the whole line. */
    line: z.string(),
    blob: BlobRef.optional(),
    cwd: z.string(),
    tier: SandboxTier,
    /** Why the model wants it, in its words. */
    intent: z.string().optional(),
    /** Said when the tier can't be enforced here. */
    unsandboxed: z.boolean().optional(),
    /** The resolved paths that would be lost, with `loses.length` capped and `losesTotal` exact. */
    loses: z.array(z.string()).optional(),
    losesTotal: z.number().int().optional(),
  }),
  z.object({ kind: z.literal('request'), method: z.string(), url: z.string() }),
  z.object({ kind: z.literal('text'), text: z.string(), blob: BlobRef.optional() }),
])
export type Preview = z.infer<typeof Preview>

export const ApprovalLevel = z.enum(['never', 'once', 'always'])
export type ApprovalLevel = z.infer<typeof ApprovalLevel>

export const Answer = z.enum(['once', 'session', 'always', 'deny'])
export type Answer = z.infer<typeof Answer>

/** A question to the person about one call. */
export const Ask = z.object({
  /** Heading: verb, object, amount, question mark. */
  question: z.string(),
  /** Which stage asked and why, in words: "mode ask", "ask rule bash(git push *)", "destructive". */
  reason: z.string(),
  stage: z.string(),
  /** The scopes that may be offered; `deny` is always there. */
  scopes: z.array(Answer),
  /** What "session" would cover, in words, and the key it grants. */
  grant: z.object({ key: z.string(), label: z.string() }).optional(),
  /** The rule that "always" would add, editable by the person. */
  rule: z.string().optional(),
  /** Something is lost if this is allowed. */
  harm: z.boolean().optional(),
})
export type Ask = z.infer<typeof Ask>
