import { type FocusEvent, type KeyboardEvent, useState } from 'react'
import type { SessionId } from '../../../preload/contract/ids'
import { EmptyState, ErrorBlock } from '../../components/banner'
import { Button, IconButton } from '../../components/button'
import { Icon } from '../../components/icon'
import { isMac } from '../../lib/platform'
import { useSession } from '../../store/session-store'
import './terminal.css'
import { TerminalPane } from './terminal-pane'
import { useTerminals } from './use-terminals'

const findKey = isMac ? '⌘ F' : 'Ctrl ⇧ F'

type Terminals = ReturnType<typeof useTerminals>

function TabRow({ terminals, onFind }: { readonly terminals: Terminals; readonly onFind: () => void }) {
  const { tabs, chosen, choose, add, close } = terminals
  const list = tabs ?? []
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const at = list.findIndex((tab) => tab.key === chosen)
    const next = list[(at + step + list.length) % list.length]
    if (step === 0 || next === undefined) return
    event.preventDefault()
    choose(next.key)
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next.key}"]`)?.focus()
  }
  return (
    <div className="term-tabs">
      <div className="row" role="tablist" aria-label="Terminals" onKeyDown={onKeyDown}>
        {list.map((tab, index) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            className="inset"
            data-tab={tab.key}
            aria-selected={tab.key === chosen}
            tabIndex={tab.key === chosen ? 0 : -1}
            onClick={() => choose(tab.key)}
          >
            <Icon name="term" small />
            <span className="cut">{tab.info?.title ?? 'shell'}</span>
            {list.length > 1 && <span className="dim">{index + 1}</span>}
            {tab.info?.alive === false && <span className="dim">ended</span>}
          </button>
        ))}
      </div>
      <IconButton icon="plus" label="New terminal" onClick={add} />
      <span className="right row">
        <IconButton icon="search" label={`Find in terminal (${findKey})`} onClick={onFind} />
        {chosen !== null && <IconButton icon="trash" label="Kill terminal" onClick={() => close(chosen, false)} />}
      </span>
    </div>
  )
}

function SessionTerminals({ session }: { readonly session: SessionId }) {
  const terminals = useTerminals(session)
  const [finding, setFinding] = useState(false)
  const { tabs, chosen, failure, create, markEnded, close, add } = terminals
  const tab = tabs?.find((candidate) => candidate.key === chosen)
  if (failure !== null && tab === undefined) {
    return (
      <ErrorBlock
        level="warn"
        icon="alert"
        title="The terminal could not be started"
        actions={
          <Button small onClick={add}>
            Try again
          </Button>
        }
      >
        {failure}
      </ErrorBlock>
    )
  }
  if (tabs === null) return null
  if (tab === undefined) {
    return (
      <EmptyState
        title="No terminal open"
        actions={
          <Button small onClick={add}>
            New terminal
          </Button>
        }
      >
        A shell in the project folder.
      </EmptyState>
    )
  }
  return (
    <div className="pane">
      <TabRow terminals={terminals} onFind={() => setFinding(!finding)} />
      <TerminalPane
        key={tab.key}
        info={tab.info}
        finding={finding}
        onFinding={setFinding}
        create={(size) => create(tab.key, size)}
        onEnded={() => markEnded(tab.key)}
        onAgain={() => close(tab.key, true)}
      />
    </div>
  )
}

/** The panel's own focus belongs to the shell, so that a command can aim at the panel. */
function passFocus(event: FocusEvent<HTMLElement>): void {
  if (event.target !== event.currentTarget) return
  const panel = event.currentTarget
  const inside = panel.querySelector<HTMLElement>('.xterm textarea') ?? panel.querySelector<HTMLElement>('button')
  inside?.focus()
}

/** The person's shells in the project folder. The agent's commands have their own rows in the transcript. */
export default function Terminal() {
  const session = useSession((state) => state.id)
  return (
    <section className="terminals" data-testid="terminal" aria-label="Terminal" tabIndex={-1} onFocus={passFocus}>
      {session === null ? (
        <EmptyState title="No terminal open">
          A shell belongs to a session: it opens here with the first message.
        </EmptyState>
      ) : (
        <SessionTerminals key={session} session={session} />
      )}
    </section>
  )
}
