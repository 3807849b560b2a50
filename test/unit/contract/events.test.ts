import { describe, expect, it } from 'vitest'
import { SessionEvent, transientEventTypes } from '../../../preload/contract/events'
import { chained, randomSession } from '../../fixtures/sessions/random-events'

const transient = chained([
  { type: 'assistant.delta', text: 'a', reasoning: 'b', call: { call: 'c', tool: 'bash', args: '{' } },
  { type: 'call.progress', call: 'c', text: 'line' },
])

describe('session events', () => {
  const events = [...transient, ...randomSession(1, 2000)]

  it.each(SessionEvent.options.map((option) => option.shape.type.value))('%s survives JSON and its schema', (type) => {
    const found = events.filter((event) => event.type === type)
    expect(found.length).toBeGreaterThan(0)
    for (const event of found) {
      const parsed = SessionEvent.parse(JSON.parse(JSON.stringify(event)))
      expect(JSON.stringify(parsed)).toBe(JSON.stringify(event))
    }
  })

  it('knows which types never reach a journal', () => {
    expect([...transientEventTypes].sort()).toEqual(['assistant.delta', 'call.progress'])
  })
})
