import { resolve } from 'node:path'
import type { PermissionMode, ToolsetName } from '../../preload/contract/ids'
import type { SnapshotStores } from '../editing/snapshots'
import type { Clock } from '../platform/clock'
import type { Approver, EmitEvent } from './abilities'
import type { CallOutcome, CallRequest } from './calls'
import type { RegisteredTool, SessionScope } from './define'
import type { SessionGrants } from './grants'
import type { Hooks } from './hooks'
import { CallPipeline } from './pipeline'
import type { ToolRegistry } from './registry'
import { effectStages, type StageParts, targetStages } from './stages'

export interface SessionToolsParts {
  scope: SessionScope
  grants: SessionGrants
  approver: Approver
  emit: EmitEvent
  registry: ToolRegistry
  judging: Omit<StageParts, 'grants'>
  hooks: Hooks
  addRule(rule: string): Promise<void>
  snapshots: SnapshotStores
  clock: Clock
  /** Ends what the session's tools left running and forgets what was kept for it. */
  release(): Promise<void>
}

/** The tools of one session: what is offered in its toolset and mode, and the pipeline behind them. */
export class SessionTools {
  readonly #parts: SessionToolsParts
  readonly #pipeline: CallPipeline

  constructor(parts: SessionToolsParts) {
    this.#parts = parts
    const { scope, registry, grants, approver, emit, hooks, addRule, clock } = parts
    const judging = { ...parts.judging, grants }
    this.#pipeline = new CallPipeline({
      scope,
      find: (name) => registry.find(scope.toolset, scope.mode, name),
      targetStages: targetStages(judging),
      effectStages: effectStages(judging),
      hooks,
      grants,
      approver,
      addRule,
      emit,
      clock,
    })
  }

  list(toolset: ToolsetName, mode: PermissionMode): readonly RegisteredTool[] {
    return this.#parts.registry.list(toolset, mode)
  }

  run(requests: readonly CallRequest[], signal: AbortSignal): Promise<CallOutcome[]> {
    return this.#pipeline.run(requests, signal)
  }

  /** The newest tag of a file; the path starts from the session's folder or is absolute. */
  tagOf(file: string): string | undefined {
    const { scope, snapshots } = this.#parts
    return snapshots.of(scope.id).newest(resolve(scope.cwd, file))?.tag
  }

  dispose(): Promise<void> {
    return this.#parts.release()
  }
}
