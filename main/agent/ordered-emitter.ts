import type { EventBody, SessionEvent } from '../../preload/contract/events'
import type { Disposer } from '../platform/disposer'

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
  'call.finished',
])

/**
 * Journals events in the order in which they were emitted and hands them to the listeners, although long text has to
 * be put aside first, which takes time.
 */
export class OrderedEmitter {
  readonly #sink: EventSink
  readonly #externalise: (body: EventBody) => Promise<EventBody>
  readonly #listeners = new Set<(event: SessionEvent) => void>()
  #pending = 0
  #tail: Promise<void> = Promise.resolve()

  constructor(sink: EventSink, externalise: (body: EventBody) => Promise<EventBody>) {
    this.#sink = sink
    this.#externalise = externalise
  }

  emit(body: EventBody): void {
    if (this.#pending === 0 && !heavyTypes.has(body.type)) {
      this.#deliver(body)
      return
    }
    this.#pending += 1
    this.#tail = this.#tail
      .then(async () => this.#deliver(heavyTypes.has(body.type) ? await this.#externalise(body) : body))
      .catch((failure: unknown) => this.#deliver(lostEvent(failure)))
      .finally(() => {
        this.#pending -= 1
      })
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

  #deliver(body: EventBody): void {
    const event = this.#sink.append(body)
    for (const listener of this.#listeners) listener(event)
  }
}

function lostEvent(failure: unknown): EventBody {
  const reason = failure instanceof Error ? failure.message : String(failure)
  return { type: 'notice', level: 'warn', text: `A step could not be recorded: ${reason}` }
}
