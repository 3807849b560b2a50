import { runCommand } from '../../commands/registry'
import { Icon } from '../../components/icon'
import { markLabel, StateMark } from '../../components/state-mark'
import { classNames } from '../../lib/class-names'
import { selectSession } from '../../store/session-actions'
import { useSession } from '../../store/session-store'
import { useSessions } from '../../store/sessions-store'
import { reportActFailure, useUi } from '../../store/ui-store'

/** Sessions on the rail of a narrow window: what fits without scrolling; the rest is in the palette. */
const RAIL_SESSIONS = 8

/** The session list of a narrow window: the state of the newest ones, one mark each. */
export function SessionRail() {
  const sessions = useSessions((state) => state.sessions)
  const current = useSession((state) => state.id)
  const newest = [...sessions]
    .filter((summary) => !summary.archived)
    .sort((left, right) => right.updatedAt - left.updatedAt)
    .slice(0, RAIL_SESSIONS)
  return (
    <nav className="rail l" aria-label="Sessions, collapsed">
      <button
        type="button"
        className="rb inset"
        aria-label="New session"
        title="New session"
        onClick={() => runCommand('session.new')}
      >
        <Icon name="plus" />
      </button>
      {newest.map((summary) => {
        const label = `${summary.title || 'New session'}, ${markLabel(summary.state)}`
        return (
          <button
            key={summary.id}
            type="button"
            className={classNames('rb inset', summary.id === current && 'on')}
            aria-label={label}
            title={label}
            onClick={() => void selectSession(summary).catch(reportActFailure)}
          >
            <StateMark state={summary.state} />
          </button>
        )
      })}
      <span className="grow" />
      <button
        type="button"
        className="rb inset"
        aria-label="Permissions"
        title="Permissions"
        onClick={() => useUi.setState({ overlay: 'permissions' })}
      >
        <Icon name="shield" />
      </button>
      <button
        type="button"
        className="rb inset"
        aria-label="Settings"
        title="Settings"
        onClick={() => useUi.setState({ overlay: 'settings' })}
      >
        <Icon name="sliders" />
      </button>
    </nav>
  )
}
