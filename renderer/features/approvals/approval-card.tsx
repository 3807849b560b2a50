import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import type { Answer, Ask } from '../../../preload/contract/effects'
import type { CallItem } from '../../../preload/contract/session-state'
import { Button } from '../../components/button'
import { Icon } from '../../components/icon'
import { classNames } from '../../lib/class-names'
import { answerCall } from '../../store/session-actions'
import { useSession } from '../../store/session-store'
import { reportActFailure } from '../../store/ui-store'
import { LineCounts } from '../transcript/evidence'
import { answerForKey, grantWords, harmWords, offers } from './answer-keys'
import './approvals.css'
import { EffectBody } from './effect-body'

interface AnswerRowProps {
  readonly ask: Ask
  readonly note: string
  readonly onNote: (note: string) => void
  readonly onAnswer: (answer: Answer) => void
}

function AnswerRow({ ask, note, onNote, onAnswer }: AnswerRowProps) {
  const harm = ask.harm === true
  const cwd = useSession(({ state }) => state.cwd)
  return (
    <div className="af">
      {offers(ask, 'once') && (
        <Button
          kind={harm ? 'danger' : 'primary'}
          testId="approval-allow-once"
          shortcut={harm ? undefined : 'Enter'}
          onClick={() => onAnswer('once')}
        >
          {harm ? harmWords(ask.question) : 'Allow once'}
        </Button>
      )}
      {offers(ask, 'session') && (
        <Button
          testId="approval-allow-session"
          shortcut={harm ? undefined : 's'}
          title={ask.grant === undefined ? undefined : `Grants ${ask.grant.key} until this session ends`}
          onClick={() => onAnswer('session')}
        >
          <span className="cut">{grantWords(ask, cwd).button}</span>
        </Button>
      )}
      {offers(ask, 'always') && (
        <Button
          kind="quiet"
          testId="approval-allow-always"
          shortcut={harm ? undefined : 'a'}
          onClick={() => onAnswer('always')}
        >
          Always
        </Button>
      )}
      <span className="row deny">
        <input
          className="field deny-note"
          placeholder="Reason for the model, if denied"
          aria-label="Reason for the model, if denied"
          maxLength={8192}
          value={note}
          onChange={(event) => onNote(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            event.preventDefault()
            onAnswer('deny')
          }}
        />
        <Button
          kind={harm ? undefined : 'danger-quiet'}
          testId="approval-deny"
          shortcut="d"
          data-autofocus={harm ? '' : undefined}
          onClick={() => onAnswer('deny')}
        >
          Deny
        </Button>
      </span>
    </div>
  )
}

interface RuleRowProps {
  readonly rule: string
  readonly onRule: (rule: string) => void
  readonly onAdd: () => void
}

/** The rule that "always" adds, for the person to change before it counts. */
function RuleRow({ rule, onRule, onAdd }: RuleRowProps) {
  return (
    <label className="rule">
      <span className="row">
        <span className="dim">Always would add</span>
        <span className="field grow">
          <input
            className="mono"
            aria-label="Rule that Always would add"
            spellCheck={false}
            maxLength={1024}
            value={rule}
            onChange={(event) => onRule(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
              event.preventDefault()
              onAdd()
            }}
          />
        </span>
        <span className="dim">to your settings</span>
      </span>
    </label>
  )
}

function placeOf(target: EventTarget): 'card' | 'button' | 'field' {
  if (target instanceof HTMLInputElement) return 'field'
  return target instanceof HTMLButtonElement ? 'button' : 'card'
}

/** When an answered card goes away with the focus in it, its call row takes the focus: the reader's place is not lost. */
function useFocusReturn(card: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = card.current
    return () => {
      if (element === null || !element.contains(document.activeElement)) return
      const row = element.closest('[data-call]')?.querySelector<HTMLElement>(':scope > button')
      requestAnimationFrame(() => row?.focus({ preventScroll: true }))
    }
  }, [card])
}

/** Lines that a change adds and removes, unless the question says so itself. */
function Counts({ item }: { readonly item: CallItem }) {
  if (item.preview?.kind !== 'diff' || /[+−]\d/.test(item.ask?.question ?? '')) return null
  const { files } = item.preview
  return (
    <LineCounts
      added={files.reduce((sum, file) => sum + file.added, 0)}
      removed={files.reduce((sum, file) => sum + file.removed, 0)}
    />
  )
}

function Origin({ item }: { readonly item: CallItem }) {
  const at = useSession(({ state }) => state.waiting.indexOf(item.call))
  const count = useSession(({ state }) => state.waiting.length)
  if (count < 2 || at === -1) return null
  return (
    <span className="from right xs">
      {at + 1} of {count}
    </span>
  )
}

/**
 * The question about one call: the effect above, the answers below. It never takes the focus by itself; its keys count
 * while the focus is inside. Where something is lost, yes is a deliberate press on its button and nothing else.
 */
export function ApprovalCard({ item }: { readonly item: CallItem }) {
  const heading = useId()
  const card = useRef<HTMLElement>(null)
  const [sent, setSent] = useState(false)
  const [note, setNote] = useState('')
  const [rule, setRule] = useState(item.ask?.rule ?? '')
  useFocusReturn(card)
  const { ask } = item
  if (ask === undefined) return null
  const harm = ask.harm === true
  const answer = (given: Answer) => {
    if (sent || !offers(ask, given)) return
    setSent(true)
    const extra =
      given === 'deny' && note.trim() !== ''
        ? { note: note.trim() }
        : given === 'always' && rule.trim() !== ''
          ? { rule: rule.trim() }
          : {}
    answerCall(item.call, given, extra).catch((error: unknown) => {
      setSent(false)
      reportActFailure(error)
    })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const place = placeOf(event.target)
    if (harm && event.key === 'Enter' && event.target instanceof HTMLElement && event.target.matches('.danger')) {
      event.preventDefault()
      return
    }
    const { key, ctrlKey, metaKey, altKey, repeat } = event
    const given = answerForKey(ask, { key, ctrlKey, metaKey, altKey, repeat, place })
    if (given === null) return
    event.preventDefault()
    answer(given)
  }
  return (
    <section
      ref={card}
      className={classNames('approval', harm && 'harm', sent && 'sent')}
      data-testid="approval"
      aria-labelledby={heading}
      aria-busy={sent}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <div className="ah">
        <Icon name={harm ? 'trash' : 'need'} />
        <h3 id={heading} className="cut" title={ask.question}>
          {ask.question}
        </h3>
        <Counts item={item} />
        <Origin item={item} />
      </div>
      <EffectBody call={item.call} preview={item.preview} ask={ask} />
      {offers(ask, 'always') && ask.rule !== undefined && (
        <RuleRow rule={rule} onRule={setRule} onAdd={() => answer('always')} />
      )}
      <AnswerRow ask={ask} note={note} onNote={setNote} onAnswer={answer} />
    </section>
  )
}
