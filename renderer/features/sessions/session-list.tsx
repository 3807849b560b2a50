import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import type { SessionSummary } from '../../../preload/contract/session'
import { runCommand } from '../../commands/registry'
import { EmptyState } from '../../components/banner'
import { Button, IconButton } from '../../components/button'
import { Icon } from '../../components/icon'
import { KeyHint, withKey } from '../../components/key-hint'
import { useVirtualList, VirtualRows } from '../../components/virtual-list'
import { useSession } from '../../store/session-store'
import { useSessions } from '../../store/sessions-store'
import { useUi } from '../../store/ui-store'
import { type GroupName, groupSessions, type SessionGroup } from './groups'
import { SessionRow } from './session-row'

const GROUP_HEIGHT = 28
const SESSION_HEIGHT = 44

type Row =
  | { readonly kind: 'group'; readonly group: SessionGroup; readonly open: boolean }
  | { readonly kind: 'session'; readonly summary: SessionSummary }

function rowsOf(groups: readonly SessionGroup[], folded: ReadonlySet<GroupName>): readonly Row[] {
  return groups.flatMap((group): Row[] => {
    const open = !folded.has(group.name)
    const sessions = open ? group.sessions.map((summary): Row => ({ kind: 'session', summary })) : []
    return [{ kind: 'group', group, open }, ...sessions]
  })
}

/** The sessions of the project, with those of others and the archive below. */
export function SessionList() {
  const [search, setSearch] = useState('')
  return (
    <>
      <div className="side-head">
        <Button
          className="wide"
          icon="plus"
          testId="new-session"
          shortcut="Mod+N"
          onClick={() => runCommand('session.new')}
        >
          <span className="grow">New session</span>
        </Button>
        <label className="field quiet">
          <Icon name="search" />
          <input
            data-search="sessions"
            placeholder="Search all sessions"
            aria-label="Search all sessions"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || search === '') return
              event.preventDefault()
              setSearch('')
            }}
          />
          <KeyHint name="Mod+Shift+F" className="hide-md" />
        </label>
      </div>
      <Rows search={search} />
      <Foot />
    </>
  )
}

function Rows({ search }: { readonly search: string }) {
  const scroller = useRef<HTMLDivElement>(null)
  const sessions = useSessions((state) => state.sessions)
  const project = useSessions((state) => state.project)
  const current = useSession((state) => state.id)
  const [folded, setFolded] = useState<ReadonlySet<GroupName>>(() => new Set(['Other projects', 'Archived']))
  const now = Date.now()
  const groups = useMemo(
    () => groupSessions(sessions, project?.path, Date.now(), search),
    [sessions, project?.path, search],
  )
  const rows = useMemo(() => rowsOf(groups, search === '' ? folded : new Set()), [groups, folded, search])
  const virtualizer = useVirtualList({
    count: rows.length,
    scroller,
    estimateSize: (index) => (rows[index]?.kind === 'group' ? GROUP_HEIGHT : SESSION_HEIGHT),
    keyOf: (index) => {
      const row = rows[index]
      return row === undefined ? index : row.kind === 'group' ? row.group.name : row.summary.id
    },
  })
  const shown = rows.some((row) => row.kind === 'session' && row.summary.id === current)
  const firstSession = rows.findIndex((row) => row.kind === 'session')

  const toggle = (name: GroupName) => {
    const next = new Set(folded)
    if (!next.delete(name)) next.add(name)
    setFolded(next)
  }
  const renderRow = (index: number) => {
    const row = rows[index]
    if (row === undefined) return null
    if (row.kind === 'group')
      return <GroupHead group={row.group} open={row.open} onToggle={() => toggle(row.group.name)} />
    const { summary } = row
    const selected = summary.id === current
    return (
      <SessionRow
        summary={summary}
        selected={selected}
        focusable={selected || (!shown && index === firstSession)}
        foreign={summary.project !== project?.path}
        now={now}
      />
    )
  }
  return (
    <div
      ref={scroller}
      className="scroll"
      data-testid="session-list"
      role="listbox"
      aria-label={project === null ? 'Sessions' : `Sessions of ${project.name}`}
      tabIndex={-1}
      onKeyDown={moveRowFocus}
    >
      {rows.length === 0 && <NoSessions search={search} />}
      <VirtualRows virtualizer={virtualizer} renderRow={renderRow} />
    </div>
  )
}

function moveRowFocus(event: KeyboardEvent<HTMLElement>): void {
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
  const step = steps[event.key]
  if (step === undefined) return
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="option"]')]
  const next = rows[rows.indexOf(document.activeElement as HTMLElement) + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

function GroupHead({ group, open, onToggle }: { group: SessionGroup; open: boolean; onToggle: () => void }) {
  return (
    <button type="button" className="group-h inset" aria-expanded={open} onClick={onToggle}>
      <Icon name={open ? 'down' : 'right'} small />
      <span className="grow">{group.name}</span>
      {!open && <span>{group.sessions.length}</span>}
    </button>
  )
}

function NoSessions({ search }: { readonly search: string }) {
  if (search !== '')
    return (
      <EmptyState title={`No session mentions “${search}”`}>Titles and what they wait for were searched.</EmptyState>
    )
  return (
    <EmptyState title="No sessions yet">They are kept on disk under this project and listed here, always.</EmptyState>
  )
}

function Foot() {
  const open = useSessions(({ sessions }) => sessions.filter((summary) => !summary.archived).length)
  const archived = useSessions(({ sessions }) => sessions.length) - open
  return (
    <div className="side-foot">
      <IconButton
        icon="sliders"
        label={withKey('Settings', 'Mod+,')}
        onClick={() => useUi.setState({ overlay: 'settings' })}
      />
      <IconButton icon="shield" label="Permissions" onClick={() => useUi.setState({ overlay: 'permissions' })} />
      <span className="right xs dim hide-md">
        {open} open{archived > 0 && `, ${archived} archived`}
      </span>
    </div>
  )
}
