import { z } from 'zod'
import type { ApprovalLevel, ChangedFile, Preview, Touch } from '../../preload/contract/effects'
import type { Failure } from '../../preload/contract/errors'
import type { PermissionMode, SandboxTier, SessionId, ToolsetName } from '../../preload/contract/ids'
import type { BlobSink } from '../platform/blob-sink'
import type { Deadline } from '../platform/clock'

/** A piece of a result as the tool made it: images are bytes here and become blobs on their way to the journal. */
export type ToolContent = { type: 'text'; text: string } | { type: 'image'; mimeType: string; data: Uint8Array }

export interface ToolResult<Details = unknown> {
  /** What the model reads. */
  content: ToolContent[]
  /** What the window shows: plain JSON. Never parsed out of `content`, and `content` never built from it. */
  details: Details
  /** The tool worked but its outcome is a failure to the model (a command's exit code, say). */
  failure?: Failure
  /** Files on disk that this call changed; the pipeline journals them. */
  changed?: { entry: string; files: ChangedFile[] }
  /** Where the whole output is, when `content` had to be cut. */
  kept?: { path: string; bytes: number }
}

/** What `prepare` found out: the exact effect, how to show it, and what would be lost. */
export interface Prepared<Effect> {
  effect: Effect
  preview?: Preview
  /** What would be lost for good; a non-empty list makes the destructive check ask. */
  loses?: Touch[]
  /** Why the person must be asked whatever was granted, except in `bypass`. */
  asks?: string
}

/** The session as its tools see it. One object a session; `cwd` may move with a tool whose contract says so. */
export interface SessionScope {
  readonly id: SessionId
  readonly toolset: ToolsetName
  readonly mode: PermissionMode
  readonly sandbox: SandboxTier
  /** Absolute real path of the folder that relative paths start from. */
  cwd: string
  /** The project folder and the added folders, absolute real paths. */
  readonly roots: readonly string[]
  /** Only the roots, without the home folder (`-C`, `--add-dir`, tiers read-only and workspace-write). */
  readonly narrowed: boolean
  /** There is somebody who can be asked. */
  readonly attended: boolean
  /** Keeps bytes beside the journal and names them by content. */
  readonly blobs: BlobSink
  /** The session's folder for kept output, made owner-only on first use. */
  readonly toolResultsFolder: string
  /** The session's own folder, what `local://` and a sandboxed `/tmp` stand for. */
  readonly temporaryFolder: string
}

/** One call on its way. Engines come in through the tool's factory, not through here. */
export interface CallContext {
  readonly session: SessionScope
  readonly callId: string
  readonly parent?: string | undefined
  readonly signal: AbortSignal
  readonly deadline: Deadline
  /** How many parallel calls were merged into this one; 1 for a call of its own. */
  readonly merged: number
  /** The next piece of output, for people; not for the model. */
  progress(text: string): void
}

/** What "once" covers. `of` gives the key's value: a path, a host; a `tool` key covers the tool. */
export interface GrantKey<Args> {
  kind: 'file' | 'host' | 'server' | 'tool' | 'folder' | 'model'
  of(args: Args, touches: readonly Touch[]): string
}

/** A tool: prepare, then act. A read-only tool's `prepare` returns its arguments as the effect. */
export interface Tool<Args, Effect, Details> {
  /** As the model calls it, unique in its toolset. */
  name: string
  /** Further names that a call may use; they are not listed. */
  aliases?: readonly string[]
  /** As people read it. */
  title: string
  /** For the model. */
  description: string
  args: z.ZodType<Args>
  /** Said to the model when the arguments don't fit; by default a list of zod's issues. */
  explainArguments?(issues: readonly z.core.$ZodIssue[], raw: unknown): string
  approval: ApprovalLevel
  grantKey?: GrantKey<Args>
  /** One line for rows and cards: the path, the pattern, the command. */
  subject(args: Args): string
  /** Stat and resolve, no contents: rules judge these. */
  targets(args: Args, call: CallContext): Promise<Touch[]>
  /** Reads only: what would happen. Throws `PlumblineError` where the call can't be done. */
  prepare(args: Args, call: CallContext): Promise<Prepared<Effect>>
  /**
   * Does exactly that. It checks that the world is still what the effect was computed from; where it moved it throws
   * `WorldMoved`, and the pipeline prepares again and asks again if the effect differs.
   */
  act(effect: Effect, call: CallContext): Promise<ToolResult<Details>>
  /** Parallel calls whose keys meet are merged into one call, prepared and asked once, answered each. */
  merge?: { keys(args: Args, call: CallContext): string[]; merge(all: Args[]): Args }
  /** Longest time for the whole call in milliseconds, null for a limit of its own. Default 10 minutes. */
  limitMs?: number | null
  /** Characters of text that the model gets of one result; the rest is kept on disk. Default 100,000 (first and last 10,000). */
  outputCharacters?: number
}

/** Thrown by `act` when what `prepare` saw is no longer so. */
export class WorldMoved extends Error {
  override readonly name = 'WorldMoved'
}

/** A call whose arguments are parsed; the types of the tool are closed over. */
export interface BoundCall {
  readonly args: unknown
  readonly subject: string
  grantKey(touches: readonly Touch[]): { kind: GrantKey<unknown>['kind']; value: string } | undefined
  mergeKeys(call: CallContext): string[]
  targets(call: CallContext): Promise<Touch[]>
  prepare(call: CallContext): Promise<PreparedCall>
}

export interface PreparedCall {
  readonly preview: Preview | undefined
  readonly loses: readonly Touch[]
  readonly asks: string | undefined
  act(call: CallContext): Promise<ToolResult>
}

/** A tool as the registry and the pipeline hold it, whatever its types. */
export interface RegisteredTool {
  readonly name: string
  readonly aliases: readonly string[]
  readonly title: string
  readonly description: string
  readonly approval: ApprovalLevel
  readonly grantKind: GrantKey<unknown>['kind'] | undefined
  readonly limitMs: number | null
  readonly outputCharacters: number
  /** JSON Schema of the arguments, as the model gets it. */
  readonly inputSchema: Record<string, unknown>
  bind(raw: unknown): { ok: true; call: BoundCall } | { ok: false; message: string }
  /** Merges calls that `mergeKeys` brought together; undefined when the tool does not merge. */
  merge: ((all: readonly BoundCall[]) => BoundCall) | undefined
}

const DEFAULT_LIMIT_MS = 10 * 60 * 1000
const DEFAULT_OUTPUT_CHARACTERS = 100_000

/** Closes over a tool's types, so that everything above handles all tools alike. */
export function defineTool<Args, Effect, Details>(tool: Tool<Args, Effect, Details>): RegisteredTool {
  const argumentsOf = new WeakMap<BoundCall, Args>()
  const bindParsed = (args: Args): BoundCall => {
    const bound: BoundCall = {
      args,
      subject: tool.subject(args),
      grantKey: (touches) => tool.grantKey && { kind: tool.grantKey.kind, value: tool.grantKey.of(args, touches) },
      mergeKeys: (call) => tool.merge?.keys(args, call) ?? [],
      targets: (call) => tool.targets(args, call),
      prepare: async (call) => {
        const prepared = await tool.prepare(args, call)
        return {
          preview: prepared.preview,
          loses: prepared.loses ?? [],
          asks: prepared.asks,
          act: (acting) => tool.act(prepared.effect, acting),
        }
      },
    }
    argumentsOf.set(bound, args)
    return bound
  }
  const { merge } = tool
  return {
    name: tool.name,
    aliases: tool.aliases ?? [],
    title: tool.title,
    description: tool.description,
    approval: tool.approval,
    grantKind: tool.grantKey?.kind,
    limitMs: tool.limitMs === undefined ? DEFAULT_LIMIT_MS : tool.limitMs,
    outputCharacters: tool.outputCharacters ?? DEFAULT_OUTPUT_CHARACTERS,
    inputSchema: z.toJSONSchema(tool.args, { io: 'input', unrepresentable: 'any' }),
    bind: (raw) => {
      const parsed = tool.args.safeParse(raw)
      if (parsed.success) return { ok: true, call: bindParsed(parsed.data) }
      const explain = tool.explainArguments ?? ((issues) => explainIssues(tool.name, issues))
      return { ok: false, message: explain(parsed.error.issues, raw) }
    },
    merge:
      merge &&
      ((all) =>
        bindParsed(
          merge.merge(
            all.flatMap((bound) => {
              const args = argumentsOf.get(bound)
              return args === undefined ? [] : [args]
            }),
          ),
        )),
  }
}

function explainIssues(name: string, issues: readonly z.core.$ZodIssue[]): string {
  const lines = issues.map(
    (issue) => `- ${issue.path.length === 0 ? 'arguments' : issue.path.join('.')}: ${issue.message}`,
  )
  return `Invalid arguments for ${name}:\n${lines.join('\n')}`
}
