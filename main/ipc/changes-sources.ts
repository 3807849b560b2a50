import type { ChangeScope, ListedChange, ReviewedDiff, ReviewHunk } from '../../preload/contract/changes'
import type { ChangedFile } from '../../preload/contract/effects'
import type { LiveSession } from '../agent/types'
import { MAX_HUNK_BYTES, type ReviewedFile, type ReviewScope, reviewHunks, versionOf } from '../editing/review-engine'
import type { ReviewState } from '../editing/review-marks'
import { PlumblineError } from '../platform/errors'
import type { DesktopServices, ServicesSource } from './desktop-services'
import { MAX_DIFF_BYTES, textDiff, tooLarge, withoutText } from './diff-content'
import { type GitChange, headContent, listGitChanges, workingContent } from './git-changes'

/** Files read and compared side by side, at most twice `MAX_DIFF_BYTES` each. */
const FILES_AT_ONCE = 8

/** Pairs of versions whose hunks' names are remembered. */
const MAX_REMEMBERED = 2000

/** Characters of a rejected hunk that are shown; all of it is kept. */
const MAX_SHOWN_REJECTED = 64 * 1024

/** Results in order; a long list must not hold all its contents in memory at once. */
export async function fewAtOnce<Input, Output>(
  inputs: readonly Input[],
  work: (input: Input) => Promise<Output>,
): Promise<Output[]> {
  const results: Output[] = []
  for (let at = 0; at < inputs.length; at += FILES_AT_ONCE) {
    results.push(...(await Promise.all(inputs.slice(at, at + FILES_AT_ONCE).map(work))))
  }
  return results
}

/** The changed files of a turn or of the session, as its events say. */
export function spanOf(session: LiveSession, scope: Exclude<ChangeScope, 'git'>): ChangedFile[] {
  return Object.values(scope === 'turn' ? session.state.turnChanges : session.state.sessionChanges)
}

/** Changes against HEAD. Throws `access_denied` in a folder that is not trusted. */
export async function gitChanges(services: DesktopServices, session: LiveSession): Promise<GitChange[]> {
  const { cwd } = session.state
  // Filters that a repository configures are programs, and comparing runs them.
  if (!(await services.trust.isTrusted(cwd))) {
    throw new PlumblineError(
      'access_denied',
      'Comparing with Git can run programs that the folder configures. Trust the folder first.',
    )
  }
  return listGitChanges(cwd)
}

/** The session as its review sees it. */
export function reviewScope(session: LiveSession): ReviewScope {
  const { id, cwd, roots, narrowed, blobs } = session.scope
  return { id, cwd, roots, narrowed, blobs, folder: session.folder }
}

/** The two versions of every file under review, and what was decided about what differs between them. */
export class ReviewSources {
  readonly #services: ServicesSource
  readonly #hunks = new Map<string, readonly string[]>()

  constructor(services: ServicesSource) {
    this.#services = services
  }

  /** A changed file with its bytes from before. Throws `not_found` when it is not among the changes. */
  async file(session: LiveSession, scope: ChangeScope, path: string): Promise<ReviewedFile> {
    const services = await this.#services()
    if (scope === 'git') {
      const change = (await gitChanges(services, session)).find((candidate) => candidate.file.path === path)
      if (change === undefined) throw new PlumblineError('not_found', `${path} does not differ from HEAD.`)
      const { file, head } = change
      return { file, before: head === null ? null : await headContent(session.state.cwd, head, MAX_DIFF_BYTES) }
    }
    const found = spanOf(session, scope).find((candidate) => candidate.path === path)
    const file = found ?? emptied(await services.review.state(reviewScope(session)), path)
    if (file === undefined) throw new PlumblineError('not_found', `${path} is not among the changes.`)
    return { file, before: file.before === null ? null : await session.blob(file.before.id) }
  }

  /** Both sides, the later one as it is on disk, with the hunks and what was decided about them. */
  async diff(session: LiveSession, scope: ChangeScope, path: string): Promise<ReviewedDiff> {
    const { review } = await this.#services()
    const { file, before } = await this.file(session, scope, path)
    const onDisk = await this.#after(session, scope, file)
    const version = onDisk === null ? null : versionOf(onDisk)
    // Of a file that somebody removed, the session's own version is the last that there is to see.
    const after = onDisk === null && file.after !== null && scope !== 'git' ? await session.blob(file.after.id) : onDisk
    const outside = scope !== 'git' && version !== (file.after?.id ?? null)
    const state = await review.state(reviewScope(session))
    const hunks = await reviewHunks(file, before, after)
    const size = Math.max(before?.byteLength ?? 0, after?.byteLength ?? 0)
    const content =
      size > MAX_DIFF_BYTES ? withoutText(file, tooLarge(file.after?.bytes || size)) : textDiff(file, before, after)
    return {
      ...content,
      hunks: [...hunks.map((hunk) => shown(hunk, state)), ...rejectedOf(state, file, hunks)],
      version,
      outside,
    }
  }

  /** The names of what can be decided about a file of the session, without asking the disk for its content. */
  async hunkNames(session: LiveSession, file: ChangedFile): Promise<readonly string[]> {
    const key = `${file.path}\0${file.before?.id ?? ''}\0${file.after?.id ?? ''}`
    const known = this.#hunks.get(key)
    if (known !== undefined) return known
    const read = async (ref: ChangedFile['before']) => (ref === null ? null : session.blob(ref.id))
    const [before, after] = await Promise.all([read(file.before), read(file.after)])
    const names = (await reviewHunks(file, before, after)).map((hunk) => hunk.id)
    const [oldest] = this.#hunks.keys()
    if (oldest !== undefined && this.#hunks.size >= MAX_REMEMBERED) this.#hunks.delete(oldest)
    this.#hunks.set(key, names)
    return names
  }

  /** Says of every file how far its review is, and adds those that only rejected hunks are left of. */
  async withReview(
    session: LiveSession,
    files: readonly ChangedFile[],
    scope: Exclude<ChangeScope, 'git'>,
  ): Promise<ListedChange[]> {
    const { review } = await this.#services()
    const state = await review.state(reviewScope(session))
    const named = new Set(files.map((file) => file.path))
    const gone = scope === 'turn' ? [] : state.rejected.filter(({ path }) => !named.has(path))
    const emptyFiles = [...new Set(gone.map(({ path }) => path))].flatMap((path) => emptied(state, path) ?? [])
    return fewAtOnce([...files, ...emptyFiles], async (file) => {
      const large = Math.max(file.before?.bytes ?? 0, file.after?.bytes ?? 0) > MAX_HUNK_BYTES
      const names = large ? [] : await this.hunkNames(session, file)
      const rejected = state.rejected.filter(({ path, id }) => path === file.path && !names.includes(id)).length
      const decided = names.filter((name) => state.marks.has(name)).length
      return large
        ? file
        : { ...file, review: { hunks: names.length + rejected, decided: decided + rejected, rejected } }
    })
  }

  async #after(session: LiveSession, scope: ChangeScope, file: ChangedFile): Promise<Uint8Array | null> {
    if (scope === 'git') {
      return file.after === null ? null : workingContent(session.state.cwd, file.path, MAX_DIFF_BYTES)
    }
    const { review } = await this.#services()
    return review.onDisk(reviewScope(session), file)
  }
}

/** A file whose changes were all rejected: both its sides are what the last rejection left. */
function emptied(state: ReviewState, path: string): ChangedFile | undefined {
  const last = state.rejected.findLast((rejected) => rejected.path === path)
  if (last === undefined) return undefined
  const ref = last.left === null ? null : { id: last.left, bytes: 0 }
  const kind = last.left === null ? 'added' : last.found === null ? 'deleted' : 'modified'
  return { path, kind, before: ref, after: ref, added: 0, removed: 0 }
}

function shown(hunk: Awaited<ReturnType<typeof reviewHunks>>[number], state: ReviewState): ReviewHunk {
  const lines = 'removed' in hunk ? { before: hunk.before, after: hunk.after } : { before: null, after: null }
  return { id: hunk.id, state: state.marks.get(hunk.id) ?? 'open', ...lines }
}

/** Rejected hunks of a file, but those that are in it again. */
function rejectedOf(state: ReviewState, file: ChangedFile, hunks: readonly { id: string }[]): ReviewHunk[] {
  const there = new Set(hunks.map((hunk) => hunk.id))
  return state.rejected.flatMap(({ id, path, from, removed, added }) =>
    path !== file.path || there.has(id)
      ? []
      : [
          {
            id,
            state: 'rejected' as const,
            before: { from, count: 0 },
            after: null,
            rejected: { removed: removed.slice(0, MAX_SHOWN_REJECTED), added: added.slice(0, MAX_SHOWN_REJECTED) },
          },
        ],
  )
}
