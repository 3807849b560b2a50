import { resolve } from 'node:path'
import type { PermissionMode, ToolsetName } from '../../preload/contract/ids'
import type { Checkpoints, RestorePlan } from '../editing/checkpoints'
import { FileMoved } from '../editing/mutation'
import type { SnapshotStores } from '../editing/snapshots'
import type { Clock } from '../platform/clock'
import { PlumblineError } from '../platform/errors'
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
  /** Keeps the project's files before a turn, as far as that is not felt. */
  checkpoints?: Pick<Checkpoints, 'beforePrompt' | 'planRewind' | 'restore'>
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

  /** Keeps the project as it is before a turn may change it. Never fails: the turn goes on without. */
  async beforeTurn(turn: number, signal: AbortSignal): Promise<void> {
    const { checkpoints, scope } = this.#parts
    if (scope.mode === 'plan' || scope.sandbox === 'read-only') return
    await checkpoints?.beforePrompt(scope, turn, signal).catch(() => undefined)
  }

  /** What putting the files back to before a turn would change. Throws `not_found` where nothing was kept then. */
  async rewindPreview(turn: number, signal: AbortSignal): Promise<RestorePlan> {
    const { checkpoints, scope } = this.#parts
    if (checkpoints === undefined) throw new PlumblineError('not_supported', 'No checkpoints are kept here.')
    return checkpoints.planRewind(scope, turn, signal)
  }

  /** Puts the files of a preview back and journals it; undo takes it back. Throws `conflict` when one changed since. */
  async rewind(plan: RestorePlan, signal: AbortSignal): Promise<void> {
    const { checkpoints, scope, emit } = this.#parts
    if (checkpoints === undefined) throw new PlumblineError('not_supported', 'No checkpoints are kept here.')
    const { entry, files } = await checkpoints.restore(plan, scope, 'rewind', signal).catch((failure: unknown) => {
      if (!(failure instanceof FileMoved)) throw failure
      throw new PlumblineError('conflict', 'A file changed after the preview. Nothing was written; look again.', {
        cause: failure,
      })
    })
    emit({ type: 'files.restored', entry, files: [...files] })
  }

  dispose(): Promise<void> {
    return this.#parts.release()
  }
}
