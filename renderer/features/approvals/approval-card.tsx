import { type KeyboardEvent, useId, useState } from 'react'
import type { Answer, Preview } from '../../../preload/contract/effects'
import type { CallItem } from '../../../preload/contract/session-state'
import { Button } from '../../components/button'
import { Icon } from '../../components/icon'
import { classNames } from '../../lib/class-names'
import { answerCall } from '../../store/session-actions'
import { reportActFailure } from '../../store/ui-store'

const answerKeys: Readonly<Record<string, Answer>> = { Enter: 'once', s: 'session', a: 'always', d: 'deny' }

function PreviewBody({ preview }: { readonly preview: Preview | undefined }) {
  switch (preview?.kind) {
    case 'command':
      return (
        <>
          <code className="cmd">
            <span className="p">$ </span>
            {preview.line}
          </code>
          <dl className="facts">
            <dt>Runs in</dt>
            <dd className="cut">
              <span className="mono">{preview.cwd}</span>,{' '}
              {preview.unsandboxed ? 'unsandboxed' : `sandbox ${preview.tier}`}
            </dd>
          </dl>
        </>
      )
    case 'diff':
      return (
        <dl className="facts">
          {preview.files.map((file) => (
            <div key={file.path} className="row">
              <dt>{file.kind}</dt>
              <dd className="cut mono">{file.path}</dd>
            </div>
          ))}
        </dl>
      )
    case 'request':
      return <code className="cmd">{`${preview.method} ${preview.url}`}</code>
    case 'text':
      return <code className="cmd">{preview.text}</code>
    case undefined:
      return null
  }
}

/** The question about one call: the effect above, the answers below. Single letters count while the focus is inside. */
export function ApprovalCard({ item }: { readonly item: CallItem }) {
  const heading = useId()
  const [answered, setAnswered] = useState(false)
  const { ask } = item
  if (ask === undefined) return null
  const harm = ask.harm === true
  const answer = (given: Answer) => {
    if (answered || (given !== 'deny' && !ask.scopes.includes(given))) return
    setAnswered(true)
    answerCall(item.call, given).catch((error: unknown) => {
      setAnswered(false)
      reportActFailure(error)
    })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target instanceof HTMLButtonElement || event.target instanceof HTMLInputElement) {
      if (event.key === 'Enter' || event.target instanceof HTMLInputElement) return
    }
    const given = answerKeys[event.key]
    if (given === undefined || (harm && given !== 'deny') || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    answer(given)
  }
  const offers = (scope: Answer) => ask.scopes.includes(scope)
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementInteractions: its keys count for everything inside
    <section
      className={classNames('approval', harm && 'harm')}
      data-testid="approval"
      aria-labelledby={heading}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <div className="ah">
        <Icon name={harm ? 'trash' : 'need'} />
        <h3 id={heading} className="cut">
          {ask.question}
        </h3>
        <span className="from right">{ask.reason}</span>
      </div>
      <PreviewBody preview={item.preview} />
      <div className="af">
        {offers('once') && (
          <Button
            kind={harm ? 'danger' : 'primary'}
            testId="approval-allow-once"
            shortcut={harm ? undefined : 'Enter'}
            disabled={answered}
            onClick={() => answer('once')}
          >
            Allow once
          </Button>
        )}
        {offers('session') && (
          <Button testId="approval-allow-session" shortcut="s" disabled={answered} onClick={() => answer('session')}>
            {ask.grant?.label ?? 'This session'}
          </Button>
        )}
        {offers('always') && (
          <Button
            kind="quiet"
            testId="approval-allow-always"
            shortcut="a"
            disabled={answered}
            onClick={() => answer('always')}
          >
            Always
          </Button>
        )}
        <Button
          kind="danger-quiet"
          className="right"
          testId="approval-deny"
          shortcut="d"
          disabled={answered}
          data-autofocus={harm ? '' : undefined}
          onClick={() => answer('deny')}
        >
          Deny
        </Button>
      </div>
    </section>
  )
}
