import { describe, expect, it } from 'vitest'
import { deriveInterrupted } from '../../../main/sessions/interrupted'
import type { EventBody } from '../../../preload/contract/events'
import { reduce } from '../../../preload/contract/reduce'
import { emptySessionState } from '../../../preload/contract/session-state'
import { chained, openedBody } from '../../fixtures/sessions/random-events'

const turn: EventBody = { type: 'turn.started', turn: 1, model: 'work:m' }
const call = (name: string, tool: string): EventBody => ({
  type: 'call.requested',
  call: name,
  tool,
  title: tool,
  subject: '',
  args: '{}',
})
const interrupted = (...bodies: EventBody[]) =>
  deriveInterrupted(chained([openedBody, ...bodies]).reduce(reduce, emptySessionState)).map((body) =>
    body.type === 'failed' ? body.error.message.replace(/ at \d\d:\d\d/, ' at TIME') : '',
  )

describe('what a crash interrupted', () => {
  it('is told call by call and once for the turn', () => {
    expect(interrupted(turn, call('1', 'bash'), call('2', 'grep'), call('3', 'bash'), call('4', 'read'))).toEqual([
      'Interrupted: one bash call, not run again.',
      'Interrupted: one grep call, not run again.',
      'Interrupted: one bash call, not run again.',
      'Interrupted: one read call, not run again.',
      'Plumbline ended unexpectedly at TIME. Restored up to the last event. Interrupted: 2 bash calls, one grep call and one read call, not run again.',
    ])
  })

  it('is the answer when no call ran, and nothing when nothing ran', () => {
    expect(interrupted(turn)).toEqual([
      'Plumbline ended unexpectedly at TIME. Restored up to the last event. Interrupted: the answer, which was not finished.',
    ])
    expect(interrupted(call('1', 'bash'))).toEqual(['Interrupted: one bash call, not run again.'])
    expect(interrupted()).toEqual([])
  })
})
