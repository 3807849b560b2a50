import type { ChangedFile } from '../../preload/contract/effects'
import { PlumblineError } from '../platform/errors'
import { newId } from '../platform/ids'
import { describeMutation } from './describe-mutation'
import { type EditingScope, projectPath } from './editing-scope'
import type { FileMutator } from './file-mutator'
import { FutureFiles } from './future-files'
import { type AppliedChange, CommitFailed, FileMoved, type Mutation } from './mutation'
import { rememberWhole } from './remember-edit'
import type { SnapshotStores } from './snapshots'

/** Calls that can be taken back, newest kept (EDIT-75). */
const MAX_ENTRIES = 50

/** What one call changed; undone as a whole. */
export interface UndoEntry {
  readonly id: string
  /** The tool that made it, for people. */
  readonly tool: string
  readonly changes: readonly AppliedChange[]
}

/** What an undo or redo would do, found out before anything is written. */
export interface UndoPlan {
  /** The entries that are taken back or done again, in that order. */
  readonly entries: readonly UndoEntry[]
  /** What becomes of each file in the end. */
  readonly files: readonly ChangedFile[]
}

/** How far an undo or redo came. `failure` says why it stopped before the end; each entry is done whole or not at all. */
export interface UndoOutcome {
  readonly done: readonly UndoEntry[]
  readonly failure?: unknown
}

interface History {
  done: UndoEntry[]
  undone: UndoEntry[]
}

/** The changes of each session, newest last, and what was undone of them. */
export class UndoJournal {
  readonly #sessions = new Map<string, History>()
  readonly #mutator: FileMutator
  readonly #stores: SnapshotStores | undefined

  /** With `stores`, a session knows what an undo of its own put back and may write or edit on. */
  constructor(options: { mutator: FileMutator; stores?: SnapshotStores }) {
    this.#mutator = options.mutator
    this.#stores = options.stores
  }

  /** Notes what a call changed and returns the entry's id, for `ToolResult.changed`. */
  record(session: string, tool: string, changes: readonly AppliedChange[]): string {
    const entry = { id: newId('u'), tool, changes }
    const history = this.#history(session)
    history.done.push(entry)
    history.undone = []
    if (history.done.length > MAX_ENTRIES) history.done.shift()
    return entry.id
  }

  /** The newest entry that is not undone. */
  newest(session: string): UndoEntry | undefined {
    return this.#history(session).done.at(-1)
  }

  entries(session: string): readonly UndoEntry[] {
    return this.#history(session).done
  }

  /** What could be done again, newest undo last. */
  undone(session: string): readonly UndoEntry[] {
    return this.#history(session).undone
  }

  /**
   * What undoing the newest `steps` entries would write. Throws `not_found` when there are fewer and `conflict` where a
   * file is no longer what its call left: the two texts and the one from before are blobs of the entry.
   */
  planUndo(scope: EditingScope, steps = 1): Promise<UndoPlan> {
    return this.#plan(this.#history(scope.id).done, scope, steps, 'undo')
  }

  /** As `planUndo` for what was undone last; a new change of the session leaves nothing to do again. */
  planRedo(scope: EditingScope, steps = 1): Promise<UndoPlan> {
    return this.#plan(this.#history(scope.id).undone, scope, steps, 'redo')
  }

  /** Takes the entries of a plan back. Throws `FileMoved` when a file changed since the plan, before anything was done. */
  undo(plan: UndoPlan, scope: EditingScope): Promise<UndoOutcome> {
    const { done, undone } = this.#history(scope.id)
    return this.#carryOut(plan, scope, { from: done, to: undone })
  }

  /** Does the entries of a plan again; otherwise as `undo`. */
  redo(plan: UndoPlan, scope: EditingScope): Promise<UndoOutcome> {
    const { done, undone } = this.#history(scope.id)
    return this.#carryOut(plan, scope, { from: undone, to: done })
  }

  async #plan(
    from: readonly UndoEntry[],
    scope: EditingScope,
    steps: number,
    what: 'undo' | 'redo',
  ): Promise<UndoPlan> {
    const entries = from.slice(-steps).reverse()
    if (entries.length === 0) throw new PlumblineError('not_found', `There is nothing left to ${what} in this session.`)
    if (entries.length < steps) {
      const only = entries.length === 1 ? 'Only one change' : `Only ${entries.length} changes`
      throw new PlumblineError(
        'not_found',
        `${only} can be ${what === 'undo' ? 'undone' : 'done again'}. Nothing was done.`,
      )
    }
    const states = new FutureFiles((file) => this.#mutator.readIfPresent(file))
    for (const entry of entries) {
      for (const change of [...entry.changes].reverse()) {
        const mutation = await this.#inverse(change, scope)
        if (!(await states.apply(mutation))) throw conflict(change, scope)
      }
    }
    const files: ChangedFile[] = []
    for (const mutation of states.mutations()) files.push(await describeMutation(mutation, scope))
    return { entries, files }
  }

  async #carryOut(
    plan: UndoPlan,
    scope: EditingScope,
    stacks: { from: UndoEntry[]; to: UndoEntry[] },
  ): Promise<UndoOutcome> {
    const done: UndoEntry[] = []
    for (const entry of plan.entries) {
      try {
        if (!stacks.from.includes(entry)) throw new PlumblineError('conflict', 'This change was taken back meanwhile.')
        const changes = await this.#takeBack(entry, scope)
        stacks.from.splice(stacks.from.indexOf(entry), 1)
        stacks.to.push({ ...entry, changes })
        done.push(entry)
      } catch (failure) {
        const cause = failure instanceof CommitFailed && failure.cause instanceof FileMoved ? failure.cause : failure
        if (done.length === 0) throw cause
        return { done, failure: cause }
      }
    }
    if (stacks.to.length > MAX_ENTRIES) stacks.to.splice(0, stacks.to.length - MAX_ENTRIES)
    return { done }
  }

  async #takeBack(entry: UndoEntry, scope: EditingScope): Promise<AppliedChange[]> {
    const mutations: Mutation[] = []
    for (const change of [...entry.changes].reverse()) mutations.push(await this.#inverse(change, scope))
    const applied = await this.#mutator.commit(mutations, scope.blobs, (_change, mutation) =>
      this.remember(mutation, scope),
    )
    await this.#mutator.removeFolders(entry.changes.flatMap((change) => change.madeFolders))
    return applied
  }

  /** Forgets a closed session. Its files and blobs stay. */
  release(session: string): void {
    this.#sessions.delete(session)
  }

  /** Lets the session know what was put back, so that it may write or edit on. Called under the files' locks. */
  remember(mutation: Mutation, scope: EditingScope): void {
    const store = this.#stores?.of(scope.id)
    if (store === undefined) return
    if (mutation.kind === 'delete') store.forget(mutation.path)
    else rememberWhole(store, mutation.path, mutation.after, 'as before')
    if (mutation.kind === 'move') store.move(mutation.path, mutation.to)
  }

  #history(session: string): History {
    const known = this.#sessions.get(session)
    if (known !== undefined) return known
    const made: History = { done: [], undone: [] }
    this.#sessions.set(session, made)
    return made
  }

  async #inverse(change: AppliedChange, scope: EditingScope): Promise<Mutation> {
    const blob = async (ref: { id: string } | null): Promise<Uint8Array> =>
      ref === null ? new Uint8Array() : scope.blobs.get(ref.id)
    const before = await blob(change.before)
    const after = await blob(change.after)
    switch (change.kind) {
      case 'create':
        return { kind: 'delete', path: change.path, before: after }
      case 'modify':
        return {
          kind: 'modify',
          path: change.path,
          before: after,
          after: before,
          ...(change.mode !== undefined && { mode: change.mode }),
        }
      case 'delete': {
        const mode = change.mode === undefined ? {} : { mode: change.mode }
        return { kind: 'create', path: change.path, after: before, ...mode }
      }
      case 'move':
        return { kind: 'move', path: change.to ?? change.path, to: change.path, before: after, after: before }
    }
  }
}

function conflict(change: AppliedChange, scope: EditingScope): PlumblineError {
  const path = projectPath(change.to ?? change.path, scope)
  return new PlumblineError(
    'conflict',
    `${path} is not what the call left: somebody changed it since. Nothing was undone. Look at the file and undo by hand what should go.`,
    { context: { path, before: change.before, left: change.after } },
  )
}
