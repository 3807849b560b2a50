import path from 'node:path'
import type { BlobRef } from '../../preload/contract/ids'
import {
  createFile,
  type FileOperations,
  makeFolders,
  moveFile,
  removeEmptyFolders,
  removeFile,
  replaceFile,
  systemFiles,
  type TemporaryNotes,
} from '../platform/atomic-write'
import type { BlobSink } from '../platform/blob-sink'
import { isSystemError, PlumblineError } from '../platform/errors'
import { FileLocks } from './file-locks'
import { keepBytes } from './keep-bytes'
import { type AppliedChange, CommitFailed, FileMoved, type Mutation } from './mutation'

const MODE_BITS = 0o7777

/**
 * The one way that tools change files: locks, a check that every file still is what the effect was computed from, then one
 * atomic replacement after the other (EDIT-15, WRITE-03). Several files are not one transaction: what was written before
 * a failure is named in `CommitFailed`.
 */
export class FileMutator {
  readonly #locks = new FileLocks()
  readonly #files: FileOperations
  readonly #temporaries: TemporaryNotes | undefined

  constructor(options: { files?: FileOperations; temporaries?: TemporaryNotes } = {}) {
    this.#files = options.files ?? systemFiles
    this.#temporaries = options.temporaries
  }

  get #writing(): { files: FileOperations; temporaries?: TemporaryNotes } {
    return { files: this.#files, ...(this.#temporaries && { temporaries: this.#temporaries }) }
  }

  /**
   * Carries out mutations in order. Before the first write: throws `FileMoved` where a file changed, and `PlumblineError`
   * (`conflict`, `FILE_MUTATION_CONFLICT:…` in the message) where one can't be read or a new name is taken. `onApplied`
   * runs while the locks are still held.
   */
  async commit(
    mutations: readonly Mutation[],
    blobs: BlobSink,
    onApplied?: (change: AppliedChange, mutation: Mutation, index: number) => void,
  ): Promise<AppliedChange[]> {
    const held = mutations.flatMap((mutation) =>
      mutation.kind === 'move' ? [mutation.path, mutation.to] : [mutation.path],
    )
    return this.#locks.hold(held, async () => {
      for (const mutation of mutations) await this.#verify(mutation)
      const applied: AppliedChange[] = []
      for (const [index, mutation] of mutations.entries()) {
        try {
          const change = await this.#apply(mutation, blobs)
          applied.push(change)
          onApplied?.(change, mutation, index)
        } catch (failure) {
          if (failure instanceof PlumblineError || failure instanceof FileMoved) {
            if (applied.length === 0) throw failure
          }
          throw new CommitFailed(index, applied, failure)
        }
      }
      return applied
    })
  }

  /** The bytes of a regular file, or undefined where there is none. Other failures are thrown. */
  async readIfPresent(target: string): Promise<Uint8Array | undefined> {
    try {
      return await this.#files.readFile(target)
    } catch (failure) {
      if (isSystemError(failure) && (failure.code === 'ENOENT' || failure.code === 'ENOTDIR')) return undefined
      throw failure
    }
  }

  /** Removes folders that a call had made, as far as they are empty. */
  async removeFolders(folders: readonly string[]): Promise<void> {
    await removeEmptyFolders(folders, { files: this.#files })
  }

  async #verify(mutation: Mutation): Promise<void> {
    if (mutation.kind === 'create') {
      if (await this.#taken(mutation.path)) throw targetExists(mutation.path)
      return
    }
    if (mutation.kind === 'move' && (await this.#taken(mutation.to))) throw targetExists(mutation.to)
    let bytes: Uint8Array
    try {
      const entry = await this.#files.lstat(mutation.path)
      if (!entry.isFile()) throw new FileMoved(mutation.path)
      bytes = await this.#files.readFile(mutation.path)
    } catch (failure) {
      if (failure instanceof FileMoved) throw failure
      if (isSystemError(failure) && failure.code === 'ENOENT') throw new FileMoved(mutation.path)
      throw targetUnreadable(mutation.path, failure)
    }
    if (Buffer.compare(bytes, mutation.before) !== 0) throw new FileMoved(mutation.path)
  }

  async #taken(target: string): Promise<boolean> {
    try {
      await this.#files.lstat(target)
      return true
    } catch (failure) {
      if (isSystemError(failure) && (failure.code === 'ENOENT' || failure.code === 'ENOTDIR')) return false
      throw targetUnreadable(target, failure)
    }
  }

  async #apply(mutation: Mutation, blobs: BlobSink): Promise<AppliedChange> {
    const files = this.#files
    switch (mutation.kind) {
      case 'create': {
        const after = await keepBytes(blobs, mutation.after)
        const madeFolders = await this.#withFolders(mutation.path, () =>
          createFile(mutation.path, mutation.after, {
            ...this.#writing,
            executable: mutation.executable === true,
            ...(mutation.mode !== undefined && { mode: mutation.mode }),
          }),
        )
        return this.#reread(
          { path: mutation.path, kind: 'create', before: null, after, ...madeFolders },
          mutation,
          blobs,
        )
      }
      case 'modify': {
        const [before, after] = await this.#keep(mutation, blobs)
        const executable = mutation.executable === true
        const touchesMode = executable || mutation.mode !== undefined
        const had = touchesMode ? { mode: (await files.lstat(mutation.path)).mode & MODE_BITS } : {}
        const wanted = mutation.mode === undefined ? {} : { mode: mutation.mode }
        const { durable } = await replaceFile(mutation.path, mutation.after, {
          ...this.#writing,
          executable,
          ...wanted,
        })
        const change = { path: mutation.path, kind: 'modify', before, after, ...had, madeFolders: [], durable } as const
        return this.#reread(change, mutation, blobs)
      }
      case 'delete': {
        const before = await keepBytes(blobs, mutation.before)
        const mode = (await files.lstat(mutation.path)).mode & MODE_BITS
        const { durable } = await removeFile(mutation.path, { files })
        return { path: mutation.path, kind: 'delete', before, after: null, mode, madeFolders: [], durable }
      }
      case 'move':
        return this.#move(mutation, blobs)
    }
  }

  /** New text is written at the old name first, so that a crash between the steps leaves a whole file at one of them. */
  async #move(mutation: Extract<Mutation, { kind: 'move' }>, blobs: BlobSink): Promise<AppliedChange> {
    const files = this.#files
    const [before, after] = await this.#keep(mutation, blobs)
    const made = await this.#withFolders(mutation.to, async () => {
      if (Buffer.compare(mutation.before, mutation.after) !== 0)
        await replaceFile(mutation.path, mutation.after, this.#writing)
      return moveFile(mutation.path, mutation.to, { files })
    })
    return this.#reread({ path: mutation.path, kind: 'move', to: mutation.to, before, after, ...made }, mutation, blobs)
  }

  /** Looks at what is there after the write: a watcher may have formatted it, and the answer must be about that. */
  async #reread(change: AppliedChange, mutation: { after: Uint8Array }, blobs: BlobSink): Promise<AppliedChange> {
    const found = await this.readIfPresent(change.to ?? change.path).catch(() => undefined)
    if (found === undefined || Buffer.compare(found, mutation.after) === 0) return change
    return { ...change, after: await blobs.put(found), reread: found }
  }

  async #keep(mutation: { before: Uint8Array; after: Uint8Array }, blobs: BlobSink): Promise<[BlobRef, BlobRef]> {
    return Promise.all([keepBytes(blobs, mutation.before), keepBytes(blobs, mutation.after)])
  }

  /** Makes missing folders for a write and takes them back when it fails (WRITE-04). */
  async #withFolders(
    target: string,
    write: () => Promise<{ durable: boolean }>,
  ): Promise<{ madeFolders: string[]; durable: boolean }> {
    const made = await makeFolders(path.dirname(target), { files: this.#files })
    try {
      const { durable } = await write()
      return { madeFolders: made, durable }
    } catch (failure) {
      await removeEmptyFolders(made, { files: this.#files })
      if (isSystemError(failure) && failure.code === 'EEXIST') throw targetExists(target, failure)
      throw failure
    }
  }
}

function targetExists(target: string, cause?: unknown): PlumblineError {
  return new PlumblineError(
    'conflict',
    `FILE_MUTATION_CONFLICT:target_exists: ${target} appeared meanwhile and was not replaced. Nothing was written to it; read it before you decide.`,
    { cause, context: { conflict: 'target_exists' } },
  )
}

/** The refusal for a file that can't be read any more (WRITE-11, EDIT-72). */
export function targetUnreadable(target: string, cause: unknown): PlumblineError {
  const code = isSystemError(cause) ? ` (${cause.code})` : ''
  return new PlumblineError(
    'conflict',
    `FILE_MUTATION_CONFLICT:target_unreadable: ${target} can't be read${code}. No changes were written. Restore access, then read the file again before retrying.`,
    { cause, context: { conflict: 'target_unreadable' } },
  )
}
