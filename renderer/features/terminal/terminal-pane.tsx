import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { TerminalInfo } from '../../../preload/contract/terminal'
import { Button, IconButton } from '../../components/button'
import { Icon } from '../../components/icon'
import { type TerminalExit, TerminalView } from './terminal-view'

interface FindBarProps {
  readonly view: TerminalView
  readonly onClose: () => void
}

function FindBar({ view, onClose }: FindBarProps) {
  const [text, setText] = useState('')
  const [found, setFound] = useState(true)
  const find = (back: boolean, wanted = text) => setFound(view.find(wanted, back))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') find(!event.shiftKey)
    else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <search className="term-find">
      <label className={found ? 'field' : 'field bad'}>
        <Icon name="search" />
        <input
          // biome-ignore lint/a11y/noAutofocus: the person has just asked for this field
          autoFocus
          aria-label="Find in terminal"
          placeholder="Find in terminal"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            find(true, event.target.value)
          }}
          onKeyDown={onKeyDown}
        />
        {!found && <span className="xs dim">none</span>}
      </label>
      <IconButton icon="down" className="up" label="Previous (Enter)" onClick={() => find(true)} />
      <IconButton icon="down" label="Next (Shift Enter)" onClick={() => find(false)} />
      <IconButton icon="x" label="Close (Esc)" onClick={onClose} />
    </search>
  )
}

function exitWords({ exitCode, signal }: TerminalExit): string {
  if (signal !== null) return `The shell was ended by ${signal}`
  return exitCode === null ? 'The shell has ended' : `The shell has ended, exit ${exitCode}`
}

interface TerminalPaneProps {
  /** The shell to show; null makes a new one, as large as the pane is. */
  readonly info: TerminalInfo | null
  readonly finding: boolean
  readonly onFinding: (finding: boolean) => void
  readonly create: (size: { readonly columns: number; readonly rows: number }) => Promise<TerminalInfo | null>
  readonly onEnded: () => void
  readonly onAgain: () => void
}

/** One shell on screen, and what to do when it has ended. */
export function TerminalPane({ info, finding, onFinding, create, onEnded, onAgain }: TerminalPaneProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<TerminalView | null>(null)
  const [text, setText] = useState('')
  const [exit, setExit] = useState<TerminalExit | null>(null)
  const shell = useRef<Promise<TerminalInfo | null> | null>(info === null ? null : Promise.resolve(info))
  const making = useRef(create)
  const ended = useRef(onEnded)
  const find = useRef(onFinding)
  making.current = create
  ended.current = onEnded
  find.current = onFinding

  useEffect(() => {
    if (frame.current === null) return
    let current = true
    const made = new TerminalView(frame.current, {
      onText: setText,
      onExit: (how) => {
        setExit(how)
        ended.current()
      },
      onFind: () => find.current(true),
    })
    setView(made)
    const attach = async () => {
      // A second view of the same pane takes the shell that the first one asked for.
      shell.current ??= making.current(made.size)
      const known = await shell.current
      if (current && known !== null) made.attach(known.id)
    }
    void attach()
    return () => {
      current = false
      setView(null)
      made.dispose()
    }
  }, [])

  return (
    <div className="term-pane">
      {finding && view !== null && (
        <FindBar
          view={view}
          onClose={() => {
            view.find('', false)
            onFinding(false)
            view.focus()
          }}
        />
      )}
      <div ref={frame} className="term" data-keys="terminal" />
      <div className="sr" role="log" aria-label="Terminal text" aria-live="off" data-terminal-text>
        {text}
      </div>
      {exit !== null && (
        <div className="term-end" role="status">
          <span className="grow">{exitWords(exit)}</span>
          <Button small onClick={onAgain}>
            Start again
          </Button>
        </div>
      )}
    </div>
  )
}
