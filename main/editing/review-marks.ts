import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { createFile, makeFolders, replaceFile } from '../platform/atomic-write'
import { isSystemError } from '../platform/errors'

/** Decisions that are kept for a session; the oldest give way. */
export const MAX_MARKS = 5000

/** Rejected hunks that can be put back; the oldest give way. */
export const MAX_REJECTED = 200

/** Comments that are kept for a session; the oldest give way. */
export const MAX_COMMENTS = 200

/** Name of the file in the session's folder, beside its blobs. */
const FILE_NAME = 'review.json'

const Mark = z.enum(['accepted', 'reviewed'])
export type Mark = z.infer<typeof Mark>

const Rejected = z.object({
  id: z.string(),
  path: z.string(),
  /** Line on the old side where it was, counted from 1. */
  from: z.number().int(),
  removed: z.string(),
  added: z.string(),
  /** Unchanged lines around it, by which its place is found again. */
  above: z.string(),
  below: z.string(),
  /** The files as the rejection found and left them; null where there was none. */
  found: z.string().nullable(),
  left: z.string().nullable(),
})
/** A hunk that was taken back on disk. Texts keep their line endings. */
export type RejectedHunk = z.infer<typeof Rejected>

const Comment = z.object({
  id: z.string(),
  path: z.string(),
  line: z.number().int(),
  quote: z.string(),
  text: z.string(),
  /** The entry in the session's queue under which it waits, or waited. */
  entry: z.string(),
})
/** What the person said about a line. */
export type ReviewComment = z.infer<typeof Comment>

const Review = z.object({
  version: z.literal(1),
  marks: z.array(z.tuple([z.string(), Mark])),
  rejected: z.array(Rejected),
  comments: z.array(Comment),
})

/** What the person decided in one session, as it is on disk. */
export interface ReviewState {
  readonly marks: Map<string, Mark>
  readonly rejected: RejectedHunk[]
  readonly comments: ReviewComment[]
}

/** Where the decisions of a session are kept. */
export interface ReviewStore {
  /** The decisions of the session whose folder this is; the same object each time, to be changed in place. */
  load(folder: string): Promise<ReviewState>
  /** Keeps within the limits, and writes. Resolves when it is on disk. */
  save(folder: string): Promise<void>
  /** Forgets a closed session; what was saved stays. */
  release?(folder: string): void
}

export function emptyReview(): ReviewState {
  return { marks: new Map(), rejected: [], comments: [] }
}

/**
 * Review decisions beside the journal, one small file a session, replaced as a whole. A file that can't be read counts as
 * empty: decisions are marks on what is on disk, and nothing is lost but the marks.
 */
export class ReviewMarks implements ReviewStore {
  readonly #open = new Map<string, Promise<ReviewState>>()
  readonly #writing = new Map<string, Promise<void>>()

  load(folder: string): Promise<ReviewState> {
    const known = this.#open.get(folder)
    if (known !== undefined) return known
    const loading = readReview(path.join(folder, FILE_NAME))
    this.#open.set(folder, loading)
    return loading
  }

  save(folder: string): Promise<void> {
    const before = this.#writing.get(folder) ?? Promise.resolve()
    const writing = before
      .catch(() => undefined)
      .then(async () => {
        const state = await this.load(folder)
        trim(state)
        const text = JSON.stringify({ version: 1, ...state, marks: [...state.marks] })
        await writeReview(path.join(folder, FILE_NAME), new TextEncoder().encode(text))
      })
    this.#writing.set(folder, writing)
    return writing
  }

  /** Forgets a closed session; its file stays. */
  release(folder: string): void {
    this.#open.delete(folder)
    this.#writing.delete(folder)
  }
}

function trim(state: ReviewState): void {
  for (const key of state.marks.keys()) {
    if (state.marks.size <= MAX_MARKS) break
    state.marks.delete(key)
  }
  state.rejected.splice(0, Math.max(0, state.rejected.length - MAX_REJECTED))
  state.comments.splice(0, Math.max(0, state.comments.length - MAX_COMMENTS))
}

async function readReview(file: string): Promise<ReviewState> {
  try {
    const found = Review.safeParse(JSON.parse(await readFile(file, 'utf8')))
    if (!found.success) return emptyReview()
    const { marks, rejected, comments } = found.data
    return { marks: new Map(marks), rejected, comments }
  } catch {
    return emptyReview()
  }
}

async function writeReview(file: string, bytes: Uint8Array): Promise<void> {
  await makeFolders(path.dirname(file))
  try {
    await replaceFile(file, bytes)
  } catch (failure) {
    if (!isSystemError(failure) || failure.code !== 'ENOENT') throw failure
    await createFile(file, bytes)
  }
}
