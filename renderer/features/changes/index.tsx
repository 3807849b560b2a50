import { type FocusEvent, useEffect, useState } from 'react'
import type { ChangeScope } from '../../../preload/contract/changes'
import { EmptyState, ErrorBlock } from '../../components/banner'
import { Button } from '../../components/button'
import { plural } from '../../lib/format'
import { setProjectTrusted } from '../../store/project-actions'
import { useSession } from '../../store/session-store'
import { useSessions } from '../../store/sessions-store'
import { reportActFailure, useUi } from '../../store/ui-store'
import { LineCounts } from '../transcript/evidence'
import './changes.css'
import { DiffPane } from './diff-pane'
import { FileList } from './file-list'
import { type ChangeList, useChangedFiles } from './use-changes'

const scopes: readonly { readonly scope: ChangeScope; readonly label: string; readonly where: string }[] = [
  { scope: 'turn', label: 'Turn', where: 'in this turn' },
  { scope: 'session', label: 'Session', where: 'in this session' },
  { scope: 'git', label: 'Git', where: 'against the last commit' },
]

interface ScopePickerProps {
  readonly scope: ChangeScope
  readonly onScope: (scope: ChangeScope) => void
}

function ScopePicker({ scope, onScope }: ScopePickerProps) {
  return (
    <fieldset className="seg" aria-label="Scope">
      {scopes.map((choice) => (
        <button
          key={choice.scope}
          type="button"
          className="inset"
          aria-pressed={choice.scope === scope}
          onClick={() => onScope(choice.scope)}
        >
          {choice.label}
        </button>
      ))}
    </fieldset>
  )
}

function Nothing({ list, scope, onScope }: ScopePickerProps & { readonly list: ChangeList }) {
  const inSession = useSession(({ state }) => Object.keys(state.sessionChanges).length)
  const untrusted = useSessions(({ project }) => scope === 'git' && project?.trusted === false)
  const { where } = scopes.find((choice) => choice.scope === scope) ?? { where: '' }
  if (list.failure !== null) {
    return (
      <ErrorBlock
        level="warn"
        icon="alert"
        title="The changed files can’t be listed"
        actions={
          untrusted && (
            <Button small onClick={() => void setProjectTrusted(true).catch(reportActFailure)}>
              Trust folder
            </Button>
          )
        }
      >
        {list.failure}
      </ErrorBlock>
    )
  }
  // Without an answer it is not known yet, and a short wait needs no words.
  if (!list.exact) return null
  return (
    <EmptyState
      title={`Nothing changed ${where}`}
      actions={
        <>
          {scope !== 'session' && inSession > 0 && (
            <Button small onClick={() => onScope('session')}>
              Show session
            </Button>
          )}
          {scope !== 'git' && (
            <Button small kind="quiet" onClick={() => onScope('git')}>
              Show Git
            </Button>
          )}
        </>
      }
    >
      {scope === 'turn' && inSession > 0
        ? `Session: ${plural(inSession, 'file')}.`
        : scope === 'git'
          ? 'The files on disk are those of the last commit, or there is no repository.'
          : 'Files appear here as they change, each with its difference.'}
    </EmptyState>
  )
}

/** The panel's own focus belongs to the list of files, so that a command can aim at the panel. */
function passFocus(event: FocusEvent<HTMLElement>): void {
  if (event.target !== event.currentTarget) return
  const panel = event.currentTarget
  const inside = panel.querySelector<HTMLElement>('[role="listbox"]') ?? panel.querySelector<HTMLElement>('button')
  inside?.focus()
}

/** What was changed, by file, in the turn, in the session or against Git, and the difference of the chosen file. */
export default function Changes() {
  const [scope, setScope] = useState<ChangeScope>('session')
  const [chosen, setChosen] = useState<string | null>(null)
  const target = useUi((state) => state.changesTarget)
  const session = useSession((state) => state.id)
  const list = useChangedFiles(scope)

  useEffect(() => {
    if (target === null) return
    setScope(target.scope)
    setChosen(target.path)
    useUi.setState({ changesTarget: null })
  }, [target])

  if (session === null) {
    return (
      <div data-testid="changes" tabIndex={-1}>
        <EmptyState title="No changes yet">Files appear here as they change, each with its difference.</EmptyState>
      </div>
    )
  }
  const file = list.files.find((candidate) => candidate.path === chosen) ?? list.files[0]
  const added = list.files.reduce((sum, changed) => sum + changed.added, 0)
  const removed = list.files.reduce((sum, changed) => sum + changed.removed, 0)
  return (
    <section className="changes" data-testid="changes" aria-label="Changes" tabIndex={-1} onFocus={passFocus}>
      <div className="sub">
        <ScopePicker scope={scope} onScope={setScope} />
        <LineCounts added={added} removed={removed} />
        {list.files.length > 0 && <span className="right xs mid">{plural(list.files.length, 'file')}</span>}
      </div>
      {file === undefined ? (
        <Nothing list={list} scope={scope} onScope={setScope} />
      ) : (
        <>
          <FileList files={list.files} chosen={file.path} onChoose={setChosen} />
          <DiffPane scope={scope} file={file} mark={list.mark} />
        </>
      )}
    </section>
  )
}
