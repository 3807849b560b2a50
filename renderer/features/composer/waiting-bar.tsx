import { goToRequest } from '../../commands/requests'
import { Button } from '../../components/button'
import { Icon } from '../../components/icon'
import { plural } from '../../lib/format'
import { openCall, useSession } from '../../store/session-store'
import { useSessions } from '../../store/sessions-store'
import { useUi } from '../../store/ui-store'

/** Says that calls wait for the person, here and in other sessions. It leaves when the cards here are in view. */
export function WaitingBar() {
  const id = useSession((state) => state.id)
  const state = useSession((session) => (session.state.waiting.length > 0 ? session.state : null))
  const visible = useUi((ui) => ui.visibleWaiting)
  const elsewhere = useSessions(
    ({ sessions }) => sessions.filter((summary) => summary.state === 'needs-you' && summary.id !== id).length,
  )
  const hidden = state?.waiting.filter((call) => !visible.includes(call)) ?? []
  if (hidden.length === 0 && elsewhere === 0) return null
  const subjects = state === null ? [] : hidden.flatMap((call) => openCall(state, call)?.subject ?? [])
  const here = hidden.length > 0
  return (
    <div className="waiting" role="status" data-testid="waiting">
      <Icon name="need" className="t-pending" />
      {here ? (
        <span className="grow cut">
          <b className="strong">
            {plural(hidden.length, 'request')} {hidden.length === 1 ? 'waits' : 'wait'} here
          </b>{' '}
          <span className="mid">{subjects.join(', ')}</span>
        </span>
      ) : (
        <span className="grow cut">
          <b className="strong">{plural(elsewhere, 'other session')}</b> {elsewhere === 1 ? 'waits' : 'wait'} for you
        </span>
      )}
      {here && elsewhere > 0 && <span className="mid hide-sm">and in {plural(elsewhere, 'other session')}</span>}
      <Button small shortcut="F8" onClick={() => goToRequest(1)}>
        {here ? 'Go to first' : 'Go there'}
      </Button>
    </div>
  )
}
