import type { EventBody } from '../../preload/contract/events'
import { type CallItem, itemAt, type SessionState } from '../../preload/contract/session-state'

/**
 * What the last run left unfinished, as events: a `failed` for each call without an end, oldest first, then one for the
 * turn. Folded into `state` they settle it; nothing is run again.
 */
export function deriveInterrupted(state: SessionState): EventBody[] {
  const calls = openCalls(state)
  const events: EventBody[] = calls.map(({ call, tool }) => ({
    type: 'failed',
    what: 'call',
    call,
    error: { code: 'aborted', message: `Interrupted: one ${tool} call, not run again.` },
  }))
  if (state.running !== null) {
    const message = `Plumbline ended unexpectedly${clockTime(state.lastAt)}. Restored up to the last event. ${interruptedWords(calls)}`
    events.push({ type: 'failed', what: 'turn', error: { code: 'aborted', message } })
  }
  return events
}

function openCalls(state: SessionState): { call: string; tool: string }[] {
  return Object.entries(state.open)
    .sort(([, left], [, right]) => left - right)
    .map(([call, at]) => ({ call, tool: callItem(state, at)?.tool ?? 'tool' }))
}

function callItem(state: SessionState, at: number): CallItem | undefined {
  const item = itemAt(state, at)
  return item?.kind === 'call' ? item : undefined
}

function interruptedWords(calls: readonly { tool: string }[]): string {
  if (calls.length === 0) return 'Interrupted: the answer, which was not finished.'
  const counts = new Map<string, number>()
  for (const { tool } of calls) counts.set(tool, (counts.get(tool) ?? 0) + 1)
  const words = [...counts].map(([tool, count]) => (count === 1 ? `one ${tool} call` : `${count} ${tool} calls`))
  const last = words.pop()
  return `Interrupted: ${words.length > 0 ? `${words.join(', ')} and ${last}` : last}, not run again.`
}

function clockTime(at: number): string {
  if (at === 0) return ''
  const time = new Date(at)
  const digits = (value: number) => String(value).padStart(2, '0')
  return ` at ${digits(time.getHours())}:${digits(time.getMinutes())}`
}
