import { type KeyboardEvent, useRef, useState } from 'react'
import type { SessionSummary } from '../../../preload/contract/session'
import { IconButton } from '../../components/button'
import { LineCounts } from '../../components/line-counts'
import { Menu } from '../../components/menu'
import { StateMark } from '../../components/state-mark'
import { classNames } from '../../lib/class-names'
import { formatWhen } from '../../lib/format'
import { renameSession, selectSession, setArchived } from '../../store/session-actions'
import { reportActFailure } from '../../store/ui-store'

const attempt = (act: Promise<unknown>) => void act.catch(reportActFailure)

interface SessionRowProps {
  readonly summary: SessionSummary
  readonly selected: boolean
  readonly focusable: boolean
  readonly foreign: boolean
  readonly now: number
}

function detailTone(summary: SessionSummary): string {
  if (summary.state === 'needs-you') return 't-pending med'
  return summary.state === 'failed' ? 't-danger' : ''
}

function Meta({ summary, foreign, now }: Pick<SessionRowProps, 'summary' | 'foreign' | 'now'>) {
  const detail = summary.detail || (foreign ? summary.projectName : summary.archived ? 'Archived' : '')
  return (
    <span className="meta">
      <span className={classNames('cut', detailTone(summary))}>{detail}</span>
      <LineCounts added={summary.added} removed={summary.removed} />
      <span className="when">{summary.state === 'running' ? 'now' : formatWhen(summary.updatedAt, now)}</span>
    </span>
  )
}

function RenameField({ summary, onDone }: { readonly summary: SessionSummary; readonly onDone: () => void }) {
  const [title, setTitle] = useState(summary.title)
  const finish = () => {
    onDone()
    const next = title.trim()
    if (next !== '' && next !== summary.title) attempt(renameSession(summary.id, next))
  }
  return (
    <input
      className="ttl rename"
      aria-label="Session title"
      value={title}
      maxLength={200}
      ref={(element) => element?.select()}
      onChange={(event) => setTitle(event.target.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Enter') finish()
        if (event.key === 'Escape') onDone()
      }}
    />
  )
}

/** One session: its state as a shape, its title, and what it needs or changed. F2 renames. */
export function SessionRow({ summary, selected, focusable, foreign, now }: SessionRowProps) {
  const [renaming, setRenaming] = useState(false)
  const [menuOpen, setMenuOpen] = useState(false)
  const more = useRef<HTMLButtonElement>(null)
  const select = () => attempt(selectSession(summary))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      select()
    } else if (event.key === 'F2') setRenaming(true)
  }
  const title = summary.title || 'New session'
  return (
    <div
      className={classNames('session inset', selected && 'on', summary.archived && 'archived')}
      data-testid="session-row"
      data-session={summary.id}
      role="option"
      aria-selected={selected}
      tabIndex={focusable ? 0 : -1}
      title={title}
      onClick={select}
      onDoubleClick={() => setRenaming(true)}
      onKeyDown={onKeyDown}
    >
      <StateMark state={summary.archived ? 'archived' : summary.state} />
      {renaming ? (
        <RenameField summary={summary} onDone={() => setRenaming(false)} />
      ) : (
        <span className="ttl cut">{title}</span>
      )}
      <Meta summary={summary} foreign={foreign} now={now} />
      <IconButton
        ref={more}
        icon="more"
        label={`More for ${title}`}
        className="row-more"
        tabIndex={-1}
        onClick={(event) => {
          event.stopPropagation()
          setMenuOpen(true)
        }}
      />
      {menuOpen && (
        <Menu
          anchor={more}
          label={title}
          onClose={() => setMenuOpen(false)}
          entries={[
            { key: 'rename', label: 'Rename', icon: 'edit', run: () => setRenaming(true) },
            {
              key: 'archive',
              label: summary.archived ? 'Take out of the archive' : 'Archive',
              icon: 'archive',
              run: () => attempt(setArchived(summary.id, !summary.archived)),
            },
          ]}
        />
      )}
    </div>
  )
}
