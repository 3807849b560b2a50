import { describe, expect, it } from 'vitest'
import type { EventBody } from '../../../preload/contract/events'
import { reduce } from '../../../preload/contract/reduce'
import { emptySessionState, itemAt, PAGE_SIZE, type SessionState } from '../../../preload/contract/session-state'
import { chained, openedBody, randomSession } from '../../fixtures/sessions/random-events'

const fold = (bodies: readonly EventBody[], state: SessionState = emptySessionState) =>
  chained(bodies, state.lastEvent).reduce(reduce, state)

const requested = (call: string, args = '{}'): EventBody => ({
  type: 'call.requested',
  call,
  tool: 'bash',
  title: 'Run',
  subject: 'true',
  args,
})
const finished = (call: string): EventBody => ({
  type: 'call.finished',
  call,
  ok: true,
  content: [{ type: 'text', text: `end of ${call}` }],
  ms: 1,
})
const notes = (count: number): EventBody[] =>
  Array.from({ length: count }, (_, index) => ({ type: 'notice', level: 'info', text: `note ${index}` }))

function callAt(state: SessionState, index: number) {
  const item = itemAt(state, index)
  if (item?.kind !== 'call') throw new Error(`No call at ${index}`)
  return item
}

describe('the session reducer', () => {
  it('gives the same state for live events and for those read back, in batches of any size', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const events = randomSession(seed, 900)
      const live = events.reduce(reduce, emptySessionState)
      let replayed = emptySessionState
      for (let start = 0, size = 1; start < events.length; start += size, size = (size * 7 + seed) % 97 || 1) {
        const batch: typeof events = JSON.parse(JSON.stringify(events.slice(start, start + size)))
        // A state that was stored between two batches is as good as one that was kept.
        replayed = batch.reduce(reduce, structuredClone(replayed))
      }
      expect(JSON.stringify(replayed)).toBe(JSON.stringify(live))
      expect(live.length).toBe(live.pages.flat().length)
    }
  })

  it('never changes what it was given', () => {
    const freeze = (value: unknown): void => {
      if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
      Object.freeze(value)
      Object.values(value).forEach(freeze)
    }
    let state = emptySessionState
    freeze(state)
    for (const event of randomSession(3, 600)) {
      freeze(event)
      state = reduce(state, event)
      freeze(state)
    }
    expect(state.length).toBeGreaterThan(PAGE_SIZE)
  })

  it('touches one page an event, however long the session is', () => {
    let state = fold([openedBody, requested('early'), ...notes(40 * PAGE_SIZE)])
    for (const body of [...notes(3), requested('late'), finished('late'), finished('early')]) {
      const next = fold([body], state)
      const changed = next.pages.filter((page, index) => page !== state.pages[index])
      expect(changed.length).toBeLessThanOrEqual(1)
      state = next
    }
    expect(callAt(state, 0).state).toBe('done')
  })

  it('updates a call whose page is long full', () => {
    const state = fold([openedBody, requested('slow'), ...notes(3 * PAGE_SIZE), finished('slow')])
    expect(callAt(state, 0)).toMatchObject({ state: 'done', content: [{ text: 'end of slow' }] })
    expect(state.open).toEqual({})
  })

  it('ignores calls that it does not know, and what comes after the end', () => {
    const before = fold([openedBody, requested('a'), finished('a')])
    const ask = { question: 'Run?', reason: 'mode ask', stage: 'mode', scopes: ['once' as const] }
    const bodies: EventBody[] = [
      { type: 'call.prepared', call: 'nobody', touches: [] },
      { type: 'call.asked', call: 'nobody', ask },
      { type: 'call.asked', call: 'a', ask },
      { type: 'call.answered', call: 'nobody', answer: 'once', by: 'person' },
      { type: 'call.progress', call: 'a', text: 'too late' },
      finished('constructor'),
      { type: 'failed', what: 'call', call: 'a', error: { code: 'aborted', message: 'x' } },
    ]
    const after = fold(bodies, before)
    expect(after.pages).toEqual(before.pages)
    expect(after.waiting).toEqual([])
    expect(after.open).toEqual({})
  })

  it('keeps a refusal through a preparation and an end that come after it', () => {
    const state = fold([
      openedBody,
      requested('a'),
      { type: 'call.answered', call: 'a', answer: 'deny', by: 'person' },
      { type: 'call.prepared', call: 'a', touches: [] },
      finished('a'),
    ])
    expect(callAt(state, 0).state).toBe('denied')
  })

  it('takes the arguments from the message when the request leaves them out', () => {
    const blob = { id: 'a'.repeat(64), bytes: 9000 }
    const state = fold([
      openedBody,
      {
        type: 'assistant.message',
        model: 'scripted:x',
        content: [
          { type: 'call', call: '__proto__', tool: 'bash', args: '{"command":"ls"}' },
          { type: 'call', call: 'long', tool: 'write', args: '{"content":"be', blob },
        ],
        usage: { input: 1, output: 1 },
        stop: 'calls',
        ms: 1,
      },
      requested('__proto__', ''),
      requested('long', ''),
      requested('nested', '{"own":1}'),
    ])
    expect(callAt(state, 1).args).toBe('{"command":"ls"}')
    expect(callAt(state, 2)).toMatchObject({ args: '{"content":"be', blob })
    expect(callAt(state, 3).args).toBe('{"own":1}')
    expect(state.announced).toEqual({})
  })

  it('joins changes of one file, whatever its name is', () => {
    const change = (path: string, before: string | null, after: string | null): EventBody => ({
      type: 'files.changed',
      call: null,
      entry: 'u1',
      files: [
        {
          path,
          kind: before === null ? 'added' : after === null ? 'deleted' : 'modified',
          before: before === null ? null : { id: before.repeat(64), bytes: 1 },
          after: after === null ? null : { id: after.repeat(64), bytes: 1 },
          added: 1,
          removed: 1,
        },
      ],
    })
    const state = fold([
      openedBody,
      change('__proto__', '1', '2'),
      change('__proto__', '2', '3'),
      change('b', null, '1'),
    ])
    expect(Object.keys(state.sessionChanges).sort()).toEqual(['__proto__', 'b'])
    expect(new Map(Object.entries(state.sessionChanges)).get('__proto__')).toMatchObject({
      before: { id: '1'.repeat(64) },
      after: { id: '3'.repeat(64) },
      added: 2,
    })
    expect(fold([change('__proto__', '3', '1'), change('b', '1', null)], state).sessionChanges).toEqual({})
  })
})
