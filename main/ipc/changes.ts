import { type ChangeScope, changes, type DiffContent } from '../../preload/contract/changes'
import type { ChangedFile } from '../../preload/contract/effects'
import type { BlobRef } from '../../preload/contract/ids'
import { itemAt } from '../../preload/contract/session-state'
import type { LiveSession } from '../agent/types'
import { PlumblineError } from '../platform/errors'
import { decodeText } from './blob-text'
import type { BridgeGate } from './bridge-gate'
import type { DesktopServices, ServicesSource } from './desktop-services'
import { type GitChange, headContent, listGitChanges, workingContent } from './git-changes'
import { CountedVersions, countLines } from './line-counts'

/** Bytes of a side that is shown and counted; above that a diff view is of no help and costs whole frames. */
export const MAX_DIFF_BYTES = 1024 * 1024

/** Files read and compared side by side, at most `2 * MAX_DIFF_BYTES` each. */
const FILES_AT_ONCE = 8

/** What the person reviews: changes of the turn, of the session, against Git's HEAD, and those that wait for a yes. */
export function registerChanges(gate: BridgeGate, services: ServicesSource): void {
  const counted = new CountedVersions()
  gate.handle(changes, {
    list: async ({ session: id, scope }) => {
      const loaded = await services()
      const session = await loaded.sessions.open(id)
      if (scope !== 'git') return fewAtOnce(spanOf(session, scope), (file) => withCounts(session, file, counted))
      return listForReview(await gitChanges(loaded, session), session.state.cwd, counted)
    },
    diff: async ({ session: id, scope, path }) => {
      const loaded = await services()
      const session = await loaded.sessions.open(id)
      if (scope === 'git') {
        const change = (await gitChanges(loaded, session)).find((candidate) => candidate.file.path === path)
        if (change === undefined) throw new PlumblineError('not_found', `${path} does not differ from HEAD.`)
        return gitDiff(session.state.cwd, change)
      }
      const file = spanOf(session, scope).find((candidate) => candidate.path === path)
      if (file === undefined) throw new PlumblineError('not_found', `${path} is not among the changes.`)
      return blobDiff(session, file)
    },
    pending: async ({ session: id, call }) => {
      const session = await (await services()).sessions.open(id)
      const at = session.state.open[call]
      const item = at === undefined ? undefined : itemAt(session.state, at)
      if (item?.kind !== 'call') throw new PlumblineError('not_found', 'This call is not waiting any more.')
      const files = item.preview?.kind === 'diff' ? item.preview.files : []
      return Promise.all(files.map((file) => blobDiff(session, file)))
    },
  })
}

function spanOf(session: LiveSession, scope: Exclude<ChangeScope, 'git'>): ChangedFile[] {
  return Object.values(scope === 'turn' ? session.state.turnChanges : session.state.sessionChanges)
}

async function gitChanges(services: DesktopServices, session: LiveSession): Promise<GitChange[]> {
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

async function listForReview(found: GitChange[], cwd: string, counted: CountedVersions): Promise<ChangedFile[]> {
  return fewAtOnce(found, async ({ file, head }) => {
    if (head !== null || file.after === null || file.added > 0 || file.after.bytes > MAX_DIFF_BYTES) return file
    const text = decodeText(await workingContent(cwd, file.path, MAX_DIFF_BYTES).catch(() => new Uint8Array()))
    const counts = text === null ? undefined : await counted.of(file.after.id, () => countLines('', text))
    return { ...file, ...counts }
  })
}

/** Results in order; a long list must not hold all its contents in memory at once. */
async function fewAtOnce<Input, Output>(
  inputs: readonly Input[],
  work: (input: Input) => Promise<Output>,
): Promise<Output[]> {
  const results: Output[] = []
  for (let at = 0; at < inputs.length; at += FILES_AT_ONCE) {
    results.push(...(await Promise.all(inputs.slice(at, at + FILES_AT_ONCE).map(work))))
  }
  return results
}

/** Several edits of one file sum up to more than the diff between its ends; this counts that diff. */
async function withCounts(session: LiveSession, file: ChangedFile, counted: CountedVersions): Promise<ChangedFile> {
  const key = `${file.before?.id ?? ''}:${file.after?.id ?? ''}`
  const counts = await counted.of(key, async () => {
    const { before, after, notice } = await blobDiff(session, file)
    return notice === null ? countLines(before ?? '', after ?? '') : undefined
  })
  return { ...file, ...counts }
}

async function blobDiff(session: LiveSession, file: ChangedFile): Promise<DiffContent> {
  const sizes = [file.before?.bytes ?? 0, file.after?.bytes ?? 0]
  if (Math.max(...sizes) > MAX_DIFF_BYTES) return withoutText(file, tooLarge(Math.max(...sizes)))
  const read = async (ref: BlobRef | null) => (ref === null ? null : session.blob(ref.id))
  const [before, after] = await Promise.all([read(file.before), read(file.after)])
  return textDiff(file, before, after)
}

async function gitDiff(cwd: string, { file, head }: GitChange): Promise<DiffContent> {
  const [before, after] = await Promise.all([
    head === null ? null : headContent(cwd, head, MAX_DIFF_BYTES),
    file.after === null ? null : workingContent(cwd, file.path, MAX_DIFF_BYTES),
  ])
  if (Math.max(before?.byteLength ?? 0, after?.byteLength ?? 0) > MAX_DIFF_BYTES) {
    return withoutText(file, tooLarge(file.after?.bytes ?? MAX_DIFF_BYTES))
  }
  return textDiff(file, before, after)
}

function textDiff(file: ChangedFile, before: Uint8Array | null, after: Uint8Array | null): DiffContent {
  const left = before === null ? null : decodeText(before)
  const right = after === null ? null : decodeText(after)
  const binary = (before !== null && left === null) || (after !== null && right === null)
  if (binary) return withoutText(file, 'Binary file. Its bytes are kept, there is no text to compare.')
  return { file, before: left, after: right, notice: null }
}

function withoutText(file: ChangedFile, notice: string): DiffContent {
  return { file, before: null, after: null, notice }
}

function tooLarge(bytes: number): string {
  return `Too large to show here (${(bytes / 1024 / 1024).toFixed(1)} MB, the limit is 1 MB).`
}
