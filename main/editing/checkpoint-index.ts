import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { BlobRef } from '../../preload/contract/ids'
import { createFile, makeFolders, replaceFile } from '../platform/atomic-write'
import { isSystemError } from '../platform/errors'

/** Checkpoints that a session keeps; automatic ones go first, the oldest before the others. */
const MAX_CHECKPOINTS = 100

const Entry = z.object({
  /** As tools name it; with Git also the name of its tag. */
  name: z.string(),
  label: z.string(),
  at: z.number(),
  /** Made by the app before a prompt or a restore. */
  automatic: z.boolean(),
  /** Absolute real path of the folder. */
  root: z.string(),
  /** The list of files, kept by content. */
  tree: BlobRef,
  files: z.number().int(),
  tag: z.string().optional(),
  /** The turn that it was made before. */
  turn: z.number().int().optional(),
})
export type Checkpoint = z.infer<typeof Entry>

const Index = z.object({ version: z.literal(1), next: z.number().int(), checkpoints: z.array(Entry) })
type Index = z.infer<typeof Index>

/** The checkpoints of one session, in a file beside its journal. A damaged file counts as empty. */
export class CheckpointIndex {
  readonly #file: string
  #loaded: Promise<Index> | undefined
  #tail: Promise<unknown> = Promise.resolve()

  constructor(file: string) {
    this.#file = file
  }

  async list(): Promise<readonly Checkpoint[]> {
    return (await this.#load()).checkpoints
  }

  /** Adds a checkpoint; `make` gets its number, unique in the session. */
  add(make: (number: number) => Promise<Checkpoint>): Promise<Checkpoint> {
    const added = this.#tail.then(async () => {
      const index = await this.#load()
      const checkpoint = await make(index.next)
      const next = {
        version: 1 as const,
        next: index.next + 1,
        checkpoints: bounded([...index.checkpoints, checkpoint]),
      }
      await this.#save(next)
      this.#loaded = Promise.resolve(next)
      return checkpoint
    })
    this.#tail = added.catch(() => undefined)
    return added
  }

  #load(): Promise<Index> {
    this.#loaded ??= readFile(this.#file, 'utf8').then(
      (text) => parse(text),
      (failure: unknown) => {
        if (isSystemError(failure) && failure.code === 'ENOENT') return empty()
        throw failure
      },
    )
    return this.#loaded
  }

  async #save(index: Index): Promise<void> {
    await makeFolders(path.dirname(this.#file))
    const bytes = new TextEncoder().encode(JSON.stringify(index))
    await replaceFile(this.#file, bytes).catch(async (failure: unknown) => {
      if (!isSystemError(failure) || failure.code !== 'ENOENT') throw failure
      await createFile(this.#file, bytes, { mode: 0o600 })
    })
  }
}

const empty = (): Index => ({ version: 1, next: 1, checkpoints: [] })

function parse(text: string): Index {
  try {
    return Index.parse(JSON.parse(text))
  } catch {
    return empty()
  }
}

function bounded(all: readonly Checkpoint[]): Checkpoint[] {
  const kept = [...all]
  while (kept.length > MAX_CHECKPOINTS) {
    const automatic = kept.findIndex((checkpoint) => checkpoint.automatic)
    kept.splice(automatic === -1 ? 0 : automatic, 1)
  }
  return kept
}
