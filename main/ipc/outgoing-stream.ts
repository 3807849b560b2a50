import type { Failure } from '../../preload/contract/errors'
import type { Disposer } from '../platform/disposer'

/**
 * Items on their way to one subscriber that the window has not acknowledged. Few, so that a busy window is felt at
 * once; more than one, so that a frame's work does not wait for a round trip.
 */
export const MAX_UNACKNOWLEDGED = 4

/** Items a handler may send beyond that; a handler that heeds `writable` never comes near it. */
const MAX_OVERRUN = 256

/** Where a stream's handler puts its items. After the stream ended every call does nothing. */
export interface StreamSink<Item> {
  /** The window keeps up: an item sent now is not waiting behind others. */
  readonly writable: boolean
  readonly ended: boolean
  /** `acknowledged` is called when the window has dealt with the item. */
  send(item: Item, acknowledged?: () => void): void
  /** Called each time `writable` becomes true again. One listener; the last one set counts. */
  onWritable(listener: () => void): void
  /** Ends the stream from this side, with a failure or because nothing more will come. */
  end(failure?: Failure): void
}

export interface StreamTransport {
  item(item: unknown): void
  ended(failure: Failure | null): void
}

/** One subscription of a window: counts what was sent against what was acknowledged. */
export class OutgoingStream<Item> implements StreamSink<Item> {
  readonly #transport: StreamTransport
  readonly #onEnd: () => void
  #waiting: ((() => void) | undefined)[] = []
  #writable: () => void = () => undefined
  #disposer: Disposer | undefined
  #ended = false

  constructor(transport: StreamTransport, onEnd: () => void) {
    this.#transport = transport
    this.#onEnd = onEnd
  }

  get writable(): boolean {
    return !this.#ended && this.#waiting.length < MAX_UNACKNOWLEDGED
  }

  get ended(): boolean {
    return this.#ended
  }

  /** What the handler started; runs when the stream ends, at once if it has ended already. */
  own(disposer: Disposer): void {
    if (this.#ended) void disposer()
    else this.#disposer = disposer
  }

  send(item: Item, acknowledged?: () => void): void {
    if (this.#ended) return
    if (this.#waiting.length >= MAX_UNACKNOWLEDGED + MAX_OVERRUN) {
      this.end({ code: 'limit_exceeded', message: 'The window did not keep up with what happened.' })
      return
    }
    this.#waiting.push(acknowledged)
    this.#transport.item(item)
  }

  onWritable(listener: () => void): void {
    this.#writable = listener
  }

  /** The window dealt with the oldest item that it had not acknowledged. */
  acknowledge(): void {
    if (this.#ended || this.#waiting.length === 0) return
    const before = this.writable
    this.#waiting.shift()?.()
    if (!before && this.writable) this.#writable()
  }

  end(failure?: Failure): void {
    if (this.#ended) return
    this.#transport.ended(failure ?? null)
    this.close()
  }

  /** Ends without a word: the window cancelled, or is gone. */
  close(): void {
    if (this.#ended) return
    this.#ended = true
    this.#waiting = []
    this.#onEnd()
    void this.#disposer?.()
  }
}

/**
 * Sends at once while the window keeps up; else holds items back, and `merge` makes few of many: it gets what waits
 * and the newcomer and returns what shall wait now.
 */
export function holdBack<Item>(
  sink: StreamSink<Item>,
  merge: (waiting: readonly Item[], next: Item) => readonly Item[],
): (item: Item) => void {
  let waiting: readonly Item[] = []
  sink.onWritable(() => {
    while (sink.writable) {
      const [first, ...rest] = waiting
      if (first === undefined) return
      waiting = rest
      sink.send(first)
    }
  })
  return (item) => {
    if (sink.writable && waiting.length === 0) sink.send(item)
    else if (!sink.ended) waiting = merge(waiting, item)
  }
}

/** For streams whose every item replaces the one before. */
export function latest<Item>(sink: StreamSink<Item>): (item: Item) => void {
  return holdBack(sink, (_waiting, next) => [next])
}
