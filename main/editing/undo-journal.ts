import type { ChangedFile } from '../../preload/contract/effects'
import { PlumblineError } from '../platform/errors'
import { newId } from '../platform/ids'
import { changedFile, type EditingScope, projectPath } from './editing-scope'
import type { FileMutator } from './file-mutator'
import { countLines } from './line-counts'
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

/** What an undo or redo would do: mutations in order, and the entry that they take back. */
export interface UndoPlan {
  readonly entry: UndoEntry
  readonly mutations: readonly Mutation[]
  readonly files: readonly ChangedFile[]
  /** Folders that the call had made and that go when they are empty. */
  readonly folders: readonly string[]
}

/** The changes of each session, newest last, and what was undone of them. */
export class UndoJournal {
  readonly #sessions = new Map<string, { done: UndoEntry[]; undone: UndoEntry[] }>()
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

  /**
   * What undoing the newest entry would write. Throws `not_found` when there is none and `conflict` where a file is no
   * longer what the call left: the two texts and the one from before are blobs of the entry.
   */
  async planUndo(scope: EditingScope): Promise<UndoPlan> {
    const entry = this.newest(scope.id)
    if (entry === undefined) throw new PlumblineError('not_found', 'There is nothing left to undo in this session.')
    const inverses = [...entry.changes].reverse()
    const mutations: Mutation[] = []
    const files: ChangedFile[] = []
    for (const change of inverses) {
      const mutation = await this.#inverse(change, scope)
      mutations.push(mutation)
      files.push(await describe(mutation, scope))
    }
    return { entry, mutations, files, folders: entry.changes.flatMap((change) => change.madeFolders) }
  }

  /** Carries out a plan and drops its entry. Throws `FileMoved` when a file changed since the plan was made. */
  async undo(plan: UndoPlan, scope: EditingScope): Promise<AppliedChange[]> {
    try {
      const applied = await this.#mutator.commit(plan.mutations, scope.blobs, (_change, mutation) =>
        this.#remember(mutation, scope),
      )
      const history = this.#history(scope.id)
      history.done = history.done.filter((entry) => entry.id !== plan.entry.id)
      history.undone.push({ ...plan.entry, changes: applied })
      await this.#mutator.removeFolders(plan.folders)
      return applied
    } catch (failure) {
      if (failure instanceof CommitFailed && failure.cause instanceof FileMoved) throw failure.cause
      throw failure
    }
  }

  /** Forgets a closed session. Its files and blobs stay. */
  release(session: string): void {
    this.#sessions.delete(session)
  }

  #remember(mutation: Mutation, scope: EditingScope): void {
    const store = this.#stores?.of(scope.id)
    if (store === undefined) return
    if (mutation.kind === 'delete') store.forget(mutation.path)
    else rememberWhole(store, mutation.path, mutation.after, 'as before')
    if (mutation.kind === 'move') store.move(mutation.path, mutation.to)
  }

  #history(session: string): { done: UndoEntry[]; undone: UndoEntry[] } {
    const known = this.#sessions.get(session)
    if (known !== undefined) return known
    const made = { done: [], undone: [] }
    this.#sessions.set(session, made)
    return made
  }

  async #inverse(change: AppliedChange, scope: EditingScope): Promise<Mutation> {
    const blob = async (ref: { id: string } | null): Promise<Uint8Array> =>
      ref === null ? new Uint8Array() : scope.blobs.get(ref.id)
    const before = await blob(change.before)
    const after = await blob(change.after)
    const now = await this.#mutator.readIfPresent(change.to ?? change.path)
    const unchanged =
      change.kind === 'delete' ? now === undefined : now !== undefined && Buffer.compare(now, after) === 0
    if (!unchanged) throw conflict(change, scope)
    switch (change.kind) {
      case 'create':
        return { kind: 'delete', path: change.path, before: after }
      case 'modify':
        return { kind: 'modify', path: change.path, before: after, after: before }
      case 'delete':
        return {
          kind: 'create',
          path: change.path,
          after: before,
          ...(change.mode !== undefined && { mode: change.mode }),
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

async function describe(mutation: Mutation, scope: EditingScope): Promise<ChangedFile> {
  const before = mutation.kind === 'create' ? null : mutation.before
  const after = mutation.kind === 'delete' ? null : mutation.after
  const put = async (bytes: Uint8Array | null) => (bytes === null ? null : scope.blobs.put(bytes))
  const shown = { path: mutation.path, kind: mutation.kind, ...(mutation.kind === 'move' && { to: mutation.to }) }
  return changedFile({ ...shown, before: await put(before), after: await put(after) }, countLines(before, after), scope)
}
