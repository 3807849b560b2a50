/** Time as the parts see it; tests inject their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `ms`, or rejects with an AbortError. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(abortError())
        return
      }
      const onAbort = () => {
        clearTimeout(timer)
        reject(abortError())
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }, ms)
      signal?.addEventListener('abort', onAbort, { once: true })
    }),
}

/** The error that everything here rejects with after an abort. */
export function abortError(): Error {
  return new DOMException('Operation aborted', 'AbortError')
}

/** A point in time that work must not pass. */
export interface Deadline {
  readonly at: number
  /** Milliseconds left, never negative. */
  remaining(): number
}

export function deadlineIn(ms: number, clock: Clock = systemClock): Deadline {
  const at = clock.now() + ms
  return { at, remaining: () => Math.max(0, at - clock.now()) }
}
