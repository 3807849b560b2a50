import { memo, useState } from 'react'
import type { Item, MessageItem, NoteItem, PromptItem, TurnEndItem } from '../../../preload/contract/session-state'
import { ErrorBlock } from '../../components/banner'
import { Icon } from '../../components/icon'
import type { IconName } from '../../components/icon-sprite'
import { PartBoundary } from '../../components/part-boundary'
import { classNames } from '../../lib/class-names'
import { formatClock, formatCost, formatDuration, formatTokens } from '../../lib/format'
import { BlobText } from './blob-text'
import { CallRow } from './call-row'
import { StaticMarkdown } from './markdown'
import { StoredImage } from './stored-image'
import { TurnFailure } from './turn-failure'

function PromptRow({ item }: { readonly item: PromptItem }) {
  const images = item.content.filter((part) => part.type === 'image')
  return (
    <header className="ask" data-testid="message" data-role="user">
      <Icon name="bob" />
      <div>
        <div className="who">
          <h2 className="row">
            <b>You</b>
          </h2>
          <span>{formatClock(item.at)}</span>
          {item.turn > 0 && <span>turn {item.turn}</span>}
          {item.queued === 'steer' && <span className="tag accent">steered</span>}
          {item.queued === 'follow-up' && <span className="tag">was queued</span>}
        </div>
        {item.content.map((part, index) =>
          part.type === 'text' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of a sent message never move
            <BlobText key={index} text={part.text} blob={part.blob}>
              {(text) => <div className="txt">{text}</div>}
            </BlobText>
          ) : null,
        )}
        {images.length > 0 && (
          <div className="attach">
            {images.map((part) => (
              <StoredImage key={part.blob.id} part={part} />
            ))}
          </div>
        )}
      </div>
    </header>
  )
}

/** What the model thought, folded to one line. */
export function Reasoning({ text, label }: { readonly text: string; readonly label: string }) {
  const [shown, setShown] = useState(false)
  return (
    <>
      <button type="button" className="think inset" aria-expanded={shown} onClick={() => setShown(!shown)}>
        <Icon name={shown ? 'down' : 'right'} small />
        {label}
      </button>
      {shown && <div className="note thought">{text}</div>}
    </>
  )
}

function saysSomething(item: MessageItem): boolean {
  const words = item.content.some((part) => (part.type === 'call' ? part.cutOff === true : part.text.trim() !== ''))
  return words || item.stop === 'length' || item.stop === 'refused'
}

function MessageRow({ item }: { readonly item: MessageItem }) {
  const cutOff = item.content.some((part) => part.type === 'call' && part.cutOff === true)
  return (
    <div data-testid="message" data-role="assistant">
      {item.content.map((part, index) => {
        const key = `${part.type}-${index}`
        if (part.type === 'reasoning' && part.text.trim() !== '') {
          return (
            <BlobText key={key} text={part.text} blob={part.blob} eager>
              {(text) => <Reasoning text={text} label="Reasoned" />}
            </BlobText>
          )
        }
        if (part.type !== 'text' || part.text.trim() === '') return null
        return (
          <BlobText key={key} text={part.text} blob={part.blob} eager>
            {(text) => <StaticMarkdown text={text} />}
          </BlobText>
        )
      })}
      {cutOff && <div className="note">The model’s call was cut off and was not run. The model was told.</div>}
      {item.stop === 'length' && <div className="note">The answer ended at the model’s length limit.</div>}
      {item.stop === 'refused' && <div className="note">The model declined to answer.</div>}
    </div>
  )
}

const noteIcons: Readonly<Record<NoteItem['source'], IconName>> = {
  notice: 'alert',
  retry: 'refresh',
  setting: 'sliders',
  restored: 'undo',
  interrupted: 'fail',
  reminder: 'bell',
  compacted: 'low',
}

function NoteRow({ item }: { readonly item: NoteItem }) {
  const [shown, setShown] = useState(false)
  if (item.source === 'interrupted') {
    return (
      <div className="line-block">
        <ErrorBlock level="warn" icon="alert" title={item.text}>
          Everything up to this point is kept.
        </ErrorBlock>
      </div>
    )
  }
  const folds = item.source === 'compacted' || item.source === 'reminder'
  const title = item.source === 'compacted' ? 'Earlier messages were compacted' : 'Reminder to the model'
  return (
    <div className={classNames('noterow', item.level === 'warn' && 't-warn')}>
      <Icon name={noteIcons[item.source]} />
      {folds ? (
        <button type="button" className="inset" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {title}
        </button>
      ) : (
        <span>{item.text}</span>
      )}
      <span className="dim xs right">{formatClock(item.at)}</span>
      {folds && shown && <div className="note">{item.text}</div>}
    </div>
  )
}

const stopWords: Readonly<Partial<Record<TurnEndItem['stop'], string>>> = {
  stopped: 'Stopped by you',
  script_ended: 'The script ended',
  max_turns: 'The limit of model turns was reached',
  budget: 'The budget was used up',
  length: 'The answer ended at the model’s length limit',
  refused: 'The model declined to answer',
}

function TurnEndRow({ item }: { readonly item: TurnEndItem }) {
  if (item.error !== undefined) return <TurnFailure item={item} failure={item.error} />
  const facts = [
    formatDuration(item.ms),
    item.usage.input + item.usage.output > 0 &&
      `${formatTokens(item.usage.input)} in, ${formatTokens(item.usage.output)} out`,
    item.cost !== undefined && item.cost > 0 && formatCost(item.cost),
  ]
  const word = stopWords[item.stop]
  return (
    <div className="turn-end">
      <span className="cap" aria-hidden="true" />
      {word && <span className="mid">{word}</span>}
      <span>{facts.filter(Boolean).join(', ')}</span>
    </div>
  )
}

function RowContent({ item }: { readonly item: Item }) {
  switch (item.kind) {
    case 'prompt':
      return <PromptRow item={item} />
    case 'message':
      return <MessageRow item={item} />
    case 'call':
      return <CallRow item={item} />
    case 'note':
      return <NoteRow item={item} />
    case 'turn-end':
      return <TurnEndRow item={item} />
  }
}

interface TranscriptRowProps {
  readonly item: Item
  readonly position: number
  readonly setSize: number
}

/** One item on the line. Drawn again only when the item itself changed. */
export const TranscriptRow = memo(
  function TranscriptRow({ item, position, setSize }: TranscriptRowProps) {
    if (item.kind === 'message' && !saysSomething(item)) return null
    return (
      <article className={`turn is-${item.kind}`} aria-posinset={position} aria-setsize={setSize}>
        <PartBoundary what="This part of the conversation" of={item}>
          <RowContent item={item} />
        </PartBoundary>
      </article>
    )
  },
  // The size of the set grows with every item; a row that is read out takes it up when it is next drawn.
  (before, after) => before.item === after.item && before.position === after.position,
)

/** The place of an item whose page is on its way. */
export function MissingRow() {
  return <div className="turn missing" aria-hidden="true" />
}
