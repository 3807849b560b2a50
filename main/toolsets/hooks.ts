import type { JudgedCall } from './calls'
import type { ToolResult } from './define'

/** What the hooks said before a call: the end, or what they allow, want asked, or changed. */
export type HookDecision = { deny: string } | { allow?: boolean; ask?: string; args?: unknown }

/** Command hooks around a call. A hook that fails before a call blocks it. */
export interface Hooks {
  before(call: JudgedCall, signal: AbortSignal): Promise<HookDecision>
  after(call: JudgedCall, result: ToolResult, signal: AbortSignal): Promise<void>
}

export const noHooks: Hooks = {
  before: () => Promise.resolve({}),
  after: () => Promise.resolve(),
}
