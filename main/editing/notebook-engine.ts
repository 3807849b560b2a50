import { lstat } from 'node:fs/promises'
import type { ChangedFile, Touch } from '../../preload/contract/effects'
import { isSystemError, PlumblineError, toFailure } from '../platform/errors'
import { newId } from '../platform/ids'
import { type PathAuthority, type ResolvedPath, touch } from '../workspace/path-authority'
import { changedFile, type EditingScope } from './editing-scope'
import { type FileMutator, targetUnreadable } from './file-mutator'
import { keepBytes } from './keep-bytes'
import { countLines } from './line-counts'
import { CommitFailed, type Mutation } from './mutation'
import { type EditedNotebook, editNotebook, type NotebookEdit } from './notebook'
import { rememberWhole } from './remember-edit'
import type { SnapshotStores } from './snapshots'
import { decodeTextFile } from './text-file'
import type { UndoJournal } from './undo-journal'

export interface NotebookPolicy {
  readonly tool: string
  /** Largest file in bytes. */
  readonly maxFileBytes: number
  /** Undo takes these changes back as well (decision 6). */
  readonly undoable: boolean
}

export interface NotebookPlan {
  readonly resolved: ResolvedPath
  readonly mutation: Mutation & { kind: 'modify' }
  readonly edited: EditedNotebook
  readonly files: readonly ChangedFile[]
}

const BOM = '\uFEFF'

/** Edits cells of notebooks (EDIT-74) on the same locks, checks and journal as every other change of a file. */
export class NotebookEngine {
  readonly #parts: { paths: PathAuthority; stores: SnapshotStores; mutator: FileMutator; journal: UndoJournal }

  constructor(parts: { paths: PathAuthority; stores: SnapshotStores; mutator: FileMutator; journal: UndoJournal }) {
    this.#parts = parts
  }

  async targets(given: string, scope: EditingScope): Promise<Touch[]> {
    return [touch('write', await this.#parts.paths.resolve(given, scope))]
  }

  /** Reads and computes only. Throws as `editNotebook` does, and where the file is no place for an edit. */
  async prepare(given: string, edit: NotebookEdit, policy: NotebookPolicy, scope: EditingScope): Promise<NotebookPlan> {
    const resolved = await this.#parts.paths.resolve(given, scope)
    const before = await this.#read(resolved, policy)
    // Strict decoding, so that encoding gives the same bytes outside of the cell.
    decodeTextFile(before, resolved.display)
    const raw = new TextDecoder('utf-8', { ignoreBOM: true }).decode(before)
    const mark = raw.startsWith(BOM) ? BOM : ''
    const edited = editNotebook(raw.slice(mark.length), edit, resolved.display)
    const after = new TextEncoder().encode(mark + edited.text)
    const mutation = { kind: 'modify', path: resolved.real, before, after } as const
    const [old, now] = await Promise.all([keepBytes(scope.blobs, before), keepBytes(scope.blobs, after)])
    const refs = { before: old, after: now }
    const files = [changedFile({ path: resolved.real, kind: 'modify', ...refs }, countLines(before, after), scope)]
    return { resolved, mutation, edited, files }
  }

  /** Writes exactly what was planned. Throws `FileMoved` when the file changed since. */
  async commit(
    plan: NotebookPlan,
    policy: NotebookPolicy,
    scope: EditingScope,
  ): Promise<{ entry: string; files: ChangedFile[] }> {
    const store = this.#parts.stores.of(scope.id)
    const { resolved, mutation } = plan
    try {
      const changes = await this.#parts.mutator.commit([mutation], scope.blobs, (change) =>
        rememberWhole(store, resolved.real, change.reread ?? mutation.after, 'as before'),
      )
      const entry = policy.undoable ? this.#parts.journal.record(scope.id, policy.tool, changes) : newId('u')
      return { entry, files: [...plan.files] }
    } catch (failure) {
      if (!(failure instanceof CommitFailed)) throw failure
      const cause: unknown = failure.cause
      if (cause instanceof PlumblineError) throw cause
      const detail = isSystemError(cause) ? `Error code: ${cause.code}` : 'The write failed'
      throw new PlumblineError(toFailure(cause).code, `Could not edit file: ${resolved.display}. ${detail}.`, { cause })
    }
  }

  async #read(resolved: ResolvedPath, policy: NotebookPolicy): Promise<Uint8Array> {
    const { real, display } = resolved
    if (resolved.symlink)
      throw new PlumblineError('not_a_file', `${display} is a symbolic link. Edit the file it leads to instead.`)
    if (resolved.kind === 'directory') throw new PlumblineError('is_directory', `${display} is a directory.`)
    if (resolved.kind === 'other') throw new PlumblineError('not_a_file', `${display} is not a regular file.`)
    try {
      const size = resolved.exists ? (await lstat(real)).size : 0
      if (size > policy.maxFileBytes) {
        throw new PlumblineError(
          'too_large',
          `${display} has ${size} bytes; ${policy.tool} works on files up to ${policy.maxFileBytes}.`,
        )
      }
      const bytes = await this.#parts.mutator.readIfPresent(real)
      if (bytes !== undefined) return bytes
    } catch (failure) {
      if (failure instanceof PlumblineError) throw failure
      throw targetUnreadable(display, failure)
    }
    throw new PlumblineError('not_found', `File not found: ${display}.`)
  }
}
