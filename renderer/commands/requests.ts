import { selectSession } from '../store/session-actions'
import { useSession } from '../store/session-store'
import { useSessions } from '../store/sessions-store'
import { reportActFailure, revealCall } from '../store/ui-store'

/**
 * Goes to the next (`1`) or previous (`-1`) call that waits for the person: through those of the session on screen,
 * then to the next session that waits, then round again.
 */
export function goToRequest(direction: 1 | -1): void {
  const { id, state } = useSession.getState()
  const focused = document.activeElement?.closest('[data-call]')?.getAttribute('data-call') ?? null
  const at = focused === null ? -1 : state.waiting.indexOf(focused)
  const next = at === -1 ? (direction === 1 ? 0 : state.waiting.length - 1) : at + direction
  const call = state.waiting[next]
  if (call !== undefined) {
    revealCall(call)
    return
  }
  const elsewhere = useSessions
    .getState()
    .sessions.find((summary) => summary.state === 'needs-you' && summary.id !== id)
  if (elsewhere !== undefined) {
    void selectSession(elsewhere).catch(reportActFailure)
    return
  }
  const first = state.waiting.at(direction === 1 ? 0 : -1)
  if (first !== undefined) revealCall(first)
}
