import type { ProviderLimits } from './types'

/** For providers on the net. The answer's headers come when the model starts, so a queue counts as connecting. */
export const DEFAULT_LIMITS: ProviderLimits = {
  connectMs: 60_000,
  idleMs: 60_000,
  progressMs: 300_000,
  maxRetries: 3,
  maxStreamBytes: 64 * 1024 * 1024,
}

/** A server on this machine loads its model and reads the whole prompt before the first byte. */
export const LOCAL_LIMITS: ProviderLimits = { ...DEFAULT_LIMITS, connectMs: 300_000, idleMs: 300_000 }
