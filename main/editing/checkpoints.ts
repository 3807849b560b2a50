import path from 'node:path'
import { z } from 'zod'
import type { ChangedFile } from '../../preload/contract/effects'
import { BlobRef } from '../../preload/contract/ids'
import type { Clock } from '../platform/clock'
import { PlumblineError } from '../platform/errors'
import type { CheckpointGit } from './checkpoint-git'
import { type Checkpoint, CheckpointIndex } from './checkpoint-index'
import { describeMutation } from './describe-mutation'
import type { EditingScope } from './editing-scope'
import type { FileMutator } from './file-mutator'
import { CommitFailed, type Mutation } from './mutation'
import { type CapturedTree, type CaptureLimits, TreeCapture } from './tree-capture'
import type { UndoJournal } from './undo-journal'

/** Limits of a checkpoint that somebody asked for. */
const ASKED: CaptureLimits = { files: 50_000, bytes: 512 * 1024 * 1024, timeoutMs: 120_000 }

/** Limits of the one before each prompt: it must not be felt. */
const AUTOMATIC: CaptureLimits = { files: 2000, bytes: 32 * 1024 * 1024, timeoutMs: 1500 }

/** Files that a refusal names. */
const NAMED = 10

/** Longest part of a label that goes into a name, in characters. */
const SLUG_CHARACTERS = 40

const Tree = z.object({
  files: z.array(z.object({ path: z.string(), blob: BlobRef, mode: z.number().int() })),
  leftOut: z.array(z.string()),
})

/** Characters of the session's id that make a tag its own. */
const SESSION_CHARACTERS = 6

/** Where a session keeps its list of checkpoints. */
export interface CheckpointScope extends EditingScope {
  readonly toolResultsFolder: string
}

/** Lists the files of a project that a checkpoint keeps, below the root with `/`: without ignored ones and secrets. */
export type ListFiles = (
  scope: EditingScope,
  root: string,
  max: number,
  signal: AbortSignal,
) => Promise<{ files: readonly string[]; complete: boolean }>

/** What a restore would write, and what it was computed from. */
export interface RestorePlan {
  readonly checkpoint: Checkpoint
  readonly mutations: readonly Mutation[]
  readonly files: readonly ChangedFile[]
  /** Files that came after the checkpoint; `remove` says whether they go. */
  readonly newer: readonly string[]
  /** Files that would be overwritten and are saved nowhere else. */
  readonly uncommitted: readonly string[]
}

export interface CheckpointsParts {
  readonly list: ListFiles
  readonly git?: CheckpointGit
  readonly mutator: FileMutator
  readonly journal: UndoJournal
  readonly clock: Clock
}

/**
 * Pictures of a project's files by content (PLAN-08, PLAN-09, decision 14): they need no Git; in a repository the current
 * commit is tagged too. Ignored files and secrets are no part of them. A restore can be undone like any change.
 */
export class Checkpoints {
  readonly #parts: CheckpointsParts
  readonly #capture: TreeCapture
  readonly #indexes = new Map<string, CheckpointIndex>()

  constructor(parts: CheckpointsParts) {
    this.#parts = parts
    this.#capture = new TreeCapture(() => parts.clock.now())
  }

  async list(scope: CheckpointScope): Promise<readonly Checkpoint[]> {
    return this.#index(scope).list()
  }

  /** Keeps the project as it is now. Throws `limit_exceeded` for a project that is too large. */
  async create(scope: CheckpointScope, label: string, signal: AbortSignal): Promise<Checkpoint> {
    const tree = await this.#now(scope, ASKED, signal)
    return this.#keep(scope, tree, { label, automatic: false, tagged: true }, signal)
  }

  /** The checkpoint before a prompt; undefined where the project is too large for one that is not felt. */
  async beforePrompt(scope: CheckpointScope, turn: number, signal: AbortSignal): Promise<Checkpoint | undefined> {
    try {
      const tree = await this.#now(scope, AUTOMATIC, signal)
      return await this.#keep(scope, tree, { label: 'before a prompt', automatic: true, turn }, signal)
    } catch (failure) {
      if (failure instanceof PlumblineError && failure.code === 'limit_exceeded') return undefined
      throw failure
    }
  }

  /**
   * What restoring a checkpoint would write. Throws `not_found` for an unknown name and, unless `force` is set, `conflict`
   * where a file would be overwritten that is neither committed nor in the newest checkpoint. `removeNewer` also takes
   * away files that came later, as a rewind does.
   */
  async planRestore(
    scope: CheckpointScope,
    name: string,
    options: { force?: boolean; removeNewer?: boolean },
    signal: AbortSignal,
  ): Promise<RestorePlan> {
    const all = await this.list(scope)
    const checkpoint = all.find((candidate) => candidate.name === name)
    if (checkpoint === undefined) throw unknown(name, all)
    const wanted = await this.#tree(scope, checkpoint)
    const now = await this.#now(scope, ASKED, signal)
    const found = await this.#difference(scope, checkpoint.root, wanted, now, options.removeNewer === true)
    const uncommitted = await this.#uncommitted(scope, checkpoint.root, found.overwritten, now, signal)
    if (uncommitted.length > 0 && options.force !== true) throw dirty(uncommitted)
    const files: ChangedFile[] = []
    for (const mutation of found.mutations) files.push(await describeMutation(mutation, scope))
    return { checkpoint, mutations: found.mutations, files, newer: found.newer, uncommitted }
  }

  /** What putting the files back to before a turn would change: newer files go. Throws `not_found` where none was kept. */
  async planRewind(scope: CheckpointScope, turn: number, signal: AbortSignal): Promise<RestorePlan> {
    const found = (await this.list(scope)).findLast((checkpoint) => checkpoint.turn === turn)
    if (found === undefined) {
      throw new PlumblineError('not_found', `The files were not kept before turn ${turn}: the project was too large.`)
    }
    return this.planRestore(scope, found.name, { force: true, removeNewer: true }, signal)
  }

  /** Writes a plan, after a checkpoint of what is there now. Throws `FileMoved` when a file changed since the plan. */
  async restore(
    plan: RestorePlan,
    scope: CheckpointScope,
    tool: string,
    signal: AbortSignal,
  ): Promise<{ entry: string; files: readonly ChangedFile[]; safety: Checkpoint }> {
    const now = await this.#now(scope, ASKED, signal)
    const safety = await this.#keep(scope, now, { label: `before ${plan.checkpoint.name}`, automatic: true }, signal)
    try {
      const changes = await this.#parts.mutator.commit(plan.mutations, scope.blobs, (_change, mutation) =>
        this.#parts.journal.remember(mutation, scope),
      )
      const entry = this.#parts.journal.record(scope.id, tool, changes)
      return { entry, files: plan.files, safety }
    } catch (failure) {
      if (!(failure instanceof CommitFailed)) throw failure
      // What landed stays undoable, and the safety checkpoint has the rest.
      if (failure.applied.length > 0) this.#parts.journal.record(scope.id, tool, failure.applied)
      throw failure.cause
    }
  }

  /** Forgets a closed session; its checkpoints stay on disk. */
  release(session: string): void {
    this.#indexes.delete(session)
  }

  #index(scope: CheckpointScope): CheckpointIndex {
    const known = this.#indexes.get(scope.id)
    if (known !== undefined) return known
    const made = new CheckpointIndex(path.join(path.dirname(scope.toolResultsFolder), 'checkpoints.json'))
    this.#indexes.set(scope.id, made)
    return made
  }

  async #now(scope: EditingScope, limits: CaptureLimits, signal: AbortSignal): Promise<CapturedTree> {
    const root = rootOf(scope)
    const { files, complete } = await this.#parts.list(scope, root, limits.files, signal)
    if (!complete) {
      throw new PlumblineError(
        'limit_exceeded',
        `The project is too large for a checkpoint: its files could not all be listed, ${limits.files} are the most. Nothing was kept.`,
      )
    }
    return this.#capture.capture({ space: scope.id, root, files }, scope.blobs, limits, signal)
  }

  #keep(
    scope: CheckpointScope,
    tree: CapturedTree,
    about: { label: string; automatic: boolean; tagged?: boolean; turn?: number },
    signal: AbortSignal,
  ): Promise<Checkpoint> {
    const root = rootOf(scope)
    return this.#index(scope).add(async (number) => {
      const blob = await scope.blobs.put(new TextEncoder().encode(JSON.stringify(tree)))
      const name = `plumbline/cp/${number}${slug(about.label)}`
      const { git } = about.tagged === true ? this.#parts : {}
      // Another session may have given its checkpoint the same name.
      const own = `${name}-${scope.id.slice(-SESSION_CHARACTERS)}`
      const tag = (await git?.tag(root, name, signal)) ?? (await git?.tag(root, own, signal))
      return {
        name,
        label: about.label,
        at: this.#parts.clock.now(),
        automatic: about.automatic,
        root,
        tree: blob,
        files: tree.files.length,
        ...(tag !== undefined && { tag }),
        ...(about.turn !== undefined && { turn: about.turn }),
      }
    })
  }

  async #tree(scope: EditingScope, checkpoint: Checkpoint): Promise<CapturedTree> {
    const bytes = await scope.blobs.get(checkpoint.tree.id)
    const parsed = Tree.safeParse(JSON.parse(new TextDecoder().decode(bytes)))
    if (!parsed.success) throw new PlumblineError('io', `The list of files of ${checkpoint.name} is damaged.`)
    return parsed.data
  }

  async #difference(
    scope: EditingScope,
    root: string,
    wanted: CapturedTree,
    now: CapturedTree,
    removeNewer: boolean,
  ): Promise<{ mutations: Mutation[]; overwritten: string[]; newer: string[] }> {
    const absolute = (name: string) => path.join(root, ...name.split('/'))
    const current = new Map(now.files.map((file) => [file.path, file]))
    const mutations: Mutation[] = []
    const overwritten: string[] = []
    for (const file of wanted.files) {
      const there = current.get(file.path)
      current.delete(file.path)
      if (there?.blob.id === file.blob.id && there.mode === file.mode) continue
      const target = absolute(file.path)
      const after = await scope.blobs.get(file.blob.id)
      if (there === undefined) {
        // A file that a listing leaves out now may still be there.
        const present = await this.#parts.mutator.readIfPresent(target)
        if (present === undefined) mutations.push({ kind: 'create', path: target, after, mode: file.mode })
        else if (Buffer.compare(present, after) !== 0) {
          mutations.push({ kind: 'modify', path: target, before: present, after, mode: file.mode })
          overwritten.push(file.path)
        }
        continue
      }
      const before = await scope.blobs.get(there.blob.id)
      mutations.push({ kind: 'modify', path: target, before, after, mode: file.mode })
      if (there.blob.id !== file.blob.id) overwritten.push(file.path)
    }
    const leftOut = new Set(wanted.leftOut)
    const newer = [...current.keys()].filter((name) => !leftOut.has(name))
    if (removeNewer) {
      for (const name of newer) {
        const blob = current.get(name)?.blob
        if (blob !== undefined)
          mutations.push({ kind: 'delete', path: absolute(name), before: await scope.blobs.get(blob.id) })
      }
    }
    return { mutations, overwritten, newer }
  }

  /** Of the files that would be overwritten, those whose content is neither committed nor in the newest checkpoint. */
  async #uncommitted(
    scope: CheckpointScope,
    root: string,
    overwritten: readonly string[],
    now: CapturedTree,
    signal: AbortSignal,
  ): Promise<string[]> {
    if (overwritten.length === 0) return []
    const changed = await this.#parts.git?.uncommitted(root, signal)
    if (changed !== undefined) return overwritten.filter((name) => changed.has(path.join(root, ...name.split('/'))))
    const newest = (await this.list(scope)).at(-1)
    const saved = newest === undefined ? undefined : await this.#tree(scope, newest)
    const kept = new Map(saved?.files.map((file) => [file.path, file.blob.id]))
    const current = new Map(now.files.map((file) => [file.path, file.blob.id]))
    return overwritten.filter((name) => current.get(name) === undefined || kept.get(name) !== current.get(name))
  }
}

function rootOf(scope: Pick<EditingScope, 'roots' | 'cwd'>): string {
  return scope.roots[0] ?? scope.cwd
}

/** What Git takes in a tag: letters, digits and dashes. */
function slug(label: string): string {
  const text = label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, SLUG_CHARACTERS)
    .replace(/-$/, '')
  return text === '' ? '' : `-${text}`
}

function unknown(name: string, all: readonly Checkpoint[]): PlumblineError {
  const known = all
    .slice(-NAMED)
    .map((checkpoint) => checkpoint.name)
    .join(', ')
  return new PlumblineError(
    'not_found',
    `There is no checkpoint ${JSON.stringify(name)} in this session. ${known === '' ? 'There are none yet.' : `The newest: ${known}.`}`,
  )
}

function dirty(files: readonly string[]): PlumblineError {
  const named = files.slice(0, NAMED).join(', ')
  const more = files.length > NAMED ? ` and ${files.length - NAMED} more` : ''
  return new PlumblineError(
    'conflict',
    `Uncommitted changes would be overwritten: ${named}${more}. Nothing was restored. Commit them or make a checkpoint first, or set force.`,
    { context: { files: files.slice(0, NAMED) } },
  )
}
