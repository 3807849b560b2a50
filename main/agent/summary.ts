import { basename } from 'node:path'
import type { SessionSummary } from '../../preload/contract/session'
import { itemAt, type SessionState } from '../../preload/contract/session-state'

/** The session's row in the list, out of its folded state. */
export function summarise(state: SessionState, stored: { archived: boolean }): SessionSummary {
  if (state.session === null) throw new TypeError('A session without its first event has no row')
  const changes = Object.values(state.sessionChanges)
  return {
    id: state.session,
    title: state.title,
    project: state.cwd,
    projectName: basename(state.cwd),
    ...activity(state),
    updatedAt: state.lastAt,
    added: changes.reduce((sum, file) => sum + file.added, 0),
    removed: changes.reduce((sum, file) => sum + file.removed, 0),
    cost: state.cost,
    archived: stored.archived,
  }
}

function activity(state: SessionState): Pick<SessionSummary, 'state' | 'detail'> {
  const [waiting] = state.waiting
  if (waiting !== undefined) {
    const item = itemAt(state, state.open[waiting] ?? -1)
    return { state: 'needs-you', detail: item?.kind === 'call' ? (item.ask?.question ?? item.title) : '' }
  }
  if (state.running !== null) return { state: 'running', detail: '' }
  const last = itemAt(state, state.length - 1)
  if (last?.kind === 'turn-end' && last.stop === 'failed') return { state: 'failed', detail: last.error?.message ?? '' }
  if (last?.kind === 'note' && last.source === 'interrupted') return { state: 'failed', detail: last.text }
  return { state: last?.kind === 'turn-end' ? 'done' : 'idle', detail: '' }
}
