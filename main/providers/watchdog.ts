import { abortError, type Clock, systemClock } from '../platform/clock'
import { isAbort, PlumblineError } from '../platform/errors'
import type { ModelRequest, Provider, ProviderLimits, StreamPart, WireObserver } from './types'

export interface WatchdogOptions {
  limits: Omit<ProviderLimits, 'maxRetries'>
  clock?: Clock
}

/**
 * Ends a request that is silent, that only keeps itself alive, or that never ends: `provider_timeout` for the first
 * two, `limit_exceeded` for a stream over `maxStreamBytes`. Time counts only while somebody waits for the next part, so
 * that a slow reader is not taken for a slow provider. A provider that tells nothing about its wire is judged by its
 * parts alone.
 */
export function withWatchdog(provider: Provider, options: WatchdogOptions): Provider {
  const clock = options.clock ?? systemClock
  return {
    id: provider.id,
    models: (signal) => provider.models(signal),
    stream: (request, signal) => watch(provider, request, signal, { ...options.limits }, clock),
  }
}

async function* watch(
  provider: Provider,
  request: ModelRequest,
  signal: AbortSignal,
  limits: WatchdogOptions['limits'],
  clock: Clock,
): AsyncGenerator<StreamPart> {
  if (signal.aborted) throw abortError()
  const control = new AbortController()
  const onAbort = () => control.abort()
  signal.addEventListener('abort', onAbort, { once: true })
  const guard = new Guard(provider.id, limits, clock)
  const parts = provider.stream(request, control.signal, guard)[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await guard.wait(parts, control.signal)
      if (next.done === true) return
      yield next.value
    }
  } catch (thrown) {
    if (signal.aborted) throw abortError()
    throw guard.failure ?? thrown
  } finally {
    signal.removeEventListener('abort', onAbort)
    control.abort()
    // Not awaited: a provider that hangs would hang its watchdog.
    void Promise.resolve(parts.return?.()).catch(() => undefined)
  }
}

class Guard implements WireObserver {
  failure: PlumblineError | undefined
  readonly #name: string
  readonly #limits: WatchdogOptions['limits']
  readonly #clock: Clock
  #answered = false
  #lastByte = 0
  #total = 0
  #trip: ((failure: PlumblineError) => void) | undefined

  constructor(name: string, limits: WatchdogOptions['limits'], clock: Clock) {
    this.#name = name
    this.#limits = limits
    this.#clock = clock
  }

  answered(): void {
    this.#answered = true
    this.#lastByte = this.#clock.now()
  }

  bytes(count: number): void {
    this.#answered = true
    this.#lastByte = this.#clock.now()
    this.#total += count
    if (this.#total <= this.#limits.maxStreamBytes) return
    const most = this.#limits.maxStreamBytes.toLocaleString('en')
    this.#fail(
      new PlumblineError('limit_exceeded', `The answer of ${this.#name} is longer than ${most} bytes and was stopped.`),
    )
  }

  /** The next part, or a rejection with the failure when a limit passes first. */
  async wait(parts: AsyncIterator<StreamPart>, signal: AbortSignal): Promise<IteratorResult<StreamPart>> {
    if (this.failure !== undefined) throw this.failure
    const timers = new AbortController()
    const stopTimers = () => timers.abort()
    signal.addEventListener('abort', stopTimers, { once: true })
    try {
      return await new Promise<IteratorResult<StreamPart>>((resolve, reject) => {
        this.#trip = reject
        // A provider that does not hear the signal is left behind.
        timers.signal.addEventListener('abort', () => reject(abortError()), { once: true })
        void this.#monitor(timers.signal)
        parts.next().then((next) => {
          this.#answered = true
          resolve(next)
        }, reject)
      })
    } finally {
      this.#trip = undefined
      signal.removeEventListener('abort', stopTimers)
      timers.abort()
    }
  }

  async #monitor(signal: AbortSignal): Promise<void> {
    const since = this.#clock.now()
    this.#lastByte = since
    try {
      for (;;) {
        const expiry = this.#nextExpiry(since)
        const left = expiry.at - this.#clock.now()
        if (left <= 0) {
          this.#fail(new PlumblineError('provider_timeout', expiry.message))
          return
        }
        await this.#clock.sleep(left, signal)
      }
    } catch (thrown) {
      if (!isAbort(thrown)) throw thrown
    }
  }

  #nextExpiry(since: number): { at: number; message: string } {
    const { connectMs, idleMs, progressMs } = this.#limits
    const candidates = [
      { at: this.#lastByte + idleMs, message: `${this.#name} sent nothing for ${seconds(idleMs)}.` },
      {
        at: since + progressMs,
        message: `${this.#name} kept the connection open for ${seconds(progressMs)} and said nothing.`,
      },
    ]
    if (!this.#answered) {
      candidates.push({
        at: since + connectMs,
        message: `${this.#name} did not begin to answer within ${seconds(connectMs)}.`,
      })
    }
    return candidates.reduce((first, candidate) => (candidate.at < first.at ? candidate : first))
  }

  #fail(failure: PlumblineError): void {
    this.failure ??= failure
    this.#trip?.(this.failure)
  }
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`
}
