import { lstat } from 'node:fs/promises'
import type { ChangedFile, Touch } from '../../preload/contract/effects'
import { isSystemError, PlumblineError } from '../platform/errors'
import type { BlockResolver } from '../syntax/block-resolver'
import { type PathAuthority, type ResolvedPath, touch } from '../workspace/path-authority'
import { foldPath, pathRules } from '../workspace/path-rules'
import type { RepairPolicy } from './apply-section'
import { refusals, warnings } from './edit-messages'
import { type EditDetails, type EditedSection, editDetails, noOpText, sectionText } from './edit-response'
import { changedFile, type EditingScope } from './editing-scope'
import type { FileMutator } from './file-mutator'
import { keepBytes } from './keep-bytes'
import { compareLines } from './line-counts'
import { type AppliedChange, CommitFailed, type FileMoved, type Mutation } from './mutation'
import { NoOpCounter } from './no-op-counter'
import type { PatchRules, Section } from './patch'
import { parsePatch } from './patch-parser'
import { type SectionPlan, SectionPlanner, type SectionRules } from './plan-section'
import { rememberEdit, rememberWhole } from './remember-edit'
import { digestOf, type SnapshotStore, type SnapshotStores } from './snapshots'
import { decodeTextFile, encodeTextFile, type TextFile } from './text-file'
import type { UndoJournal } from './undo-journal'
import { patchFromSplices } from './unified-patch'

/** How one toolset's edit differs from another's. */
export interface EditPolicy extends PatchRules, SectionRules {
  /** The tool's name, for the undo journal. */
  readonly tool: string
  /** Largest file, before and after, in bytes. */
  readonly maxFileBytes: number
  /** A path whose last part is a link is edited where it leads; else it is refused (WRITE-06). */
  readonly followLinks: boolean
  /** A relative path may leave the working folder where the session reaches further. */
  readonly relativeMayEscape: boolean
  /** Answers say how line numbers moved. */
  readonly renumber: boolean
}

/** The exact effect of a patch: what will be written where, computed from bytes that `commit` checks again. */
export interface EditPlan {
  readonly sections: readonly PlannedEdit[]
  /** For the approval. Empty when nothing would change. */
  readonly files: readonly ChangedFile[]
  readonly warnings: readonly string[]
}

interface PlannedEdit {
  readonly section: Section
  readonly resolved: ResolvedPath
  readonly live: TextFile
  readonly plan: SectionPlan
  /** Undefined where the result equals the file. */
  readonly mutation: Mutation | undefined
  readonly edited: EditedSection
}

/** What an edit answers. `failure` is set where the answer is an error although something may be written. */
export interface EditOutcome {
  readonly text: string
  readonly details: EditDetails
  readonly changed?: { entry: string; files: ChangedFile[] }
  readonly failure?: { code: 'no_change' | 'io'; message: string }
}

export interface EditEngineParts {
  readonly paths: PathAuthority
  readonly stores: SnapshotStores
  readonly mutator: FileMutator
  readonly journal: UndoJournal
  /** Without one, block operations are refused (EDIT-42). */
  readonly blocks?: BlockResolver
  /** What the settings say of repairs; it goes before the policy's own. */
  readonly repairs?: () => RepairPolicy | undefined
}

/** Anchored edits in both vocabularies on one core (EDIT-01): prepare reads and computes, commit verifies and writes. */
export class EditEngine {
  readonly #parts: EditEngineParts
  readonly #noOps = new WeakMap<SnapshotStore, NoOpCounter>()

  constructor(parts: EditEngineParts) {
    this.#parts = parts
  }

  /** What the patch touches, without reading contents. Throws what the parser and the path authority throw. */
  async targets(input: string, policy: EditPolicy, scope: EditingScope): Promise<Touch[]> {
    const touches: Touch[] = []
    for (const section of parsePatch(input, policy)) {
      const resolved = await this.#resolve(section.path, policy, scope)
      touches.push(touch(section.remove === undefined ? 'write' : 'delete', resolved))
      if (section.move !== undefined) touches.push(touch('write', await this.#resolve(section.move.to, policy, scope)))
    }
    return touches
  }

  /**
   * Computes every section's exact result before anything is written (EDIT-15). Throws `PlumblineError` with the
   * contract's message; then no file is changed. `merged` is how many parallel calls the patch came from.
   */
  async prepare(
    input: string,
    policy: EditPolicy,
    scope: EditingScope,
    options: { merged?: number; signal?: AbortSignal } = {},
  ): Promise<EditPlan> {
    const sections = parsePatch(input, policy)
    const targets: { section: Section; resolved: ResolvedPath }[] = []
    for (const section of sections) {
      targets.push({ section, resolved: await this.#resolve(section.path, policy, scope) })
    }
    refuseAliases(targets)
    const planned: PlannedEdit[] = []
    for (const { section, resolved } of targets) {
      options.signal?.throwIfAborted()
      planned.push(await this.#planFile(section, resolved, policy, scope, options.merged ?? 1))
    }
    const idle = planned.find((edit) => edit.mutation === undefined)
    if (idle !== undefined && planned.some((edit) => edit.mutation !== undefined)) {
      throw new PlumblineError('no_change', refusals.noOp(idle.resolved.display))
    }
    const files: ChangedFile[] = []
    const described = planned.map(async (edit) => edit.mutation && this.#describe(edit, edit.mutation, scope))
    for (const file of await Promise.all(described)) if (file !== undefined) files.push(file)
    return { sections: planned, files, warnings: planned.flatMap((edit) => edit.edited.warnings) }
  }

  /** Writes exactly what was planned. Throws `FileMoved` when a file changed since; then nothing was written. */
  async commit(plan: EditPlan, policy: EditPolicy, scope: EditingScope): Promise<EditOutcome> {
    const store = this.#parts.stores.of(scope.id)
    const writes = plan.sections.flatMap((edit) => (edit.mutation ? [{ edit, mutation: edit.mutation }] : []))
    if (writes.length === 0) return this.#answerNoOp(plan, store)
    const changes: AppliedChange[] = []
    try {
      await this.#parts.mutator.commit(
        writes.map((write) => write.mutation),
        scope.blobs,
        (change, _mutation, index) => {
          changes.push(change)
          const edit = writes[index]?.edit
          if (edit !== undefined) this.#settle(edit, change, store)
        },
      )
    } catch (failure) {
      if (!(failure instanceof CommitFailed)) throw failure
      return this.#answerFailure(failure, plan, changes, policy, scope)
    }
    const edited = writes.map((write) => write.edit)
    const text = edited.map((edit, index) => this.#sectionText(edit, changes[index], store, policy)).join('\n\n')
    return {
      text,
      details: editDetails(edited.map((edit) => edit.edited)),
      changed: this.#journal(plan, changes, policy, scope),
    }
  }

  async #resolve(path: string, policy: EditPolicy, scope: EditingScope): Promise<ResolvedPath> {
    return this.#parts.paths.resolve(path, scope, { relativeMayEscape: policy.relativeMayEscape })
  }

  async #planFile(
    section: Section,
    resolved: ResolvedPath,
    policy: EditPolicy,
    scope: EditingScope,
    merged: number,
  ): Promise<PlannedEdit> {
    const { real, display } = resolved
    const bytes = await this.#read(resolved, policy)
    const file = decodeTextFile(bytes, display)
    // Most edits change something: the disk may start while the effect is computed.
    if (section.hunks.length > 0) keepBytes(scope.blobs, bytes).catch(() => undefined)
    const store = this.#parts.stores.of(scope.id)
    const repairs = this.#parts.repairs?.() ?? policy.repairs
    const planner = new SectionPlanner(store, this.#parts.blocks, { ...policy, repairs })
    const plan = await named(display, () => planner.plan(section, { real, display, file }))
    const after = encodeTextFile(plan.file)
    if (after.byteLength > policy.maxFileBytes) {
      throw new PlumblineError('too_large', refusals.resultTooLarge(display, policy.maxFileBytes))
    }
    const moved =
      section.move === undefined ? undefined : await this.#destination(section.move.to, resolved, policy, scope)
    const mutation = mutationOf(section, real, moved, bytes, after)
    const batch = merged > 1 ? [warnings.batch(merged)] : []
    const edited: EditedSection = {
      display: moved?.display ?? display,
      ...(moved !== undefined && { from: display }),
      removedFile: section.remove !== undefined,
      before: file.lines,
      after: plan.file.lines,
      splices: section.remove === undefined ? plan.splices : [],
      warnings: [...plan.warnings, ...batch],
      echoes: plan.echoes,
      repairs: plan.repairs,
    }
    return { section, resolved, live: file, plan, mutation, edited }
  }

  async #read(resolved: ResolvedPath, policy: EditPolicy): Promise<Uint8Array> {
    const { real, display } = resolved
    if (resolved.symlink && !policy.followLinks) throw new PlumblineError('not_a_file', refusals.link(display))
    if (resolved.kind === 'missing') throw new PlumblineError('not_found', refusals.notFound(display))
    if (resolved.kind === 'directory') {
      throw new PlumblineError('is_directory', refusals.couldNotEdit(display, 'It is a directory'))
    }
    if (resolved.kind === 'other') {
      throw new PlumblineError('not_a_file', refusals.couldNotEdit(display, 'It is not a regular file'))
    }
    try {
      const { size } = await lstat(real)
      if (size > policy.maxFileBytes) {
        throw new PlumblineError('too_large', refusals.tooLarge(display, size, policy.maxFileBytes))
      }
      const bytes = await this.#parts.mutator.readIfPresent(real)
      if (bytes === undefined) throw new PlumblineError('not_found', refusals.notFound(display))
      return bytes
    } catch (failure) {
      if (!isSystemError(failure) || failure instanceof PlumblineError) throw failure
      throw new PlumblineError('access_denied', refusals.couldNotEdit(display, `Error code: ${failure.code}`), {
        cause: failure,
      })
    }
  }

  async #destination(to: string, from: ResolvedPath, policy: EditPolicy, scope: EditingScope): Promise<ResolvedPath> {
    const resolved = await this.#resolve(to, policy, scope)
    if (resolved.real === from.real) throw new PlumblineError('edit_rejected', refusals.moveSame(from.display))
    if (resolved.exists || resolved.symlink) {
      throw new PlumblineError('conflict', refusals.moveTaken(from.display, resolved.display))
    }
    return resolved
  }

  async #describe(edit: PlannedEdit, mutation: Mutation, scope: EditingScope): Promise<ChangedFile> {
    const keep = async (bytes: Uint8Array | null) => (bytes === null ? null : keepBytes(scope.blobs, bytes))
    const [before, after] = await Promise.all([
      keep(mutation.kind === 'create' ? null : mutation.before),
      keep(mutation.kind === 'delete' ? null : mutation.after),
    ])
    const to = mutation.kind === 'move' ? { to: mutation.to } : {}
    return changedFile({ path: mutation.path, kind: mutation.kind, ...to, before, after }, countsOf(edit), scope)
  }

  /** Brings the session's memory to what is on disk now. Runs under the file's lock. */
  #settle(edit: PlannedEdit, change: AppliedChange, store: SnapshotStore): void {
    const { real } = edit.resolved
    this.#noOpsOf(store).reset(real)
    if (change.kind === 'delete') {
      store.forget(real)
      return
    }
    const { plan, live } = edit
    const bytes =
      edit.mutation !== undefined && 'after' in edit.mutation ? edit.mutation.after : encodeTextFile(plan.file)
    rememberEdit(store, real, { live, after: plan.file, splices: plan.splices, bytes })
    if (change.reread !== undefined) rememberWhole(store, real, change.reread, 'as before')
    if (change.to !== undefined) store.move(real, change.to)
  }

  #sectionText(edit: PlannedEdit, change: AppliedChange | undefined, store: SnapshotStore, policy: EditPolicy): string {
    const real = change?.to ?? edit.resolved.real
    const notes = change?.durable === false ? [warnings.undurable] : []
    const there = landed(edit, change)
    const rendered = sectionText(
      { ...there.edited, warnings: [...there.edited.warnings, ...notes] },
      edit.edited.removedFile ? undefined : store.tagOf(real, there.text),
      policy.renumber,
    )
    if (!edit.edited.removedFile) store.record(real, there.text, rendered.shown)
    return rendered.text
  }

  #journal(
    plan: EditPlan,
    changes: readonly AppliedChange[],
    policy: EditPolicy,
    scope: EditingScope,
  ): { entry: string; files: ChangedFile[] } {
    return {
      entry: this.#parts.journal.record(scope.id, policy.tool, changes),
      files: plan.files.slice(0, changes.length),
    }
  }

  #answerNoOp(plan: EditPlan, store: SnapshotStore): EditOutcome {
    const counter = this.#noOpsOf(store)
    const texts: string[] = []
    let stop = false
    for (const { section, resolved } of plan.sections) {
      const payload = digestOf(JSON.stringify([section.tag, section.hunks.map(({ line: _line, ...hunk }) => hunk)]))
      const count = counter.count(resolved.real, payload)
      stop ||= count >= 3
      texts.push(noOpText(resolved.display, count))
    }
    const text = texts.join('\n\n')
    return { text, details: editDetails([]), ...(stop && { failure: { code: 'no_change' as const, message: text } }) }
  }

  #answerFailure(
    failure: CommitFailed,
    plan: EditPlan,
    changes: readonly AppliedChange[],
    policy: EditPolicy,
    scope: EditingScope,
  ): EditOutcome {
    const cause: unknown = failure.cause
    const names = plan.sections.map((edit) => edit.resolved.display)
    const message = cause instanceof Error ? `${cause.message.replace(/\.$/, '')}.` : String(cause)
    const written = names.slice(0, failure.index)
    const unwritten = names.length > 1 ? names.slice(failure.index) : []
    const text = refusals.writeFailed(names[failure.index] ?? '', message, written, unwritten)
    const details = editDetails(plan.sections.slice(0, failure.index).map((edit) => edit.edited))
    return {
      text,
      details,
      failure: { code: 'io', message: text },
      ...(changes.length > 0 && { changed: this.#journal(plan, changes, policy, scope) }),
    }
  }

  #noOpsOf(store: SnapshotStore): NoOpCounter {
    const known = this.#noOps.get(store)
    if (known !== undefined) return known
    const made = new NoOpCounter()
    this.#noOps.set(store, made)
    return made
  }
}

/** The words for a file that changed between prepare and commit, every time it was tried (EDIT-37). */
export function movedMessage(plan: EditPlan, moved: FileMoved): string {
  const edit = plan.sections.find((candidate) => candidate.resolved.real === moved.path)
  return refusals.changedBeforeWrite(edit?.resolved.display ?? moved.path)
}

/** What an answer is about: the planned text, or what another program made of it right after the write. */
function landed(edit: PlannedEdit, change: AppliedChange | undefined): { edited: EditedSection; text: string } {
  const planned = { edited: edit.edited, text: edit.plan.file.text }
  if (change?.reread === undefined) return planned
  try {
    const { lines, text } = decodeTextFile(change.reread, edit.edited.display)
    const splices = compareLines(edit.live.lines, lines)
    const said = [...edit.edited.warnings, warnings.rewritten]
    return { edited: { ...edit.edited, after: lines, splices, warnings: said }, text }
  } catch {
    return { ...planned, edited: { ...edit.edited, warnings: [...edit.edited.warnings, warnings.rewritten] } }
  }
}

function mutationOf(
  section: Section,
  path: string,
  moved: ResolvedPath | undefined,
  before: Uint8Array,
  after: Uint8Array,
): Mutation | undefined {
  if (section.remove !== undefined) return { kind: 'delete', path, before }
  if (moved !== undefined) return { kind: 'move', path, to: moved.real, before, after }
  return Buffer.compare(before, after) === 0 ? undefined : { kind: 'modify', path, before, after }
}

function countsOf(edit: PlannedEdit): { added: number; removed: number } {
  if (edit.edited.removedFile) return { added: 0, removed: edit.live.lines.length }
  const { added, removed } = patchFromSplices({ before: '', after: '' }, edit.live.lines, edit.plan.splices)
  return { added, removed }
}

function refuseAliases(targets: readonly { section: Section; resolved: ResolvedPath }[]): void {
  const known = new Map<string, string>()
  const rules = pathRules()
  for (const { section, resolved } of targets) {
    const key = foldPath(resolved.real, rules)
    const first = known.get(key)
    if (first !== undefined) throw new PlumblineError('edit_rejected', refusals.sameFile(first, section.path))
    known.set(key, section.path)
  }
}

/** Puts the file's name in front of messages that have none of their own. */
async function named<Result>(display: string, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (failure) {
    if (!(failure instanceof PlumblineError) || failure.context.bounds !== true) throw failure
    throw new PlumblineError('edit_rejected', refusals.couldNotEdit(display, failure.message), { cause: failure })
  }
}
