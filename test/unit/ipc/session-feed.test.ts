import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MAX_UNACKNOWLEDGED, OutgoingStream } from '../../../main/ipc/outgoing-stream'
import { DELTA_MS, FRAME_MS, MAX_MESSAGE_CHARACTERS, SessionFeed } from '../../../main/ipc/session-feed'
import type { SessionEvent } from '../../../preload/contract/events'
import { reduce } from '../../../preload/contract/reduce'
import type { SessionUpdate } from '../../../preload/contract/session'
import { emptySessionState, PAGE_SIZE, type SessionState } from '../../../preload/contract/session-state'
import { FakeSession } from '../../support/fake-services'

let session: FakeSession
let sent: SessionUpdate[]
let stream: OutgoingStream<SessionUpdate>
let prompt: boolean

/** A window that acknowledges at once while `prompt` is set. */
function connect() {
  sent = []
  prompt = true
  stream = new OutgoingStream<SessionUpdate>(
    {
      item: (item) => {
        sent.push(structuredClone(item) as SessionUpdate)
        if (prompt) queueMicrotask(() => stream.acknowledge())
      },
      ended: () => undefined,
    },
    () => undefined,
  )
}

async function start(indexed = Promise.resolve()) {
  session = new FakeSession({ cwd: '/p' }, indexed)
  const feed = SessionFeed.start(session, stream)
  await vi.advanceTimersByTimeAsync(1)
  return feed
}

const frame = () => vi.advanceTimersByTimeAsync(DELTA_MS)
const types = () =>
  sent.map((update) => (update.type === 'events' ? update.events.map((event) => event.type) : 'snapshot'))
const eventsOf = (update: SessionUpdate | undefined): SessionEvent[] => (update?.type === 'events' ? update.events : [])

/** What a window shows that got these updates. */
function shown(): SessionState {
  let state = emptySessionState
  for (const update of sent) {
    if (update.type === 'snapshot') state = update.snapshot.state
    else state = update.events.reduce(reduce, state)
  }
  return state
}

beforeEach(() => {
  vi.useFakeTimers()
  connect()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('SessionFeed', () => {
  it('sends a snapshot first and then what happens, once a frame', async () => {
    await start()
    expect(types()).toEqual(['snapshot'])
    session.emit({ type: 'turn.started', turn: 1, model: 'scripted:a' })
    session.emit({ type: 'assistant.delta', text: 'Hel' })
    expect(types()).toEqual(['snapshot'])
    await frame()
    expect(types()).toEqual(['snapshot', ['turn.started', 'assistant.delta']])
  })

  it('lets text gather for longer than a frame, and nothing else wait for that', async () => {
    await start()
    session.emit({ type: 'assistant.delta', text: 'a' })
    await vi.advanceTimersByTimeAsync(FRAME_MS)
    session.emit({ type: 'assistant.delta', text: 'b' })
    expect(sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(DELTA_MS - FRAME_MS)
    expect(eventsOf(sent[1])).toMatchObject([{ text: 'ab' }])
    session.emit({ type: 'assistant.delta', text: 'c' })
    session.emit({ type: 'turn.started', turn: 2, model: 'scripted:a' })
    await vi.advanceTimersByTimeAsync(FRAME_MS)
    expect(types().at(-1)).toEqual(['assistant.delta', 'turn.started'])
  })

  it('joins deltas of one kind and keeps the order of different ones', async () => {
    await start()
    for (const body of [{ text: 'a' }, { text: 'b' }, { reasoning: 'c' }, { reasoning: 'd' }, { text: 'e' }]) {
      session.emit({ type: 'assistant.delta', ...body })
    }
    for (const args of ['{"a"', ':1}']) {
      session.emit({ type: 'assistant.delta', call: { call: 'c1', tool: 'read', args } })
    }
    session.emit({ type: 'assistant.delta', call: { call: 'c2', tool: 'read', args: '{}' } })
    await frame()
    expect(eventsOf(sent[1])).toMatchObject([
      { text: 'ab' },
      { reasoning: 'cd' },
      { text: 'e' },
      { call: { call: 'c1', args: '{"a":1}' } },
      { call: { call: 'c2', args: '{}' } },
    ])
  })

  it('keeps a restart apart, since it voids what came before', async () => {
    await start()
    session.emit({ type: 'assistant.delta', text: 'a' })
    session.emit({ type: 'assistant.delta', restart: true, text: 'b' })
    session.emit({ type: 'assistant.delta', text: 'c' })
    await frame()
    expect(shown().live?.text).toBe('bc')
  })

  it('sends no message over its limit, and nothing twice', async () => {
    await start()
    const pieces = Array.from({ length: 40 }, (_, index) => String(index % 10).repeat(5000))
    for (const text of pieces) session.emit({ type: 'assistant.delta', text })
    await frame()
    await frame()
    for (const update of sent.slice(1)) {
      const characters = eventsOf(update).reduce(
        (sum, event) => sum + (event.type === 'assistant.delta' ? (event.text?.length ?? 0) : 0),
        0,
      )
      expect(characters).toBeLessThanOrEqual(MAX_MESSAGE_CHARACTERS)
    }
    expect(shown().live?.text).toBe(pieces.join(''))
  })

  it('waits for a busy window and then shows it the same', async () => {
    await start()
    prompt = false
    for (let round = 0; round < 200; round += 1) {
      session.emit({ type: 'assistant.delta', text: `${round} ` })
      await frame()
    }
    expect(sent.length).toBe(1 + MAX_UNACKNOWLEDGED)
    prompt = true
    for (let waiting = 0; waiting < MAX_UNACKNOWLEDGED; waiting += 1) stream.acknowledge()
    await frame()
    // Two hundred frames have become one message.
    expect(sent.length).toBe(2 + MAX_UNACKNOWLEDGED)
    expect(shown().live?.text).toBe(session.state.live?.text)
  })

  it('replaces what waits for a window that sleeps by one snapshot', async () => {
    await start()
    prompt = false
    for (let round = 0; round < 100; round += 1) {
      session.emit({
        type: 'call.requested',
        call: `c${round}`,
        tool: 'bash',
        title: 'Shell',
        subject: 'x'.repeat(30_000),
        args: '{}',
      })
      await frame()
    }
    const before = sent.length
    prompt = true
    for (let waiting = 0; waiting < MAX_UNACKNOWLEDGED; waiting += 1) stream.acknowledge()
    await frame()
    expect(types().slice(before)).toContain('snapshot')
    session.emit({ type: 'session.titled', title: 'after', by: 'app' })
    await frame()
    expect(shown().length).toBe(100)
    expect(shown().title).toBe('after')
    expect(shown().lastEvent).toBe(session.state.lastEvent)
  })

  it('gives the newest pages and those of open calls, and leaves the others out', async () => {
    session = new FakeSession({ cwd: '/p' })
    session.emit({ type: 'call.requested', call: 'open', tool: 'bash', title: 'Shell', subject: 'ls', args: '{}' })
    for (let index = 0; index < 4 * PAGE_SIZE; index += 1)
      session.emit({ type: 'notice', level: 'info', text: `${index}` })
    void SessionFeed.start(session, stream)
    await vi.advanceTimersByTimeAsync(1)
    const { pages, length } = shown()
    expect(length).toBe(4 * PAGE_SIZE + 1)
    expect(pages.map((page) => page?.length)).toEqual([PAGE_SIZE, undefined, undefined, PAGE_SIZE, 1])
  })

  it('says that older pages are still indexed, and sends a new snapshot when they are', async () => {
    let done: () => void = () => undefined
    await start(
      new Promise<void>((resolve) => {
        done = resolve
      }),
    )
    expect(sent).toMatchObject([{ type: 'snapshot', snapshot: { indexing: true } }])
    done()
    await frame()
    expect(sent).toMatchObject([{ snapshot: { indexing: true } }, { type: 'snapshot', snapshot: { indexing: false } }])
  })

  it('lets the session go', async () => {
    const feed = await start()
    session.emit({ type: 'assistant.delta', text: 'a' })
    feed.dispose()
    expect(session.listenerCount).toBe(0)
    await frame()
    expect(types()).toEqual(['snapshot'])
  })
})
