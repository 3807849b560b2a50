import { lstat } from 'node:fs/promises'
import path from 'node:path'
import type { ChangedFile, Touch } from '../../preload/contract/effects'
import { isSystemError, PlumblineError, toFailure } from '../platform/errors'
import { type PathAuthority, type ResolvedPath, touch } from '../workspace/path-authority'
import { describeMutation } from './describe-mutation'
import { warnings } from './edit-messages'
import type { EditingScope } from './editing-scope'
import { type FileMutator, targetUnreadable } from './file-mutator'
import { type AppliedChange, CommitFailed, type Mutation } from './mutation'
import { rememberWhole } from './remember-edit'
import type { SnapshotStore, SnapshotStores } from './snapshots'
import { splitLines } from './text-file'
import type { UndoJournal } from './undo-journal'
import { stripChrome } from './write-chrome'
import { generatedMarker, guardObserved } from './write-guards'

/** How one toolset's write differs from another's. */
export interface WritePolicy {
  readonly tool: string
  /** UTF-8 bytes (WRITE-05). */
  readonly maxBytes: number
  readonly relativeMayEscape: boolean
  /** Takes copied headers and line numbers out of the content. */
  readonly stripChrome: boolean
  /** What to do where a generated file would be replaced: refuse, or ask whoever is there (WRITE-17). */
  readonly generated: 'refuse' | 'ask'
}

/** The exact effect of a write. */
export interface WritePlan {
  readonly resolved: ResolvedPath
  /** What will be in the file. */
  readonly content: string
  readonly bytes: Uint8Array
  /** Undefined where the file has this content already. */
  readonly mutation: Mutation | undefined
  readonly files: readonly ChangedFile[]
  readonly warnings: readonly string[]
  /** Why the person must be asked. */
  readonly asks: string | undefined
  readonly created: boolean
  /** The content starts with a shebang and the file could not be run before (WRITE-18). */
  readonly madeExecutable: boolean
}

/** What a write did, for the tool to word. */
export interface WriteOutcome {
  readonly display: string
  /** Snapshot tag of the new content; undefined for content with NUL characters. */
  readonly tag: string | undefined
  readonly bytes: number
  readonly lines: number
  readonly created: boolean
  readonly madeExecutable: boolean
  readonly warnings: readonly string[]
  readonly durable: boolean
  readonly changed?: { entry: string; files: ChangedFile[] }
}

export interface WriteEngineParts {
  readonly paths: PathAuthority
  readonly stores: SnapshotStores
  readonly mutator: FileMutator
  readonly journal: UndoJournal
  readonly platform?: NodeJS.Platform
}

/** Creates files and replaces them as a whole, after proof that this session knows what it replaces. */
export class WriteEngine {
  readonly #parts: WriteEngineParts

  constructor(parts: WriteEngineParts) {
    this.#parts = parts
  }

  async targets(given: string, policy: WritePolicy, scope: EditingScope): Promise<Touch[]> {
    return [touch('write', await this.#resolve(given, policy, scope))]
  }

  /** Reads and computes only. Throws `PlumblineError` where the file can't or must not be written. */
  async prepare(given: string, content: string, policy: WritePolicy, scope: EditingScope): Promise<WritePlan> {
    const size = Buffer.byteLength(content)
    if (size > policy.maxBytes) {
      throw new PlumblineError(
        'too_large',
        `The content has ${size} bytes; ${policy.tool} takes up to ${policy.maxBytes}. Nothing was written.`,
      )
    }
    const resolved = await this.#resolve(given, policy, scope)
    await refuseTarget(given, resolved)
    const store = this.#parts.stores.of(scope.id)
    const names = { given, absolute: resolved.absolute, display: resolved.display, real: resolved.real }
    const stripped = policy.stripChrome ? stripChrome(content, names, store) : { content }
    const bytes = new TextEncoder().encode(stripped.content)
    const before = await this.#current(resolved)
    const notes = stripped.note === undefined ? [] : [stripped.note]
    const asks = before === undefined ? undefined : guardExisting(before, resolved, policy, scope, store)
    if (asks !== undefined) notes.push(asks)
    const executable = stripped.content.startsWith('#!') && (this.#parts.platform ?? process.platform) !== 'win32'
    const madeExecutable = executable && !(await canRun(resolved))
    const mutation = mutationOf(resolved.real, before, bytes, madeExecutable)
    return {
      resolved,
      content: stripped.content,
      bytes,
      mutation,
      files: mutation === undefined ? [] : [await describeMutation(mutation, scope)],
      warnings: notes,
      asks,
      created: before === undefined,
      madeExecutable,
    }
  }

  /** Writes exactly what was planned. Throws `FileMoved` when the file changed since, and `conflict` when one appeared. */
  async commit(plan: WritePlan, policy: WritePolicy, scope: EditingScope): Promise<WriteOutcome> {
    const { resolved, mutation, bytes, content } = plan
    const store = this.#parts.stores.of(scope.id)
    let changes: AppliedChange[] = []
    if (mutation !== undefined) {
      try {
        changes = await this.#parts.mutator.commit([mutation], scope.blobs, (change) => {
          rememberWhole(store, resolved.real, bytes, 'all')
          if (change.reread !== undefined) rememberWhole(store, resolved.real, change.reread, 'as before')
        })
      } catch (failure) {
        throw failure instanceof CommitFailed ? writeFailure(resolved.display, failure.cause) : failure
      }
    } else rememberWhole(store, resolved.real, bytes, 'all')
    const rewritten = changes.find((change) => change.reread !== undefined)?.reread
    return {
      display: resolved.display,
      tag: content.includes('\0') ? undefined : tagNow(store, resolved.real, content, rewritten),
      bytes: bytes.byteLength,
      lines: splitLines(content).length,
      created: plan.created,
      madeExecutable: plan.madeExecutable,
      warnings: rewritten === undefined ? plan.warnings : [...plan.warnings, warnings.rewritten],
      durable: changes.every((change) => change.durable),
      ...(changes.length > 0 && {
        changed: { entry: this.#parts.journal.record(scope.id, policy.tool, changes), files: [...plan.files] },
      }),
    }
  }

  #resolve(given: string, policy: WritePolicy, scope: EditingScope): Promise<ResolvedPath> {
    return this.#parts.paths.resolve(given, scope, { relativeMayEscape: policy.relativeMayEscape })
  }

  async #current(resolved: ResolvedPath): Promise<Uint8Array | undefined> {
    try {
      return await this.#parts.mutator.readIfPresent(resolved.real)
    } catch (failure) {
      throw targetUnreadable(resolved.display, failure)
    }
  }
}

/** The tag of what is on disk: the newest text, where another program changed the file right after the write. */
function tagNow(store: SnapshotStore, real: string, content: string, rewritten: Uint8Array | undefined) {
  return rewritten === undefined ? store.tagOf(real, content) : store.newest(real)?.tag
}

/** Says plainly what a path is when it is no place for a file (WRITE-06, EDIT-12). */
async function refuseTarget(given: string, resolved: ResolvedPath): Promise<void> {
  const { display } = resolved
  if (resolved.symlink) {
    throw new PlumblineError('not_a_file', `${display} is a symbolic link. Write to the file it leads to instead.`)
  }
  if (resolved.kind === 'directory' || /[/\\]$/.test(given)) {
    throw new PlumblineError('is_directory', `${display} is a directory. Name a file in it.`)
  }
  if (resolved.kind === 'other') throw new PlumblineError('not_a_file', `${display} is not a regular file.`)
  for (let folder = path.dirname(resolved.real); ; folder = path.dirname(folder)) {
    const entry = await lstat(folder).catch(() => undefined)
    if (entry?.isDirectory() === true || path.dirname(folder) === folder) return
    if (entry !== undefined) {
      const levels = path.relative(folder, resolved.real).split(path.sep).length
      const shown = display.split('/').slice(0, -levels).join('/') || folder
      throw new PlumblineError('not_a_directory', `${shown} is not a directory. Nothing was written.`)
    }
  }
}

function guardExisting(
  before: Uint8Array,
  resolved: ResolvedPath,
  policy: WritePolicy,
  scope: EditingScope,
  store: SnapshotStore,
): string | undefined {
  const { real, display } = resolved
  guardObserved(store, { real, display, bytes: before }, scope.id)
  const marker = generatedMarker(before)
  if (marker === undefined) return undefined
  if (policy.generated === 'ask') return `${display} says that it is generated: ${marker.slice(0, 200)}`
  throw new PlumblineError(
    'edit_rejected',
    `${display} is a generated file (“${marker.slice(0, 200)}”) and was not overwritten. Change what it is generated from.`,
  )
}

async function canRun(resolved: ResolvedPath): Promise<boolean> {
  if (!resolved.exists) return false
  const entry = await lstat(resolved.real).catch(() => undefined)
  return entry !== undefined && (entry.mode & 0o100) !== 0
}

function mutationOf(
  real: string,
  before: Uint8Array | undefined,
  after: Uint8Array,
  executable: boolean,
): Mutation | undefined {
  if (before === undefined) return { kind: 'create', path: real, after, executable }
  if (Buffer.compare(before, after) === 0 && !executable) return undefined
  return { kind: 'modify', path: real, before, after, executable }
}

function writeFailure(display: string, cause: unknown): PlumblineError {
  if (cause instanceof PlumblineError) return cause
  const { code } = toFailure(cause)
  const detail = isSystemError(cause)
    ? `Error code: ${cause.code}`
    : cause instanceof Error
      ? cause.message
      : String(cause)
  return new PlumblineError(code, `Could not write file: ${display}. ${detail}.`, { cause })
}
