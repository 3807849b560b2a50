import { create } from 'zustand'
import type { SessionId } from '../../preload/contract/ids'
import { bridge } from '../bridge'

/** The place where a draft belongs: a session, or the one that does not exist yet. */
export type DraftKey = SessionId | 'new'

/** Typing rests this long, in milliseconds, before the draft goes to disk. */
const SAVE_AFTER_MS = 300

export interface Attachment {
  readonly id: number
  readonly name: string
  readonly mimeType: string
  readonly bytes: number
  /** An object URL for the thumbnail; revoked when the attachment leaves. */
  readonly url: string | null
  readonly data: Uint8Array<ArrayBuffer> | null
  /** Why it can't be sent, for people. */
  readonly refused: string | null
}

export interface Draft {
  readonly text: string
  readonly attachments: readonly Attachment[]
}

const emptyDraft: Draft = { text: '', attachments: [] }

interface ComposerStore {
  readonly drafts: Readonly<Record<DraftKey, Draft | undefined>>
  /** A new object puts the focus into the composer. */
  readonly focusRequest: object | null
}

/** Unsent text and images, by session. The text is kept on disk by the main process. */
export const useComposer = create<ComposerStore>(() => ({ drafts: {}, focusRequest: null }))

const timers = new Map<DraftKey, ReturnType<typeof setTimeout>>()

/** Drafts that were changed since the window opened; the others are as they were kept. */
const typed = new Set<DraftKey>()

/** The draft of a session; always an object, the same one while nothing changes. */
export function draftOf(drafts: ComposerStore['drafts'], key: DraftKey): Draft {
  return drafts[key] ?? emptyDraft
}

function changeDraft(key: DraftKey, change: (draft: Draft) => Draft): void {
  useComposer.setState(({ drafts }) => ({ drafts: { ...drafts, [key]: change(draftOf(drafts, key)) } }))
}

/** Reads the kept draft of a session, unless the person has begun to type meanwhile. */
export async function loadDraft(key: DraftKey): Promise<void> {
  if (useComposer.getState().drafts[key] !== undefined) return
  const text = await bridge.app.getDraft(key)
  if (useComposer.getState().drafts[key] === undefined) changeDraft(key, (draft) => ({ ...draft, text }))
}

/** Takes what the person typed; it goes to disk shortly after. */
export function setDraftText(key: DraftKey, text: string): void {
  changeDraft(key, (draft) => ({ ...draft, text }))
  typed.add(key)
  clearTimeout(timers.get(key))
  timers.set(
    key,
    setTimeout(() => saveDraft(key), SAVE_AFTER_MS),
  )
}

function saveDraft(key: DraftKey): void {
  clearTimeout(timers.get(key))
  timers.delete(key)
  const text = draftOf(useComposer.getState().drafts, key).text
  void bridge.app.setDraft({ session: key, text }).catch(() => undefined)
}

/** Writes every draft that is not yet on disk: on leaving the field, hiding or closing the window. */
export function flushDrafts(): void {
  for (const key of [...timers.keys()]) saveDraft(key)
}

export function addAttachment(key: DraftKey, attachment: Attachment): void {
  changeDraft(key, (draft) => ({ ...draft, attachments: [...draft.attachments, attachment] }))
}

export function removeAttachment(key: DraftKey, id: number): void {
  changeDraft(key, (draft) => {
    const leaving = draft.attachments.find((attachment) => attachment.id === id)
    if (leaving?.url) URL.revokeObjectURL(leaving.url)
    return { ...draft, attachments: draft.attachments.filter((attachment) => attachment.id !== id) }
  })
}

/** Empties a draft that was sent, on disk too. */
export function clearDraft(key: DraftKey): void {
  for (const attachment of draftOf(useComposer.getState().drafts, key).attachments) {
    if (attachment.url) URL.revokeObjectURL(attachment.url)
  }
  changeDraft(key, () => emptyDraft)
  saveDraft(key)
}

/** Puts text back into the composer, before what is there. Attachments stay. */
export function restoreDraft(key: DraftKey, text: string): void {
  const before = draftOf(useComposer.getState().drafts, key).text
  setDraftText(key, before === '' ? text : `${text}\n${before}`)
}

/** Moves what was typed into one composer to another that shows now. Nothing happens when they are the same. */
export function moveDraft(from: DraftKey, to: DraftKey | null): void {
  if (to === null || to === from) return
  const { text } = draftOf(useComposer.getState().drafts, from)
  if (text === '' || !typed.has(from)) return
  setDraftText(from, '')
  restoreDraft(to, text)
}

export function focusComposer(): void {
  useComposer.setState({ focusRequest: {} })
}
