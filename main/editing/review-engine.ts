import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import path from 'node:path'
import type { ChangedFile } from '../../preload/contract/effects'
import { PlumblineError } from '../platform/errors'
import { describeMutation } from './describe-mutation'
import type { EditingScope } from './editing-scope'
import type { FileMutator } from './file-mutator'
import { CommitFailed, FileMoved, type Mutation } from './mutation'
import { type Hunk, hunkId, hunksOf, linesWithEndings, withoutHunk } from './review-hunks'
import type { Mark, RejectedHunk, ReviewState, ReviewStore } from './review-marks'
import type { UndoJournal } from './undo-journal'

/** The byte of `\r`. */
const CARRIAGE_RETURN = 0x0d

/** Unchanged lines on either side by which the place of a rejected hunk is found again. */
const PLACE_LINES = 3

/** Bytes of a file whose hunks are told apart, and characters of a rejected hunk that can be put back. */
export const MAX_HUNK_BYTES = 1024 * 1024

/** Changed lines up to which hunks are told apart; beyond that the file is judged as one. */
export const MAX_HUNK_LINES = 2000

/** A session as its review needs it. `folder` lies beside the journal. */
export interface ReviewScope extends EditingScope {
  readonly folder: string
}

/** One file under review: what the change list says of it, and its bytes from before; null where there was none. */
export interface ReviewedFile {
  readonly file: ChangedFile
  readonly before: Uint8Array | null
}

/** What reached the disk: for the session's journal, and for the model in words. */
export interface ReviewAct {
  readonly entry: string
  readonly files: ChangedFile[]
  /** What was taken away, as a difference; empty where there are no lines to show. */
  readonly lines: string
  /** Lines of the file where it was, as the person saw them; null for a whole file. */
  readonly at: { readonly from: number; readonly to: number } | null
}

/**
 * What the person decides about changes that are on disk already: marks, hunks taken back, edits of their own. Every
 * write goes through the mutation path, is checked against what was shown, and has an undo entry.
 */
export class ReviewEngine {
  readonly #mutator: FileMutator
  readonly #undo: UndoJournal
  readonly #store: ReviewStore

  constructor(options: { mutator: FileMutator; undo: UndoJournal; store: ReviewStore }) {
    this.#mutator = options.mutator
    this.#undo = options.undo
    this.#store = options.store
  }

  /** The decisions of a session. */
  state(scope: Pick<ReviewScope, 'folder'>): Promise<ReviewState> {
    return this.#store.load(scope.folder)
  }

  /** Remembers a decision about hunks, by their names; null takes it back. Resolves when it is on disk. */
  async mark(scope: Pick<ReviewScope, 'folder'>, hunks: readonly string[], mark: Mark | null): Promise<void> {
    const { marks } = await this.#store.load(scope.folder)
    for (const id of hunks) {
      marks.delete(id)
      if (mark !== null) marks.set(id, mark)
    }
    await this.#store.save(scope.folder)
  }

  /** Changes the comments of a session and keeps them. */
  async comment(
    scope: Pick<ReviewScope, 'folder'>,
    change: (comments: ReviewState['comments']) => void,
  ): Promise<void> {
    const { comments } = await this.#store.load(scope.folder)
    change(comments)
    await this.#store.save(scope.folder)
  }

  /** The bytes that are on disk now; null where there is no file. */
  async onDisk(scope: EditingScope, file: Pick<ChangedFile, 'path'>): Promise<Uint8Array | null> {
    return (await this.#mutator.readIfPresent(await placeOf(scope, file.path))) ?? null
  }

  /**
   * Takes one hunk back on disk, or with 'all' the whole change of the file. Throws `conflict` when the file is not what
   * the review showed any more: nothing was written then.
   */
  async reject(scope: ReviewScope, { file, before }: ReviewedFile, hunk: string): Promise<ReviewAct> {
    const real = await placeOf(scope, file.path)
    const now = (await this.#mutator.readIfPresent(real)) ?? null
    const hunks = await reviewHunks(file, before, now)
    const found = hunks.find((candidate) => candidate.id === hunk)
    if (hunk !== 'all' && found === undefined) throw changedSince(file.path)
    if (hunk === 'all' && !(await this.#isAsShown(file, now))) throw changedSince(file.path)
    const part = found !== undefined && 'removed' in found ? found : null
    const mutation =
      part === null ? await wholeBack(scope, file, real, before, now) : hunkBack(real, part, before, now, hunks.length)
    if (mutation === null) throw changedSince(file.path)
    const act = await this.#commit(scope, [mutation], 'Rejected change')
    const state = await this.#store.load(scope.folder)
    if (part !== null) rememberRejected(state, file.path, part, before, now, mutation)
    for (const { id } of part === null ? hunks : [part]) state.marks.delete(id)
    await this.#store.save(scope.folder)
    return {
      ...act,
      lines: part === null ? '' : differenceOf(part),
      at: part === null ? null : { from: part.after.from, to: part.after.from + Math.max(0, part.after.count - 1) },
    }
  }

  /**
   * Puts a rejected hunk back where it was. Throws `not_found` when it is not known any more and `conflict` when its place
   * can't be found for certain.
   */
  async putBack(scope: ReviewScope, id: string): Promise<ReviewAct & { readonly path: string }> {
    const state = await this.#store.load(scope.folder)
    const rejected = state.rejected.find((candidate) => candidate.id === id)
    if (rejected === undefined) throw new PlumblineError('not_found', 'This hunk is not among the rejected ones.')
    const real = await placeOf(scope, rejected.path)
    const now = (await this.#mutator.readIfPresent(real)) ?? null
    const mutation = backAgain(real, rejected, now)
    if (mutation === null) {
      throw new PlumblineError(
        'conflict',
        `The place of this hunk in ${rejected.path} can't be found for certain. Nothing was written.`,
      )
    }
    const act = await this.#commit(scope, [mutation], 'Put back change')
    state.rejected.splice(state.rejected.indexOf(rejected), 1)
    await this.#store.save(scope.folder)
    return { ...act, lines: '', at: null, path: rejected.path }
  }

  /**
   * Writes the person's own text over what the review showed. `version` names the bytes that were shown (`versionOf`).
   * Throws `not_supported` for a file with carriage returns, `conflict` when other bytes are there; the text is not
   * lost, the caller still has it.
   */
  async save(scope: ReviewScope, file: ChangedFile, version: string, text: string): Promise<ReviewAct | null> {
    const real = await placeOf(scope, file.path)
    const now = await this.#mutator.readIfPresent(real)
    if (now === undefined || versionOf(now) !== version) throw changedSince(file.path)
    if (now.includes(CARRIAGE_RETURN)) {
      // The window's editor knows line feeds only: what it sends would change the ending of every line.
      throw new PlumblineError(
        'not_supported',
        `${file.path} has Windows line endings, which an edit here would change. Nothing was written. Edit it in your own editor, or leave a comment.`,
      )
    }
    const after = new TextEncoder().encode(text)
    if (Buffer.compare(now, after) === 0) return null
    const act = await this.#commit(scope, [{ kind: 'modify', path: real, before: now, after }], 'Edited change')
    return { ...act, lines: '', at: null }
  }

  /** Forgets a closed session; what was decided stays on disk. */
  release(scope: Pick<ReviewScope, 'folder'>): void {
    this.#store.release?.(scope.folder)
  }

  async #isAsShown(file: ChangedFile, now: Uint8Array | null): Promise<boolean> {
    if (file.after === null || now === null) return file.after === null && now === null
    return versionOf(now) === file.after.id
  }

  async #commit(
    scope: ReviewScope,
    mutations: readonly Mutation[],
    what: string,
  ): Promise<Pick<ReviewAct, 'entry' | 'files'>> {
    const files: ChangedFile[] = []
    for (const mutation of mutations) files.push(await describeMutation(mutation, scope))
    try {
      const applied = await this.#mutator.commit(mutations, scope.blobs)
      return { entry: this.#undo.record(scope.id, what, applied), files }
    } catch (failure) {
      const cause = failure instanceof CommitFailed && failure.applied.length === 0 ? failure.cause : failure
      if (cause instanceof FileMoved) throw changedSince(files[0]?.path ?? cause.path)
      throw cause
    }
  }
}

/** A change that is judged as one: it has no lines to compare, or too many. */
export interface WholeChange {
  readonly id: string
}

/** The name of bytes: their SHA-256, as blobs are named. */
export function versionOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** What can be decided about a file, in order: its hunks, or the file as one. Empty where nothing differs. */
export async function reviewHunks(
  file: Pick<ChangedFile, 'path' | 'kind' | 'added' | 'removed'>,
  before: Uint8Array | null,
  after: Uint8Array | null,
): Promise<(Hunk | WholeChange)[]> {
  const left = textOf(before)
  const right = textOf(after)
  const many = file.added + file.removed > MAX_HUNK_LINES
  if (left !== null && right !== null && !many) {
    const hunks = await hunksOf(file.path, left, right)
    if (hunks.length > 0) return hunks
  }
  const names = [before, after].map((bytes) => (bytes === null ? '' : versionOf(bytes)))
  if (names[0] === names[1] && file.kind !== 'renamed') return []
  return [{ id: hunkId(file.path, `${names.join('\0')}\0whole`) }]
}

/** Text whose lines can be told apart, the empty one for a file that is not there; else null. */
function textOf(bytes: Uint8Array | null): string | null {
  if (bytes === null) return ''
  if (bytes.byteLength > MAX_HUNK_BYTES || bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/** The canonical path. Throws `conflict` where a folder above it was replaced by a link since. */
async function placeOf(scope: EditingScope, shown: string): Promise<string> {
  const file = path.resolve(scope.roots[0] ?? scope.cwd, shown)
  const folder = path.dirname(file)
  const real = await realpath(folder).catch(() => folder)
  if (real !== folder) {
    throw new PlumblineError('conflict', `The folder of ${shown} leads elsewhere now. Nothing was written.`)
  }
  return file
}

function hunkBack(
  real: string,
  hunk: Hunk,
  before: Uint8Array | null,
  now: Uint8Array | null,
  hunks: number,
): Mutation | null {
  if (now === null) return before === null ? null : { kind: 'create', path: real, after: before }
  // Without its only change a new file is no file.
  if (before === null && hunks === 1) return { kind: 'delete', path: real, before: now }
  const text = textOf(now)
  if (text === null) return null
  return { kind: 'modify', path: real, before: now, after: new TextEncoder().encode(withoutHunk(text, hunk)) }
}

async function wholeBack(
  scope: EditingScope,
  file: ChangedFile,
  real: string,
  before: Uint8Array | null,
  now: Uint8Array | null,
): Promise<Mutation | null> {
  if (before === null) return now === null ? null : { kind: 'delete', path: real, before: now }
  if (now === null) return { kind: 'create', path: real, after: before }
  if (file.kind === 'renamed' && file.from !== undefined) {
    return { kind: 'move', path: real, to: await placeOf(scope, file.from), before: now, after: before }
  }
  return { kind: 'modify', path: real, before: now, after: before }
}

function rememberRejected(
  state: ReviewState,
  shown: string,
  hunk: Hunk,
  before: Uint8Array | null,
  now: Uint8Array | null,
  mutation: Mutation,
): void {
  const removed = hunk.removed.join('')
  const added = hunk.added.join('')
  if (removed.length + added.length > MAX_HUNK_BYTES) return
  const old = linesWithEndings(textOf(before) ?? '')
  const at = hunk.before.from - 1
  const left = mutation.kind === 'delete' || mutation.kind === 'move' ? null : versionOf(mutation.after)
  state.rejected.push({
    id: hunk.id,
    path: shown,
    from: hunk.before.from,
    removed,
    added,
    above: old.slice(Math.max(0, at - PLACE_LINES), at).join(''),
    below: old.slice(at + hunk.before.count, at + hunk.before.count + PLACE_LINES).join(''),
    found: now === null ? null : versionOf(now),
    left,
  })
}

function backAgain(real: string, rejected: RejectedHunk, now: Uint8Array | null): Mutation | null {
  const bytes = (text: string) => new TextEncoder().encode(text)
  if (now === null) return rejected.left === null ? { kind: 'create', path: real, after: bytes(rejected.added) } : null
  // A deleted file that a rejection brought back is deleted again.
  if (rejected.found === null) {
    return rejected.left === versionOf(now) ? { kind: 'delete', path: real, before: now } : null
  }
  const text = textOf(now)
  if (text === null || rejected.left === null) return null
  const whole = rejected.above + rejected.removed + rejected.below
  const at = onlyPlace(text, whole)
  if (at === null) return null
  const after = text.slice(0, at) + rejected.above + rejected.added + rejected.below + text.slice(at + whole.length)
  return { kind: 'modify', path: real, before: now, after: bytes(after) }
}

/** Where the text stands as whole lines, when it stands there once. An empty text has its place in an empty file only. */
function onlyPlace(text: string, wanted: string): number | null {
  if (wanted === '') return text === '' ? 0 : null
  const places: number[] = []
  for (let at = text.indexOf(wanted); at !== -1 && places.length < 2; at = text.indexOf(wanted, at + 1)) {
    if (at === 0 || text[at - 1] === '\n') places.push(at)
  }
  return places.length === 1 ? (places[0] ?? null) : null
}

function differenceOf(hunk: Hunk): string {
  const rows = (sign: string, lines: readonly string[]) => lines.map((line) => sign + line.replace(/\r?\n$/, ''))
  return [...rows('-', hunk.removed), ...rows('+', hunk.added)].join('\n')
}

function changedSince(shown: string): PlumblineError {
  return new PlumblineError('conflict', `${shown} changed since it was shown. Nothing was written.`)
}
