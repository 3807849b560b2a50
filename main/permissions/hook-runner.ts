import { z } from 'zod'
import type { PermissionMode, ToolsetName } from '../../preload/contract/ids'
import { childEnvironment } from '../execution/environment'
import type { Sandbox, SandboxScope } from '../execution/sandbox'
import type { Outcome, Supervisor } from '../execution/supervisor'
import { judgeRules, parseRule } from './rules'
import type { RuleCall } from './types'

/** Longest time a hook may take, in milliseconds, and the usual one (contracts 2.2). */
const MAX_TIMEOUT_MS = 600_000
const DEFAULT_TIMEOUT_MS = 60_000

/** Characters of a hook's answer that are read, and of its complaint that go to the model. */
const ANSWER_CHARACTERS = 64 * 1024
const COMPLAINT_CHARACTERS = 8 * 1024

/** A command hook as settings give it. Project hooks reach this point only when their folder is trusted. */
export interface CommandHook {
  readonly event: 'pre_tool' | 'post_tool' | 'post_tool_failure'
  /** A regular expression on the tool's name or id; all of it must match. */
  readonly matcher?: string | undefined
  /** Only for calls that meet this rule. */
  readonly if?: string | undefined
  /** Program and arguments; no shell reads them. */
  readonly command: readonly [string, ...string[]]
  readonly timeoutMs?: number | undefined
  /** What a hook that breaks means; before a tool the call is blocked unless this says otherwise. */
  readonly onFailure?: 'block' | 'continue' | undefined
  /** Runs outside the sandbox; only the person's own file may say so. */
  readonly trusted?: boolean | undefined
}

/** The call that hooks are told about. */
export interface HookCall extends RuleCall {
  readonly session: string
  readonly callId: string
  readonly parentCallId?: string | undefined
  readonly mode: PermissionMode
  readonly cwd: string
  readonly transcriptPath?: string | undefined
  readonly scope: SandboxScope
}

/** What the hooks said together: deny before ask before allow; `input` is what they made of the arguments. */
export interface HookVerdict {
  readonly decision?: 'allow' | 'ask' | 'deny'
  readonly reason?: string
  readonly input?: unknown
  /** Further text for the model. */
  readonly context: readonly string[]
}

const Reply = z.object({
  decision: z.enum(['allow', 'ask', 'deny']).optional(),
  reason: z.string().optional(),
  input: z.json().optional(),
  additional_context: z.string().optional(),
  terminate: z.boolean().optional(),
})
type Reply = z.infer<typeof Reply>

export interface HookRunnerOptions {
  readonly supervisor: Supervisor
  readonly sandbox: Sandbox
  /** The hooks that count now, the person's before the project's. */
  hooks(): readonly CommandHook[]
  toolset?: ToolsetName
}

/** Runs command hooks one after the other (PERM-21). Before a tool it fails closed: a hook that breaks blocks the call. */
export class HookRunner {
  readonly #options: HookRunnerOptions

  constructor(options: HookRunnerOptions) {
    this.#options = options
  }

  /** Asks the `pre_tool` hooks. A deny ends it at once; changed arguments are what the next hook sees. */
  async preTool(call: HookCall, signal: AbortSignal): Promise<HookVerdict> {
    let verdict: HookVerdict = { context: [] }
    let input: unknown = call.args
    for (const hook of this.#options.hooks()) {
      if (hook.event !== 'pre_tool' || !concerns(hook, { ...call, args: input })) continue
      const reply = await this.#ask(hook, { ...payload(call, 'pre_tool'), input }, call, signal)
      if (reply.decision === 'deny')
        return { ...verdict, decision: 'deny', reason: reply.reason ?? 'A hook denied it.' }
      if (reply.input !== undefined) input = reply.input
      verdict = merged(verdict, reply)
    }
    return input === call.args ? verdict : { ...verdict, input }
  }

  /** Tells the `post_tool` or `post_tool_failure` hooks what came out. A failing hook changes nothing. */
  async postTool(
    call: HookCall,
    result: { output: string; isError: boolean },
    signal: AbortSignal,
  ): Promise<{ context: readonly string[] }> {
    const event = result.isError ? 'post_tool_failure' : 'post_tool'
    const context: string[] = []
    for (const hook of this.#options.hooks()) {
      if (hook.event !== event || !concerns(hook, call)) continue
      const message = { ...payload(call, event), input: call.args, output: result.output, is_error: result.isError }
      const reply = await this.#ask(hook, message, call, signal)
      if (reply.additional_context !== undefined) context.push(reply.additional_context)
      if (reply.decision === 'deny' && reply.reason !== undefined) context.push(reply.reason)
    }
    return { context }
  }

  async #ask(hook: CommandHook, message: object, call: HookCall, signal: AbortSignal): Promise<Reply> {
    const blocks = (hook.onFailure ?? (hook.event === 'pre_tool' ? 'block' : 'continue')) === 'block'
    const failed = (why: string): Reply =>
      blocks ? { decision: 'deny', reason: `The hook ${hook.command[0]} ${why}, so the call is blocked.` } : {}
    try {
      const outcome = await this.#run(hook, `${JSON.stringify(message)}\n`, call, signal)
      return readOutcome(outcome, failed)
    } catch (failure) {
      return failed(`could not be run (${failure instanceof Error ? failure.message : String(failure)})`)
    }
  }

  async #run(hook: CommandHook, input: string, call: HookCall, signal: AbortSignal): Promise<Outcome> {
    const [file, ...args] = hook.command
    const command = { file, args, env: childEnvironment(), cwd: call.cwd }
    const tier = hook.trusted === true ? 'off' : call.scope.tier
    const wrapped = await this.#options.sandbox.wrap(command, { ...call.scope, tier })
    const { file: program, args: words, env, namespaced } = wrapped
    const process = this.#options.supervisor.start({
      file: program,
      args: words,
      env,
      namespaced,
      cwd: call.cwd,
      input,
      separate: true,
      signal,
      timeoutMs: Math.min(hook.timeoutMs ?? DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS),
    })
    const outcome = await process.finished
    await wrapped.release()
    return outcome
  }
}

function concerns(hook: CommandHook, call: RuleCall): boolean {
  if (hook.matcher !== undefined && !nameMatches(hook.matcher, call)) return false
  if (hook.if === undefined) return true
  const parsed = parseRule({ kind: 'ask', text: hook.if, source: 'user' })
  // A condition that can't be read holds nobody back from asking the hook.
  if ('problem' in parsed) return true
  return judgeRules({ deny: [], ask: [parsed.rule], allow: [], problems: [] }, call).ask !== undefined
}

function nameMatches(matcher: string, call: RuleCall): boolean {
  try {
    const expression = new RegExp(`^(?:${matcher})$`)
    return expression.test(call.tool) || expression.test(call.canonical)
  } catch {
    return true
  }
}

function payload(call: HookCall, event: string): Record<string, unknown> {
  return {
    event,
    session_id: call.session,
    transcript_path: call.transcriptPath ?? null,
    cwd: call.cwd,
    mode: call.mode,
    toolset: call.toolset,
    tool: call.tool,
    canonical_tool: call.canonical,
    call_id: call.callId,
    ...(call.parentCallId !== undefined && { parent_call_id: call.parentCallId }),
    timestamp: new Date().toISOString(),
  }
}

function readOutcome(outcome: Outcome, failed: (why: string) => Reply): Reply {
  const { ended, exitCode } = outcome
  if (ended === 'timeout') return failed('did not answer in time')
  if (ended !== 'exited') return failed(outcome.problem ?? 'was stopped')
  if (exitCode === 2) {
    const complaint = outcome.errors.trim().slice(0, COMPLAINT_CHARACTERS)
    return { decision: 'deny', reason: complaint === '' ? 'A hook denied it.' : complaint }
  }
  if (exitCode !== 0) return failed(`ended with ${exitCode === null ? outcome.signal : `exit code ${exitCode}`}`)
  const text = outcome.output.head.trim()
  if (text === '') return {}
  if (outcome.output.characters > ANSWER_CHARACTERS) return failed('answered with more than 64 KiB')
  return readReply(text) ?? failed('gave an answer that is not understood')
}

function readReply(text: string): Reply | undefined {
  // A hook may simply print something; only what looks like an answer must be one.
  if (!text.startsWith('{')) return {}
  try {
    const parsed = Reply.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}

function merged(verdict: HookVerdict, reply: Reply): HookVerdict {
  const context =
    reply.additional_context === undefined ? verdict.context : [...verdict.context, reply.additional_context]
  const stronger = reply.decision === 'ask' || (reply.decision === 'allow' && verdict.decision === undefined)
  if (!stronger || reply.decision === undefined || (verdict.decision === 'ask' && reply.decision === 'ask'))
    return { ...verdict, context }
  return { ...verdict, context, decision: reply.decision, ...(reply.reason !== undefined && { reason: reply.reason }) }
}
