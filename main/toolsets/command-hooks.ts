import { canonicalOf } from '../permissions/canonical'
import type { CommandHook, HookCall, HookRunner } from '../permissions/hook-runner'
import type { JudgedCall } from './calls'
import type { ToolResult } from './define'
import type { HookDecision, Hooks } from './hooks'

export interface CommandHooksParts {
  /** The hooks that count in the session's folder now, the person's before the project's. */
  load(cwd: string): Promise<readonly CommandHook[]>
  runner(hooks: readonly CommandHook[]): HookRunner
  home: string
}

/** The command hooks of the settings, around every call (PERM-21). Without hooks nothing is started. */
export class CommandHooks implements Hooks {
  readonly #parts: CommandHooksParts

  constructor(parts: CommandHooksParts) {
    this.#parts = parts
  }

  async before(call: JudgedCall, signal: AbortSignal): Promise<HookDecision> {
    const hooks = await this.#parts.load(call.context.session.cwd)
    if (!hooks.some((hook) => hook.event === 'pre_tool')) return {}
    const verdict = await this.#parts.runner(hooks).preTool(this.#hookCall(call), signal)
    if (verdict.decision === 'deny') return { deny: verdict.reason ?? 'A hook denied it.' }
    return {
      allow: verdict.decision === 'allow',
      ...(verdict.decision === 'ask' && { ask: verdict.reason ?? 'a hook asks' }),
      ...('input' in verdict && { args: verdict.input }),
    }
  }

  async after(call: JudgedCall, result: ToolResult, signal: AbortSignal): Promise<void> {
    const hooks = await this.#parts.load(call.context.session.cwd)
    if (!hooks.some((hook) => hook.event !== 'pre_tool')) return
    const output = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    const told = { output, isError: result.failure !== undefined }
    const { context } = await this.#parts.runner(hooks).postTool(this.#hookCall(call), told, signal)
    if (context.length > 0) result.content.push({ type: 'text', text: context.join('\n') })
  }

  #hookCall(call: JudgedCall): HookCall {
    const { session, callId, parent } = call.context
    return {
      toolset: session.toolset,
      tool: call.tool.name,
      canonical: canonicalOf(session.toolset, call.tool.name),
      args: call.bound.args,
      touches: call.touches,
      commandLine: call.touches.find((touch) => touch.kind === 'run')?.target,
      roots: session.roots,
      home: this.#parts.home,
      session: session.id,
      callId,
      parentCallId: parent,
      mode: session.mode,
      cwd: session.cwd,
      scope: { tier: session.sandbox, roots: session.roots, temporaryFolder: session.temporaryFolder },
    }
  }
}
