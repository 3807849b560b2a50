import type { Ask, Touch } from '../../preload/contract/effects'
import type { ErrorCode, Failure } from '../../preload/contract/errors'
import type { BoundCall, CallContext, PreparedCall, RegisteredTool, ToolContent } from './define'

/** A call as it was asked for: `args` is JSON text from a model, or a value from the terminal program. */
export interface CallRequest {
  id: string
  tool: string
  args: { text: string } | { value: unknown }
  /** The stream ended inside the arguments: such a call is never executed. */
  cutOff?: boolean
  /** The call that made this one (codemode, subagents). */
  parent?: string
}

/** What the caller gets of a call, whatever became of it. */
export interface CallOutcome {
  id: string
  tool: string
  ok: boolean
  /** What the model reads. */
  content: ToolContent[]
  details: unknown
  error?: Failure
}

/** A call with parsed arguments and resolved targets: what rules and hooks judge. */
export interface JudgedCall {
  readonly request: CallRequest
  readonly context: CallContext
  readonly tool: RegisteredTool
  readonly bound: BoundCall
  readonly touches: readonly Touch[]
}

/** A call whose exact effect is known: what the person, grants and the mode judge. */
export interface EffectiveCall extends JudgedCall {
  readonly prepared: PreparedCall
  /** A hook allowed it: the mode's question is left out; ask rules still ask. */
  readonly hookAllows: boolean
  /** A hook wants the person to be asked: its reason. */
  readonly hookAsks: string | undefined
}

/** The verdict of a stage: on to the next, straight to the act, a question first, or the end. */
export type Verdict = { go: true } | { allow: true } | { ask: Ask } | { stop: { code: ErrorCode; message: string } }

export const GO: Verdict = { go: true }

/** A stage is a function of the call, the rules and the mode; stages run in the order of their list. */
export interface Stage<Call> {
  readonly name: string
  check(call: Call): Verdict | Promise<Verdict>
}
