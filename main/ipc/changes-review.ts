import type { changes, LineComment } from '../../preload/contract/changes'
import type { LiveSession } from '../agent/types'
import { FileMoved } from '../editing/mutation'
import type { ReviewAct } from '../editing/review-engine'
import { reviewHunks } from '../editing/review-engine'
import { PlumblineError } from '../platform/errors'
import { newId } from '../platform/ids'
import type { DomainHandlers } from './bridge-gate'
import { gitChanges, type ReviewSources, reviewScope, spanOf } from './changes-sources'
import type { ServicesSource } from './desktop-services'

/** Characters of a rejected difference that the model is told; it can read the file for the rest. */
const MAX_TOLD = 4000

type Handlers = Pick<
  DomainHandlers<typeof changes.calls>,
  'mark' | 'acceptRest' | 'reject' | 'putBack' | 'save' | 'comments' | 'comment' | 'removeComment' | 'undo' | 'redo'
>

/** What the person does in a review. Everything that reaches the disk is journaled and told to the model. */
export function reviewHandlers(services: ServicesSource, sources: ReviewSources): Handlers {
  const open = async (id: string) => {
    const loaded = await services()
    const session = await loaded.sessions.open(id)
    return { ...loaded, session, scope: reviewScope(session) }
  }
  return {
    mark: async ({ session: id, hunks, state }) => {
      const { review, scope } = await open(id)
      await review.mark(scope, hunks, state === 'open' ? null : state)
    },
    acceptRest: async ({ session: id, scope: span, path }) => {
      const { review, scope, session } = await open(id)
      const { marks } = await review.state(scope)
      const names = await namesOf(session, span, path)
      const left = names.filter((name) => marks.get(name) !== 'accepted')
      await review.mark(scope, left, 'accepted')
      return left.length
    },
    reject: async ({ session: id, scope: span, path, hunk }) => {
      const { review, scope, session } = await open(id)
      const act = await review.reject(scope, await sources.file(session, span, path), hunk)
      await session.recordFiles(act, 'changed')
      await session.note(rejection(path, act), true)
    },
    putBack: async ({ session: id, hunk }) => {
      const { review, scope, session } = await open(id)
      const act = await review.putBack(scope, hunk)
      await session.recordFiles(act, 'changed')
      await session.note(
        `The person put the rejected change in ${act.path} back. Read the file before you edit it.`,
        true,
      )
    },
    save: async ({ session: id, scope: span, path, version, text }) => {
      const { review, scope, session } = await open(id)
      const { file } = await sources.file(session, span, path)
      const act = await review.save(scope, file, version, text)
      if (act === null) return
      await session.recordFiles(act, 'changed')
      await session.note(`The person edited your change in ${path} by hand. Read the file before you edit it.`, true)
    },
    comments: async ({ session: id }) => {
      const { review, scope } = await open(id)
      const { comments } = await review.state(scope)
      return comments.map(({ quote: _quote, ...comment }): LineComment => comment)
    },
    comment: async ({ session: id, now, ...said }) => {
      const { review, scope, session } = await open(id)
      const text = commentText(said)
      const entry = now === true ? '' : await session.note(text)
      if (now === true) await session.prompt([{ type: 'text', text }], 'steer')
      const comment = { id: newId('e'), ...said, entry }
      await review.comment(scope, (comments) => comments.push(comment))
      const { quote: _quote, ...kept } = comment
      return kept
    },
    removeComment: async ({ session: id, comment }) => {
      const { review, scope, session } = await open(id)
      const { comments } = await review.state(scope)
      const found = comments.find((candidate) => candidate.id === comment)
      if (found === undefined) throw new PlumblineError('not_found', 'This comment is not there any more.')
      if (session.state.queue.some((queued) => queued.entry === found.entry)) session.removeQueued(found.entry)
      await review.comment(scope, (all) => all.splice(all.indexOf(found), 1))
    },
    undo: async ({ session: id }) => takeBack(await open(id), 'undo'),
    redo: async ({ session: id }) => takeBack(await open(id), 'redo'),
  }

  async function namesOf(session: LiveSession, span: 'turn' | 'session' | 'git', path?: string): Promise<string[]> {
    if (span === 'git' && path === undefined) {
      const found = await gitChanges(await services(), session)
      const names: string[] = []
      for (const { file } of found) names.push(...(await namesOnDisk(session, span, file.path)))
      return names
    }
    if (path !== undefined) return namesOnDisk(session, span, path)
    const names: string[] = []
    for (const file of span === 'git' ? [] : spanOf(session, span)) {
      names.push(...(await sources.hunkNames(session, file)))
    }
    return names
  }

  async function namesOnDisk(session: LiveSession, span: 'turn' | 'session' | 'git', path: string): Promise<string[]> {
    const { review } = await services()
    const { file, before } = await sources.file(session, span, path)
    const hunks = await reviewHunks(file, before, await review.onDisk(reviewScope(session), file))
    return hunks.map((hunk) => hunk.id)
  }
}

type Opened = Pick<Awaited<ReturnType<ServicesSource>>, 'undo'> & { session: LiveSession }

async function takeBack({ undo, session }: Opened, what: 'undo' | 'redo') {
  const plan = await (what === 'undo' ? undo.planUndo(session.scope) : undo.planRedo(session.scope))
  const outcome = await undo[what](plan, session.scope).catch((failure: unknown) => {
    if (!(failure instanceof FileMoved)) throw failure
    throw new PlumblineError('conflict', 'The file changed meanwhile. Nothing was written.', { cause: failure })
  })
  if (outcome.failure !== undefined) throw outcome.failure
  const files = [...plan.files]
  await session.recordFiles({ entry: plan.entries[0]?.id ?? '', files }, 'restored')
  const names = files.map((file) => file.path)
  await session.note(
    `The person ${what === 'undo' ? 'undid' : 'did again'} the last change: ${names.join(', ')}. Read a file before you edit it.`,
    true,
  )
  return { what: plan.entries[0]?.tool ?? 'change', files: names }
}

function rejection(path: string, { at, lines }: ReviewAct): string {
  if (at === null) return `The person rejected your whole change of ${path}. It was taken back on disk.`
  const where = at.from === at.to ? `line ${at.from}` : `lines ${at.from}–${at.to}`
  const told = lines.length > MAX_TOLD ? `${lines.slice(0, MAX_TOLD)}\n…` : lines
  return `The person rejected a change in ${path}, ${where}. It was taken back on disk; read the file before you edit it.\n\`\`\`diff\n${told}\n\`\`\``
}

function commentText(said: { path: string; line: number; quote: string; text: string }): string {
  const quoted = said.quote === '' ? '' : `\n> ${said.quote.replaceAll('\n', '\n> ')}`
  return `The person says about ${said.path}, line ${said.line}:${quoted}\n${said.text}`
}
