import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { Button, IconButton } from '../../components/button'
import { Icon } from '../../components/icon'
import { withKey } from '../../components/key-hint'
import { classNames } from '../../lib/class-names'
import {
  type DraftKey,
  draftOf,
  flushDrafts,
  loadDraft,
  removeAttachment,
  setDraftText,
  useComposer,
} from '../../store/composer-store'
import { modelInfo, useModels } from '../../store/models-store'
import { sendDraft, stopTurn } from '../../store/session-actions'
import { useSession } from '../../store/session-store'
import { reportActFailure, useUi } from '../../store/ui-store'
import { AttachmentChip } from './attachment-chip'
import { attachFiles, imageFiles } from './attachments'
import { BypassConfirmation } from './bypass-confirmation'
import { ModelPicker, ModePicker, ToolsetPicker, useChosenModel } from './pickers'
import { QueueRows } from './queue-rows'
import { UsageRing } from './usage-ring'
import { WaitingBar } from './waiting-bar'

const attempt = (act: Promise<unknown>) => void act.catch(reportActFailure)

/** The place where a message is written, with what waits above it. */
export function Composer() {
  const confirming = useUi((state) => state.confirmingBypass)
  const draftKey = useSession((state) => state.id ?? 'new')
  return (
    <div className="composer-wrap">
      <WaitingBar />
      <QueueRows />
      {confirming && <BypassConfirmation />}
      <Field key={draftKey} draftKey={draftKey} />
    </div>
  )
}

function useFieldFocus(field: RefObject<HTMLTextAreaElement | null>): void {
  const request = useComposer((state) => state.focusRequest)
  useEffect(() => {
    if (request !== null) field.current?.focus()
  }, [request, field])
  // A session that is shown can be written to at once; a dialog or a card that has the focus keeps it.
  useEffect(() => {
    if (document.activeElement === document.body) field.current?.focus()
  }, [field])
}

function Field({ draftKey }: { readonly draftKey: DraftKey }) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [over, setOver] = useState(false)
  const [sending, setSending] = useState(false)
  const text = useComposer(({ drafts }) => draftOf(drafts, draftKey).text)
  const running = useSession(({ state }) => state.running !== null)
  useFieldFocus(field)
  useEffect(() => {
    attempt(loadDraft(draftKey))
    return flushDrafts
  }, [draftKey])

  const send = (kind: 'follow-up' | 'steer') => {
    if (sending) return
    setSending(true)
    sendDraft(kind)
      .catch(reportActFailure)
      .finally(() => setSending(false))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.altKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send(event.ctrlKey || event.metaKey ? 'steer' : 'follow-up')
  }
  const onPaste = (event: ClipboardEvent) => {
    const files = imageFiles(event.clipboardData)
    if (files.length === 0) return
    event.preventDefault()
    attempt(attachFiles(draftKey, files))
  }
  const onDrop = (event: DragEvent) => {
    setOver(false)
    const files = imageFiles(event.dataTransfer)
    if (files.length === 0) return
    event.preventDefault()
    event.stopPropagation()
    attempt(attachFiles(draftKey, files))
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a drop target; every way in also has a button
    <div
      className={classNames('composer', over && 'over')}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <Attachments draftKey={draftKey} />
      <textarea
        ref={field}
        className="in"
        data-testid="composer"
        aria-label="Message"
        placeholder={running ? 'Add to the running work' : 'Say what should change'}
        value={text}
        rows={2}
        onChange={(event) => setDraftText(draftKey, event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={flushDrafts}
      />
      <Tools draftKey={draftKey} running={running} sending={sending} send={send} />
    </div>
  )
}

function Attachments({ draftKey }: { readonly draftKey: DraftKey }) {
  const attachments = useComposer(({ drafts }) => draftOf(drafts, draftKey).attachments)
  const providers = useModels((models) => models.providers)
  const accepted = modelInfo(providers, useChosenModel())?.images ?? true
  if (attachments.length === 0) return null
  return (
    <div className="attach">
      {attachments.map((attachment) => (
        <AttachmentChip
          key={attachment.id}
          attachment={attachment}
          accepted={accepted}
          onRemove={() => removeAttachment(draftKey, attachment.id)}
        />
      ))}
    </div>
  )
}

interface ToolsProps {
  readonly draftKey: DraftKey
  readonly running: boolean
  readonly sending: boolean
  readonly send: (kind: 'follow-up' | 'steer') => void
}

function Tools({ draftKey, running, sending, send }: ToolsProps) {
  const files = useRef<HTMLInputElement>(null)
  const empty = useComposer(({ drafts }) => {
    const draft = draftOf(drafts, draftKey)
    return draft.text.trim() === '' && !draft.attachments.some((attachment) => attachment.refused === null)
  })
  const sendLabel = running ? 'Queue for after this turn (Enter)' : 'Send (Enter)'
  return (
    <div className="tools">
      <IconButton icon="clip" label="Add image" onClick={() => files.current?.click()} />
      <input
        ref={files}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp,image/bmp"
        multiple
        hidden
        onChange={(event) => {
          attempt(attachFiles(draftKey, [...(event.target.files ?? [])]))
          event.target.value = ''
        }}
      />
      <ModelPicker />
      <ModePicker />
      <ToolsetPicker />
      <span className="grow" />
      <UsageRing />
      {running && (
        <>
          <Button
            small
            className="stop"
            testId="stop"
            icon="stop"
            shortcut="Escape"
            onClick={() => attempt(stopTurn())}
          >
            Stop
          </Button>
          <IconButton
            icon="steer"
            testId="steer"
            label={withKey('Steer the running turn', 'Mod+Enter')}
            disabled={empty || sending}
            onClick={() => send('steer')}
          />
        </>
      )}
      <button
        type="button"
        className="send"
        data-testid="send"
        aria-label={sendLabel}
        title={sendLabel}
        disabled={empty || sending}
        onClick={() => send('follow-up')}
      >
        <Icon name={running ? 'queue' : 'send'} />
      </button>
    </div>
  )
}
