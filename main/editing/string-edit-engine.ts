import { lstat } from 'node:fs/promises'
import type { ChangedFile, Touch } from '../../preload/contract/effects'
import { isSystemError, PlumblineError, toFailure } from '../platform/errors'
import { type PathAuthority, type ResolvedPath, touch } from '../workspace/path-authority'
import { warnings } from './edit-messages'
import { type EditDetails, type EditedSection, editDetails } from './edit-response'
import { changedFile, type EditingScope } from './editing-scope'
import { type FileMutator, targetUnreadable } from './file-mutator'
import { keepBytes } from './keep-bytes'
import { CommitFailed, type Mutation } from './mutation'
import { previewRows } from './preview-rows'
import { rememberEdit, rememberWhole } from './remember-edit'
import type { SnapshotStores } from './snapshots'
import type { Spliced } from './splice'
import { replaceString, type StringEdit } from './string-edit'
import { decodeTextFile, encodeTextFile, type TextFile } from './text-file'
import type { UndoJournal } from './undo-journal'
import { patchFromSplices } from './unified-patch'

export interface StringEditPolicy {
  readonly tool: string
  /** Largest file in bytes (EDIT-04). */
  readonly maxFileBytes: number
}

export interface StringEditPlan {
  readonly resolved: ResolvedPath
  readonly mutation: Mutation & { kind: 'modify' }
  readonly live: TextFile
  readonly spliced: Spliced & { replacements: number }
  readonly edited: EditedSection
  readonly files: readonly ChangedFile[]
}

/** Exact-string edits (EDIT-02): the same core, locks and journal as anchored ones. */
export class StringEditEngine {
  readonly #parts: { paths: PathAuthority; stores: SnapshotStores; mutator: FileMutator; journal: UndoJournal }

  constructor(parts: { paths: PathAuthority; stores: SnapshotStores; mutator: FileMutator; journal: UndoJournal }) {
    this.#parts = parts
  }

  async targets(given: string, scope: EditingScope): Promise<Touch[]> {
    return [touch('write', await this.#parts.paths.resolve(given, scope))]
  }

  /** Reads and computes only. Throws `PlumblineError` where the edit can't be made; then no file is changed. */
  async prepare(
    given: string,
    edit: StringEdit,
    policy: StringEditPolicy,
    scope: EditingScope,
  ): Promise<StringEditPlan> {
    const resolved = await this.#parts.paths.resolve(given, scope)
    const before = await this.#read(resolved, policy)
    const live = decodeTextFile(before, resolved.display)
    const spliced = replaceString(live, edit, resolved.display)
    const after = encodeTextFile(spliced.file)
    if (Buffer.compare(before, after) === 0) {
      throw new PlumblineError('no_change', `The edit would not change ${resolved.display}. Nothing was written.`)
    }
    const mutation = { kind: 'modify', path: resolved.real, before, after } as const
    const edited: EditedSection = {
      display: resolved.display,
      removedFile: false,
      before: live.lines,
      after: spliced.file.lines,
      splices: spliced.splices,
      warnings: [],
      echoes: [],
      repairs: [],
    }
    const { added, removed } = patchFromSplices({ before: '', after: '' }, live.lines, spliced.splices)
    const [old, now] = await Promise.all([keepBytes(scope.blobs, before), keepBytes(scope.blobs, after)])
    const refs = { before: old, after: now }
    const files = [changedFile({ path: resolved.real, kind: 'modify', ...refs }, { added, removed }, scope)]
    return { resolved, mutation, live, spliced, edited, files }
  }

  /** Writes exactly what was planned. Throws `FileMoved` when the file changed since. */
  async commit(
    plan: StringEditPlan,
    policy: StringEditPolicy,
    scope: EditingScope,
  ): Promise<{ preview: string; details: EditDetails; changed: { entry: string; files: ChangedFile[] } }> {
    const { resolved, live, spliced, mutation } = plan
    const store = this.#parts.stores.of(scope.id)
    try {
      const changes = await this.#parts.mutator.commit([mutation], scope.blobs, (change) => {
        const { file: after, splices } = spliced
        rememberEdit(store, resolved.real, { live, after, splices, bytes: mutation.after })
        if (change.reread !== undefined) rememberWhole(store, resolved.real, change.reread, 'as before')
      })
      const rewritten = changes.some((change) => change.reread !== undefined)
      const preview = previewRows(spliced.file.lines, spliced.splices)
      if (!rewritten) store.record(resolved.real, spliced.file.text, preview.shown)
      return {
        preview: rewritten ? warnings.rewritten : preview.text,
        details: editDetails([plan.edited]),
        changed: { entry: this.#parts.journal.record(scope.id, policy.tool, changes), files: [...plan.files] },
      }
    } catch (failure) {
      if (!(failure instanceof CommitFailed)) throw failure
      const cause: unknown = failure.cause
      if (cause instanceof PlumblineError) throw cause
      const detail = isSystemError(cause) ? `Error code: ${cause.code}` : 'The write failed'
      throw new PlumblineError(toFailure(cause).code, `Could not edit file: ${resolved.display}. ${detail}.`, { cause })
    }
  }

  async #read(resolved: ResolvedPath, policy: StringEditPolicy): Promise<Uint8Array> {
    const { real, display } = resolved
    if (resolved.symlink) {
      throw new PlumblineError('not_a_file', `${display} is a symbolic link. Edit the file it leads to instead.`)
    }
    if (resolved.kind === 'missing') {
      throw new PlumblineError('not_found', `File not found: ${display}. Use the write tool to create new files.`)
    }
    if (resolved.kind === 'directory') throw new PlumblineError('is_directory', `${display} is a directory.`)
    if (resolved.kind === 'other') throw new PlumblineError('not_a_file', `${display} is not a regular file.`)
    try {
      const { size } = await lstat(real)
      if (size > policy.maxFileBytes) {
        throw new PlumblineError(
          'too_large',
          `${display} has ${size} bytes; edit works on files up to ${policy.maxFileBytes}.`,
        )
      }
      const bytes = await this.#parts.mutator.readIfPresent(real)
      if (bytes !== undefined) return bytes
    } catch (failure) {
      if (failure instanceof PlumblineError) throw failure
      throw targetUnreadable(display, failure)
    }
    throw new PlumblineError('not_found', `File not found: ${display}. Use the write tool to create new files.`)
  }
}
