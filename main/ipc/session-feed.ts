import type { EventOf, SessionEvent } from '../../preload/contract/events'
import type { SessionSnapshot, SessionUpdate } from '../../preload/contract/session'
import { PAGE_SIZE, type SessionState } from '../../preload/contract/session-state'
import type { LiveSession } from '../agent/types'
import type { Disposer } from '../platform/disposer'
import type { StreamSink } from './outgoing-stream'

/** One frame: events of that long go in one message. */
export const FRAME_MS = 16

/**
 * Text that grows is joined for longer: 25 times a second reads as steady, and each time costs the window a parse, a
 * layout and a paint.
 */
export const DELTA_MS = 40

/** Characters of one message with events; a single event may be larger. Keeps a message's cost far below a frame. */
export const MAX_MESSAGE_CHARACTERS = 64 * 1024

/** Characters that may wait for a busy window. Beyond that the events are dropped and a snapshot replaces them. */
export const MAX_WAITING_CHARACTERS = 1024 * 1024

/** Newest pages in a snapshot; the window asks for older ones when the person scrolls there. */
const SNAPSHOT_PAGES = 2

/** The state with its newest pages, and with those in which a call is still open, since events will change them. */
export function snapshotOf(state: SessionState, indexing: boolean): SessionSnapshot {
  const firstNew = state.pages.length - SNAPSHOT_PAGES
  const open = new Set(Object.values(state.open).map((index) => Math.floor(index / PAGE_SIZE)))
  const pages = state.pages.map((page, index) => (index >= firstNew || open.has(index) ? page : undefined))
  return { state: { ...state, pages }, indexing }
}

/**
 * Sends a session to one window: a snapshot, then what happens, joined to a frame. While the window is busy, events
 * wait and adjacent deltas grow together; when too much waits, it is all replaced by a new snapshot. So the cost of a
 * slow window is bounded and it never shows anything but the truth.
 */
export class SessionFeed {
  readonly #session: LiveSession
  readonly #sink: StreamSink<SessionUpdate>
  readonly #unsubscribe: Disposer
  #waiting: { event: SessionEvent; characters: number }[] = []
  #waitingCharacters = 0
  #snapshotDue = true
  #indexing = true
  #timer: NodeJS.Timeout | undefined
  /** What waits is deltas alone. */
  #onlyDeltas = true
  #disposed = false

  private constructor(session: LiveSession, sink: StreamSink<SessionUpdate>) {
    this.#session = session
    this.#sink = sink
    sink.onWritable(() => this.#flush())
    this.#unsubscribe = session.subscribe((event) => this.#receive(event))
  }

  /** Subscribes and sends the snapshot. */
  static async start(session: LiveSession, sink: StreamSink<SessionUpdate>): Promise<SessionFeed> {
    const feed = new SessionFeed(session, sink)
    const indexed = session.indexed.then(() => feed.#setIndexed())
    // A session that is indexed already says so within this turn of the event loop.
    await Promise.race([indexed, new Promise((resolve) => setImmediate(resolve))])
    feed.#flush()
    return feed
  }

  dispose(): void {
    this.#disposed = true
    clearTimeout(this.#timer)
    this.#waiting = []
    void this.#unsubscribe()
  }

  #setIndexed(): void {
    this.#indexing = false
    if (this.#snapshotDue || this.#disposed) return
    this.#replaceBySnapshot()
    this.#flush()
  }

  #receive(event: SessionEvent): void {
    // A snapshot that is due will hold it.
    if (this.#snapshotDue) return
    const last = this.#waiting.at(-1)
    const merged = last && mergeDeltas(last.event, event)
    if (last && merged) {
      const grown = sizeOf(event)
      last.event = merged
      last.characters += grown
      this.#waitingCharacters += grown
    } else {
      const characters = sizeOf(event)
      this.#waiting.push({ event, characters })
      this.#waitingCharacters += characters
    }
    if (this.#waitingCharacters > MAX_WAITING_CHARACTERS) this.#replaceBySnapshot()
    this.#wait(event.type === 'assistant.delta' || event.type === 'call.progress')
  }

  #wait(isDelta: boolean): void {
    if (this.#timer !== undefined) {
      if (isDelta || !this.#onlyDeltas) return
      clearTimeout(this.#timer)
    }
    this.#onlyDeltas = isDelta
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined
        this.#flush()
      },
      isDelta ? DELTA_MS : FRAME_MS,
    )
  }

  #replaceBySnapshot(): void {
    this.#waiting = []
    this.#waitingCharacters = 0
    this.#snapshotDue = true
  }

  #flush(): void {
    if (this.#disposed || this.#timer !== undefined) return
    while (this.#sink.writable) {
      if (this.#snapshotDue) {
        this.#snapshotDue = false
        this.#sink.send({ type: 'snapshot', snapshot: snapshotOf(this.#session.state, this.#indexing) })
      } else if (this.#waiting.length > 0) {
        this.#sink.send({ type: 'events', events: this.#takeMessage() })
      } else return
    }
  }

  #takeMessage(): SessionEvent[] {
    let characters = 0
    let count = 0
    for (const entry of this.#waiting) {
      if (count > 0 && characters + entry.characters > MAX_MESSAGE_CHARACTERS) break
      characters += entry.characters
      count += 1
    }
    this.#waitingCharacters -= characters
    return this.#waiting.splice(0, count).map((entry) => entry.event)
  }
}

/** Both deltas in one, or undefined when they are not of one kind: order between text, reasoning and calls counts. */
export function mergeDeltas(first: SessionEvent, second: SessionEvent): SessionEvent | undefined {
  if (first.type === 'call.progress' && second.type === 'call.progress' && first.call === second.call) {
    if (first.text.length + second.text.length > MAX_MESSAGE_CHARACTERS) return undefined
    return { ...second, text: first.text + second.text }
  }
  if (first.type !== 'assistant.delta' || second.type !== 'assistant.delta' || second.restart) return undefined
  if (sizeOf(first) + sizeOf(second) > MAX_MESSAGE_CHARACTERS) return undefined
  if (isOnly(first, 'text') && isOnly(second, 'text')) {
    return { ...first, text: (first.text ?? '') + (second.text ?? '') }
  }
  if (isOnly(first, 'reasoning') && isOnly(second, 'reasoning')) {
    return { ...first, reasoning: (first.reasoning ?? '') + (second.reasoning ?? '') }
  }
  if (
    first.call &&
    second.call &&
    isOnly(first, 'call') &&
    isOnly(second, 'call') &&
    first.call.call === second.call.call
  ) {
    return { ...first, call: { ...first.call, args: first.call.args + second.call.args } }
  }
  return undefined
}

function isOnly(delta: EventOf<'assistant.delta'>, key: 'text' | 'reasoning' | 'call'): boolean {
  return (['text', 'reasoning', 'call'] as const).every((other) => (delta[other] !== undefined) === (other === key))
}

/** About how many characters the event takes on the wire. */
function sizeOf(event: SessionEvent): number {
  if (event.type === 'call.progress') return event.text.length
  if (event.type === 'assistant.delta') {
    return (event.text?.length ?? 0) + (event.reasoning?.length ?? 0) + (event.call?.args.length ?? 0)
  }
  return JSON.stringify(event).length
}
