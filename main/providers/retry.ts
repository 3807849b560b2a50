import { abortError, type Clock, systemClock } from '../platform/clock'
import { PlumblineError } from '../platform/errors'
import { brokenStream, isWorthRetrying, MAX_RETRY_AFTER_MS, retryAfterOf } from './failures'
import type { ModelRequest, Provider, StreamPart } from './types'

/** First pause; each further one is twice as long. */
const BASE_DELAY_MS = 1000

/** Longest pause of our own choosing. */
const MAX_DELAY_MS = 30_000

export interface RetryOptions {
  /** Attempts after the first one. */
  maxRetries: number
  clock?: Clock
  /** 0 to 1, for the jitter. */
  random?: () => number
}

/**
 * Starts a request over after 429, 5xx, a time-out, a lost connection or a stream without its end, and says so with a
 * `restart` part: everything before it is void. Waits what the provider asks for (up to a minute), else doubling pauses
 * with jitter. What can't get better (400, 401, 403, 404, a stream over its limit) is thrown at once. An exhausted
 * request throws the last failure, with the number of tries in its message.
 */
export function withRetry(provider: Provider, options: RetryOptions): Provider {
  return {
    id: provider.id,
    models: (signal) => provider.models(signal),
    stream: (request, signal) => attempts(provider, request, signal, options),
  }
}

async function* attempts(
  provider: Provider,
  request: ModelRequest,
  signal: AbortSignal,
  options: RetryOptions,
): AsyncGenerator<StreamPart> {
  const clock = options.clock ?? systemClock
  const random = options.random ?? Math.random
  for (let attempt = 0; ; attempt += 1) {
    if (signal.aborted) throw abortError()
    let failure: PlumblineError
    try {
      yield* untilFinish(provider, request, signal)
      return
    } catch (thrown) {
      if (signal.aborted) throw abortError()
      if (!isWorthRetrying(thrown)) throw thrown
      if (attempt >= options.maxRetries) throw exhausted(provider.id, thrown, attempt + 1, clock)
      failure = thrown
    }
    const delayMs = Math.round(retryAfterOf(failure) ?? backoff(attempt, random))
    const { code, message } = failure
    yield { type: 'restart', attempt: attempt + 1, of: options.maxRetries, delayMs, code, message }
    await clock.sleep(delayMs, signal)
  }
}

/** Passes the parts on up to `finish`, and takes a stream without one for broken. */
async function* untilFinish(
  provider: Provider,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<StreamPart> {
  for await (const part of provider.stream(request, signal)) {
    yield part
    if (part.type === 'finish') return
  }
  if (signal.aborted) throw abortError()
  throw brokenStream(provider.id, 'it ended without its final event')
}

function backoff(attempt: number, random: () => number): number {
  const full = Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** attempt)
  return full * (0.75 + random() * 0.25)
}

function exhausted(name: string, last: PlumblineError, tries: number, clock: Clock): PlumblineError {
  if (tries === 1) return last
  const time = new Date(clock.now()).toTimeString().slice(0, 8)
  return new PlumblineError(last.code, `No answer from ${name} after ${tries} tries. Last, ${time}: ${last.message}`, {
    cause: last,
    context: { ...last.context, tries, maxWaitMs: MAX_RETRY_AFTER_MS },
  })
}
