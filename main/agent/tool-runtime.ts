import type { PermissionMode, ToolsetName } from '../../preload/contract/ids'
import type { Approver, EmitEvent } from '../toolsets/abilities'
import type { CallOutcome, CallRequest } from '../toolsets/calls'
import type { RegisteredTool, SessionScope } from '../toolsets/define'
import type { SessionGrants } from '../toolsets/grants'

/** The tools of one session: what the model is offered, and the pipeline that its calls go through. */
export interface ToolRuntime {
  /** The tools that the model sees in this toolset and mode. */
  list(toolset: ToolsetName, mode: PermissionMode): readonly RegisteredTool[]
  run(requests: readonly CallRequest[], signal: AbortSignal): Promise<CallOutcome[]>
  /** The newest tag of a file that this session has read or written. */
  tagOf(path: string): string | undefined
  /** Keeps the project's files before a turn may change them; never fails. */
  beforeTurn?(turn: number, signal: AbortSignal): Promise<void>
  /** Stops what the session's tools left running. */
  dispose(): Promise<void>
}

/** Makes the runtime for a session; `services.ts` injects it, since it news the engines. */
export type ToolRuntimeFactory = (parts: {
  scope: SessionScope
  grants: SessionGrants
  approver: Approver
  emit: EmitEvent
}) => ToolRuntime
