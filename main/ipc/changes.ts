import { changes } from '../../preload/contract/changes'
import type { ChangedFile } from '../../preload/contract/effects'
import { itemAt } from '../../preload/contract/session-state'
import type { LiveSession } from '../agent/types'
import { PlumblineError } from '../platform/errors'
import { decodeText } from './blob-text'
import type { BridgeGate } from './bridge-gate'
import { reviewHandlers } from './changes-review'
import { fewAtOnce, gitChanges, ReviewSources, spanOf } from './changes-sources'
import type { ServicesSource } from './desktop-services'
import { blobDiff, MAX_DIFF_BYTES } from './diff-content'
import { type GitChange, workingContent } from './git-changes'
import { CountedVersions, countLines } from './line-counts'

/** What the person reviews: changes of the turn, of the session, against Git's HEAD, and those that wait for a yes. */
export function registerChanges(gate: BridgeGate, services: ServicesSource): void {
  const counted = new CountedVersions()
  const sources = new ReviewSources(services)
  gate.handle(changes, {
    list: async ({ session: id, scope }) => {
      const loaded = await services()
      const session = await loaded.sessions.open(id)
      if (scope === 'git') return listForReview(await gitChanges(loaded, session), session.state.cwd, counted)
      const files = await fewAtOnce(spanOf(session, scope), (file) => withCounts(session, file, counted))
      return sources.withReview(session, files, scope)
    },
    diff: async ({ session: id, scope, path }) => {
      const session = await (await services()).sessions.open(id)
      return sources.diff(session, scope, path)
    },
    pending: async ({ session: id, call }) => {
      const session = await (await services()).sessions.open(id)
      const at = session.state.open[call]
      const item = at === undefined ? undefined : itemAt(session.state, at)
      if (item?.kind !== 'call') throw new PlumblineError('not_found', 'This call is not waiting any more.')
      const files = item.preview?.kind === 'diff' ? item.preview.files : []
      return Promise.all(files.map((file) => blobDiff(session, file)))
    },
    ...reviewHandlers(services, sources),
  })
}

async function listForReview(found: GitChange[], cwd: string, counted: CountedVersions): Promise<ChangedFile[]> {
  return fewAtOnce(found, async ({ file, head }) => {
    if (head !== null || file.after === null || file.added > 0 || file.after.bytes > MAX_DIFF_BYTES) return file
    const text = decodeText(await workingContent(cwd, file.path, MAX_DIFF_BYTES).catch(() => new Uint8Array()))
    const counts = text === null ? undefined : await counted.of(file.after.id, () => countLines('', text))
    return { ...file, ...counts }
  })
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
