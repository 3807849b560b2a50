import type { Answer } from '../../preload/contract/effects'
import type { CallId, ModelRef, PermissionMode, SessionId, ToolsetName } from '../../preload/contract/ids'
import type { PromptContent, SessionSummary } from '../../preload/contract/session'
import { bridge } from '../bridge'
import { clearDraft, type Draft, type DraftKey, draftOf, restoreDraft, useComposer } from './composer-store'
import { openProject } from './project-actions'
import { showSession, useSession } from './session-store'
import { changeChoices, summaryOf, useSessions, whenSettled } from './sessions-store'
import { showToast, useUi } from './ui-store'

/** The draft on screen: that of the session, or that of the new one. */
export function currentDraftKey(): DraftKey {
  return useSession.getState().id ?? 'new'
}

/** Shows a session of the list. One of another project opens that project too. */
export async function selectSession(summary: SessionSummary): Promise<void> {
  if (useSessions.getState().project?.path !== summary.project) await openProject(summary.project)
  useUi.setState({ overlay: null })
  showSession(summary.id)
}

async function createSession(): Promise<SessionId> {
  const { project, choices } = useSessions.getState()
  if (project === null) throw new Error('Open a folder first.')
  const bypass = choices.mode === 'bypass'
  const summary = await bridge.session.create({
    project: project.path,
    toolset: choices.toolset,
    mode: bypass ? 'ask' : choices.mode,
    ...(choices.model === null ? {} : { model: choices.model }),
  })
  if (bypass && choices.confirmation !== null) {
    await bridge.session.setMode({ session: summary.id, mode: 'bypass', confirmation: choices.confirmation })
  }
  return summary.id
}

/** What a draft sends, or an empty list when there is nothing to send. Refused images are left out. */
export function promptContent(draft: Draft): PromptContent[] {
  const content: PromptContent[] = []
  for (const { name, mimeType, data, refused } of draft.attachments) {
    if (data !== null && refused === null) content.push({ type: 'image', name, mimeType, data })
  }
  if (draft.text.trim() !== '') content.push({ type: 'text', text: draft.text })
  return content
}

/**
 * Sends what the composer holds; without a session it makes one first. While a turn runs, `follow-up` waits for its
 * end and `steer` goes in after the running calls. The draft stays until the main process has taken it.
 */
export async function sendDraft(kind: 'follow-up' | 'steer'): Promise<void> {
  await whenSettled()
  const key = currentDraftKey()
  const content = promptContent(draftOf(useComposer.getState().drafts, key))
  if (content.length === 0) return
  const { id, state } = useSession.getState()
  const model = id === null ? useSessions.getState().choices.model : state.model
  if (model === null) {
    useUi.setState({ picker: 'model' })
    showToast({ text: 'No model is connected. Your message is kept.', level: 'warn' })
    return
  }
  const session = id ?? (await createSession())
  const running = id !== null && state.running !== null
  await bridge.session.prompt({ session, content, ...(running ? { kind } : {}) })
  clearDraft(key)
  if (id === null) showSession(session)
}

/** Sends text without the composer: from the command line, or to try again. */
export async function sendText(text: string): Promise<void> {
  const session = useSession.getState().id ?? (await createSession())
  await bridge.session.prompt({ session, content: [{ type: 'text', text }] })
  showSession(session)
}

/** Stops the running turn. */
export async function stopTurn(): Promise<void> {
  const { id } = useSession.getState()
  if (id !== null) await bridge.session.stop({ session: id })
}

/** Answers the question about a call of the session on screen. */
export async function answerCall(
  call: CallId,
  answer: Answer,
  extra: { readonly rule?: string; readonly note?: string } = {},
): Promise<void> {
  const { id } = useSession.getState()
  if (id === null) return
  await bridge.session.answer({ session: id, call, answer, ...extra })
}

/** Takes a queued message out; with `edit` its text goes back into the composer. */
export async function takeQueued(entry: string, edit: boolean): Promise<void> {
  const { id, state } = useSession.getState()
  if (id === null) return
  const queued = state.queue.find((candidate) => candidate.entry === entry)
  await bridge.session.removeQueued({ session: id, entry })
  if (!edit || queued === undefined) return
  restoreDraft(id, queued.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'))
}

/** Sends a queued message now; one that holds images stays where it is, and its turn comes after the next one. */
export async function sendQueued(entry: string): Promise<void> {
  const { id, state } = useSession.getState()
  const queued = state.queue.find((candidate) => candidate.entry === entry)
  if (id === null || queued === undefined) return
  const content = queued.content.flatMap((part) =>
    part.type === 'text' ? [{ type: 'text' as const, text: part.text }] : [],
  )
  const whole = queued.content.every((part) => part.type === 'text' && part.blob === undefined)
  if (!whole) return
  await bridge.session.removeQueued({ session: id, entry })
  await bridge.session.prompt({ session: id, content })
}

/** Chooses the model of the session on screen, or of the next new one. */
export async function setModel(model: ModelRef): Promise<void> {
  const { id } = useSession.getState()
  changeChoices({ model })
  if (id !== null) await bridge.session.setModel({ session: id, model })
}

/** Chooses the permission mode. `bypass` needs the word that the person typed. */
export async function setMode(mode: PermissionMode, confirmation: string | null = null): Promise<void> {
  const { id } = useSession.getState()
  if (id === null) {
    changeChoices({ mode, confirmation })
    return
  }
  await bridge.session.setMode({ session: id, mode, ...(confirmation === null ? {} : { confirmation }) })
}

/** Chooses the toolset of the session on screen, or of the next new one. */
export async function setToolset(toolset: ToolsetName): Promise<void> {
  const { id } = useSession.getState()
  changeChoices({ toolset })
  if (id !== null) await bridge.session.setToolset({ session: id, toolset })
}

/** Renames a session of the list. */
export async function renameSession(session: SessionId, title: string): Promise<void> {
  await bridge.session.rename({ session, title })
}

/** Archives a session or brings it back; archiving can be undone from the toast. */
export async function setArchived(session: SessionId, archived: boolean): Promise<void> {
  const title = summaryOf(session)?.title ?? 'Session'
  await bridge.session.setArchived({ session, archived })
  if (!archived) return
  if (useSession.getState().id === session) showSession(null)
  showToast({
    text: `“${title}” archived`,
    level: 'info',
    action: { label: 'Undo', run: () => void bridge.session.setArchived({ session, archived: false }) },
  })
}
