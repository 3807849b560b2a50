import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { type Command, useCommands } from '../../commands/registry'
import { Icon } from '../../components/icon'
import type { IconName } from '../../components/icon-sprite'
import { KeyHint } from '../../components/key-hint'
import { classNames } from '../../lib/class-names'
import { formatWhen } from '../../lib/format'
import { selectSession } from '../../store/session-actions'
import { useSessions } from '../../store/sessions-store'
import { reportActFailure, useUi } from '../../store/ui-store'
import { matchScore, titleParts } from './match'

/** Results on the list: what a person reads before typing another letter. */
const MAX_RESULTS = 40

interface Result {
  readonly key: string
  readonly title: string
  readonly hint: string
  readonly icon: IconName
  readonly shortcut?: string | undefined
  readonly run: () => void
}

function commandResult(command: Command): Result {
  return {
    key: command.id,
    title: command.title,
    hint: command.hint ?? '',
    icon: command.icon ?? 'right',
    shortcut: command.keys?.[0],
    run: () => command.run(),
  }
}

function useResults(search: string): readonly Result[] {
  const commands = useCommands((state) => state.commands)
  const sessions = useSessions((state) => state.sessions)
  return useMemo(() => {
    const possible = [...commands.values()].filter((command) => !command.hidden && command.when?.() !== false)
    const opened: Result[] = sessions.map((summary) => ({
      key: summary.id,
      title: `Session: “${summary.title || 'New session'}”`,
      hint: formatWhen(summary.updatedAt, Date.now()),
      icon: 'clock',
      run: () => void selectSession(summary).catch(reportActFailure),
    }))
    const all = [...possible.map(commandResult), ...(search.trim() === '' ? [] : opened)]
    const scored = all.flatMap((result) => {
      const score = matchScore(result.title, search)
      return score === null ? [] : [{ result, score }]
    })
    scored.sort((left, right) => right.score - left.score)
    return scored.slice(0, MAX_RESULTS).map(({ result }) => result)
  }, [commands, sessions, search])
}

function close(): void {
  useUi.setState({ paletteOpen: false })
}

/** Finds and runs any command, and opens any session. */
export function Palette() {
  const [search, setSearch] = useState('')
  const [at, setAt] = useState(0)
  const results = useResults(search)
  const list = useId()
  const field = useRef<HTMLInputElement>(null)
  const chosen = Math.min(at, results.length - 1)

  useEffect(() => {
    const before = document.activeElement
    field.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  useEffect(() => {
    document.getElementById(`${list}-${chosen}`)?.scrollIntoView({ block: 'nearest' })
  }, [list, chosen])

  const run = (result: Result | undefined) => {
    if (result === undefined) return
    close()
    // The palette gives the focus back first, so that a command may move it.
    requestAnimationFrame(result.run)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) setAt((chosen + step + results.length) % Math.max(1, results.length))
    else if (event.key === 'Enter') run(results[chosen])
    else if (event.key === 'Escape') close()
    else if (event.key !== 'Tab') return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="scrim" onPointerDown={(event) => event.target === event.currentTarget && close()}>
      <div className="palette" data-testid="palette" role="dialog" aria-label="Command palette" onKeyDown={onKeyDown}>
        <div className="pin">
          <Icon name="search" className="dim" />
          <input
            ref={field}
            className="grow"
            role="combobox"
            aria-label="Search or run a command"
            aria-expanded="true"
            aria-controls={list}
            aria-activedescendant={`${list}-${chosen}`}
            placeholder="Search or run a command"
            value={search}
            onChange={(event) => {
              setSearch(event.target.value)
              setAt(0)
            }}
          />
          <KeyHint name="Escape" />
        </div>
        <div className="menu scroll" id={list} role="listbox" aria-label="Results" tabIndex={-1}>
          {results.length === 0 && <p className="mid none">Nothing is called that</p>}
          {results.map((result, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys for the whole list
            <div
              tabIndex={-1}
              key={result.key}
              id={`${list}-${index}`}
              className={classNames(index === chosen && 'on')}
              role="option"
              aria-selected={index === chosen}
              onClick={() => run(result)}
              onPointerMove={() => index !== chosen && setAt(index)}
            >
              <Icon name={result.icon} />
              <Title title={result.title} search={search} />
              <span className="dim sm">{result.hint}</span>
              {result.shortcut && <KeyHint name={result.shortcut} />}
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}

function Title({ title, search }: { readonly title: string; readonly search: string }) {
  return (
    <span className="grow cut">
      {titleParts(title, search).map((part) =>
        part.hit ? <mark key={part.text}>{part.text}</mark> : <span key={part.text}>{part.text}</span>,
      )}
    </span>
  )
}
