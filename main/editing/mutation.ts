import type { BlobRef } from '../../preload/contract/ids'

/** One file and what becomes of it. Paths are canonical: absolute, links followed. */
export type Mutation =
  | {
      readonly kind: 'create'
      readonly path: string
      readonly after: Uint8Array
      readonly executable?: boolean
      /** Permission bits, where a removed file comes back; else the process's mask decides. */
      readonly mode?: number
    }
  | {
      readonly kind: 'modify'
      readonly path: string
      readonly before: Uint8Array
      readonly after: Uint8Array
      readonly executable?: boolean
      /** Permission bits, where an undo takes back that a file was made executable; else they stay. */
      readonly mode?: number
    }
  | { readonly kind: 'delete'; readonly path: string; readonly before: Uint8Array }
  | {
      readonly kind: 'move'
      readonly path: string
      readonly to: string
      readonly before: Uint8Array
      readonly after: Uint8Array
    }

/** A change that is on disk, as the undo journal keeps it. Blobs hold whole files; null where there is none. */
export interface AppliedChange {
  readonly path: string
  readonly kind: Mutation['kind']
  /** Where the file went, for `move`. */
  readonly to?: string
  readonly before: BlobRef | null
  readonly after: BlobRef | null
  /** Permission bits that the file had, where the change took them away: for `delete` and for execute bits. */
  readonly mode?: number
  /** Folders that were made for it, outermost first. */
  readonly madeFolders: readonly string[]
  /** What is in the file instead, where another program changed it right after the write; `after` names these bytes. */
  readonly reread?: Uint8Array
  /** False where the folder could not be flushed: a loss of power may still take the change back. */
  readonly durable: boolean
}

/** The file is not what the effect was computed from; nothing was written. A tool turns it into `WorldMoved`. */
export class FileMoved extends Error {
  override readonly name = 'FileMoved'
  readonly path: string

  constructor(path: string) {
    super(`${path} changed after it was read`)
    this.path = path
  }
}

/** A write failed after others of the same call may have landed. */
export class CommitFailed extends Error {
  override readonly name = 'CommitFailed'
  /** Index of the mutation that failed. */
  readonly index: number
  readonly applied: readonly AppliedChange[]

  constructor(index: number, applied: readonly AppliedChange[], cause: unknown) {
    super('A write failed', { cause })
    this.index = index
    this.applied = applied
  }
}
