import type { Failure } from '../../preload/contract/errors'
import type { EventBody, SessionEvent } from '../../preload/contract/events'
import type { Disposer } from '../platform/disposer'
import { toFailure } from '../platform/errors'
import { newId } from '../platform/ids'

/** What the emitter needs of a journal. */
interface EventSink {
  append(body: EventBody): SessionEvent
}

/** Types whose text may be long enough to become a blob first. */
const heavyTypes: ReadonlySet<EventBody['type']> = new Set([
  'prompt',
  'prompt.queued',
  'assistant.message',
  'call.requested',
  'call.prepared',
  'call.finished',
  'compacted',
  'reminder.injected',
  'notice',
  'turn.finished',
])

/**
 * Journals events in the order in which they were emitted and hands them to the listeners, although long text has to
 * be put aside first, which takes time.
 */
export class OrderedEmitter {
  readonly #sink: EventSink
  readonly #externalise: (body: EventBody) => Promise<EventBody>
  readonly #listeners = new Set<(event: SessionEvent) => void>()
  readonly #onFailure: (failure: Failure) => void
  #pending = 0
  #failure: Failure | undefined
  #tail: Promise<void> = Promise.resolve()

  /** `onFailure` is called once, when the journal takes nothing more; later events are dropped. */
  constructor(
    sink: EventSink,
    externalise: (body: EventBody) => Promise<EventBody>,
    onFailure: (failure: Failure) => void,
  ) {
    this.#sink = sink
    this.#externalise = externalise
    this.#onFailure = onFailure
  }

  emit(body: EventBody): void {
    if (this.#failure !== undefined) return
    if (this.#pending === 0 && !heavyTypes.has(body.type)) {
      this.#try(() => this.#deliver(body))
      return
    }
    this.#pending += 1
    this.#tail = this.#tail.then(async () => {
      try {
        const light = heavyTypes.has(body.type) ? await this.#externalise(body) : body
        if (this.#failure === undefined) this.#deliver(light)
      } catch (thrown) {
        this.#fail(thrown)
      } finally {
        this.#pending -= 1
      }
    })
  }

  /** Why nothing more is recorded, or undefined. */
  get failure(): Failure | undefined {
    return this.#failure
  }

  subscribe(listener: (event: SessionEvent) => void): Disposer {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Resolves when everything emitted so far has reached the journal and the listeners. */
  settled(): Promise<void> {
    return this.#tail
  }

  #try(deliver: () => void): void {
    try {
      deliver()
    } catch (thrown) {
      this.#fail(thrown)
    }
  }

  /** What can't be kept is not shown as if it were: the session stops, once, and says why. */
  #fail(thrown: unknown): void {
    if (this.#failure !== undefined) return
    const failure = toFailure(thrown)
    this.#failure = failure
    // Not journaled, since that is what failed; whoever watches sees it all the same.
    const told = { id: newId('e'), parent: null, at: Date.now(), type: 'failed', what: 'turn', error: failure } as const
    for (const listener of this.#listeners) listener(told)
    this.#onFailure(failure)
  }

  #deliver(body: EventBody): void {
    const event = this.#sink.append(body)
    for (const listener of this.#listeners) listener(event)
  }
}
