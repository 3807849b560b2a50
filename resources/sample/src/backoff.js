/**
 * How long to wait before a retry, in milliseconds: `base` before the first one, twice as long before each further
 * one, never longer than `ceiling`.
 */
export function delayFor(retry, { base = 100, ceiling = 5_000 } = {}) {
  const delay = base * 2 ** retry
  return Math.min(delay, ceiling)
}
