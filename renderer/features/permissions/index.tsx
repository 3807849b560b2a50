import { useCallback, useEffect, useId, useState } from 'react'
import type { PermissionEntry } from '../../../preload/contract/permissions'
import { bridge } from '../../bridge'
import { EmptyState, ErrorBlock } from '../../components/banner'
import { Button, IconButton } from '../../components/button'
import { Icon } from '../../components/icon'
import type { IconName } from '../../components/icon-sprite'
import { setProjectTrusted } from '../../store/project-actions'
import { useSession } from '../../store/session-store'
import { useSessions } from '../../store/sessions-store'
import { useSettings } from '../../store/settings-store'
import { reportActFailure, showToast } from '../../store/ui-store'
import { modes } from '../composer/choices'
import { change } from '../settings/setting'
import { SettingsNav } from '../settings/settings-nav'
import { isRemovable, rulesInOrder } from './entries'

const answers: Readonly<Record<PermissionEntry['kind'], readonly [IconName, string]>> = {
  deny: ['block', 'danger'],
  ask: ['need', 'pending'],
  allow: ['check', 'ok'],
  grant: ['check', 'ok'],
}

const sources: Readonly<Record<PermissionEntry['source'], readonly [string, string]>> = {
  managed: ['managed', 'outline'],
  'command-line': ['command line', 'outline'],
  project: ['project', 'accent'],
  user: ['user', 'info'],
  session: ['session', ''],
}

function ModeCard() {
  const values = useSettings((state) => state.values)
  const project = useSessions((state) => state.project)
  const mode = modes.find((choice) => choice.mode === values?.mode)
  return (
    <div className="card">
      <div className="p row wrap">
        <Icon name="shield" />
        <span className="med">Mode for new sessions</span>
        <fieldset className="seg" aria-label="Mode for new sessions">
          {modes
            .filter(({ mode: name, unavailable }) => name !== 'bypass' && !unavailable)
            .map(({ mode: name }) => (
              <button
                key={name}
                type="button"
                className="inset"
                aria-pressed={name === values?.mode}
                onClick={() => change({ mode: name })}
              >
                {name}
              </button>
            ))}
        </fieldset>
        {mode !== undefined && <span className="sm mid">{mode.description}.</span>}
      </div>
      {project !== null && (
        <div className="p row sm">
          <Icon name="folder" />
          <span className="grow">
            <b className="med break">{project.path}</b>{' '}
            {project.trusted
              ? 'is trusted: its rules and hooks count.'
              : 'is not trusted: rules and hooks that it brings don’t count.'}
          </span>
          <Button
            small
            kind={project.trusted ? 'quiet' : undefined}
            onClick={() => void setProjectTrusted(!project.trusted).catch(reportActFailure)}
          >
            {project.trusted ? 'Stop trusting' : 'Trust folder'}
          </Button>
        </div>
      )}
    </div>
  )
}

interface RowProps {
  readonly entry: PermissionEntry
  readonly onRemove: (entry: PermissionEntry) => void
}

function RuleRow({ entry, onRemove }: RowProps) {
  const [icon, tone] = answers[entry.kind]
  const [source, tag] = sources[entry.source]
  return (
    <tr>
      <td>
        <span className={`tag ${tone}`}>
          <Icon name={icon} small />
          {entry.kind}
        </span>
      </td>
      <td className="mono break">{entry.text}</td>
      <td>
        <span className={`tag ${tag}`} title={entry.file}>
          {source}
        </span>
      </td>
      <td>
        <span className="acts">
          {isRemovable(entry) ? (
            <IconButton icon="trash" label={`Remove rule ${entry.text}`} onClick={() => onRemove(entry)} />
          ) : (
            <span className="dim row" title={entry.file}>
              <Icon name="lock" small />
              {entry.source === 'project' ? 'in the project’s file' : source}
            </span>
          )}
        </span>
      </td>
    </tr>
  )
}

interface TableProps {
  readonly entries: readonly PermissionEntry[]
  readonly onRemove: (entry: PermissionEntry) => void
}

function Rules({ entries, onRemove }: TableProps) {
  const [filter, setFilter] = useState('')
  const heading = useId()
  const rules = rulesInOrder(entries)
  const shown = rules.filter(({ kind, text }) => `${kind} ${text}`.toLowerCase().includes(filter.trim().toLowerCase()))
  return (
    <section aria-labelledby={heading}>
      <div className="row table-head">
        <h2 id={heading}>Rules</h2>
        <span className="count">{rules.length}</span>
        <label className="field quiet right">
          <Icon name="filter" />
          <input
            placeholder="Filter"
            aria-label="Filter rules"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
          />
        </label>
      </div>
      {shown.length === 0 ? (
        <p className="sm dim">
          {rules.length === 0
            ? 'No rules. Every answer comes from the mode, or from you.'
            : 'No rule has these letters.'}
        </p>
      ) : (
        <table className="tbl">
          <thead>
            <tr>
              <th>Answer</th>
              <th>Rule</th>
              <th>From</th>
              <th>Actions</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((entry) => (
              <RuleRow key={`${entry.kind} ${entry.source} ${entry.text}`} entry={entry} onRemove={onRemove} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function Grants({ entries, onRemove, onRemoveAll }: TableProps & { readonly onRemoveAll: () => void }) {
  const heading = useId()
  const grants = entries.filter((entry) => entry.kind === 'grant')
  return (
    <section aria-labelledby={heading}>
      <div className="row table-head">
        <h2 id={heading}>Grants of this session</h2>
        <span className="count">{grants.length}</span>
        <span className="sm dim cut">Gone when the session ends.</span>
        {grants.length > 1 && (
          <Button small className="right" onClick={onRemoveAll}>
            Revoke all
          </Button>
        )}
      </div>
      {grants.length === 0 ? (
        <p className="sm dim">None. “For this session” on a request adds one.</p>
      ) : (
        <table className="tbl">
          <thead>
            <tr>
              <th>Covers</th>
              <th>Actions</th>
            </tr>
          </thead>
          <tbody>
            {grants.map((entry) => (
              <tr key={entry.text}>
                <td className="mono break">{entry.text}</td>
                <td>
                  <Button small kind="quiet" aria-label={`Revoke ${entry.text}`} onClick={() => onRemove(entry)}>
                    Revoke
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function SessionEntries({ session }: { readonly session: string }) {
  const [entries, setEntries] = useState<readonly PermissionEntry[] | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  // Answers may add a grant or a rule while the page is open.
  const waiting = useSession(({ state }) => state.waiting)
  const load = useCallback(
    () =>
      bridge.permissions.list({ session }).then(
        (list) => {
          setEntries(list)
          setFailure(null)
        },
        (error: unknown) => setFailure(error instanceof Error ? error.message : String(error)),
      ),
    [session],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answered request asks again
  useEffect(() => void load(), [load, waiting])

  const remove = async (removed: readonly PermissionEntry[]) => {
    try {
      for (const entry of removed) await bridge.permissions.remove({ session, entry })
      const [first] = removed
      const text = removed.length === 1 && first !== undefined ? first.text : `${removed.length} grants`
      showToast({ text: `Taken back: ${text}`, level: 'info' })
    } finally {
      await load()
    }
  }
  if (failure !== null) {
    return (
      <ErrorBlock
        level="danger"
        icon="fail"
        title="The rules can’t be read"
        actions={
          <Button small onClick={() => void load()}>
            Try again
          </Button>
        }
      >
        {failure}
      </ErrorBlock>
    )
  }
  if (entries === null) return null
  const attempt = (removed: readonly PermissionEntry[]) => void remove(removed).catch(reportActFailure)
  return (
    <>
      <Rules entries={entries} onRemove={(entry) => attempt([entry])} />
      <Grants
        entries={entries}
        onRemove={(entry) => attempt([entry])}
        onRemoveAll={() => attempt(entries.filter((entry) => entry.kind === 'grant'))}
      />
    </>
  )
}

/** Rules and grants in force: what they answer, where they come from, and how to take them back. */
export default function Permissions() {
  const session = useSession((state) => state.id)
  return (
    <div className="page settings-page" data-testid="permissions">
      <SettingsNav page="permissions" />
      <main className="scroll">
        <div className="doc">
          <h1 id="settings-permissions" tabIndex={-1}>
            Permissions
          </h1>
          <p className="lede">
            Deny beats ask, ask beats allow, whatever the file. What no rule covers, the mode decides.
          </p>
          <section>
            <ModeCard />
          </section>
          {session === null ? (
            <EmptyState title="No session on screen">
              Rules and grants are those of a session. Open one to see what is in force for it.
            </EmptyState>
          ) : (
            <SessionEntries session={session} />
          )}
        </div>
      </main>
    </div>
  )
}
