import type { Usage } from '../../preload/contract/content'
import type { ModelRef, SessionId } from '../../preload/contract/ids'
import type { Provider } from '../providers/types'

/** Where a session gets its model from. */
export interface ModelSource {
  /** A provider with retries and watchdogs around it. Throws `key_missing` or `invalid_arguments`. */
  resolve(
    ref: ModelRef,
    session: { id: SessionId; cwd: string; tagOf(path: string): string | undefined },
  ): Promise<Provider> | Provider
  /** US dollars, or undefined when the prices are unknown. */
  cost(ref: ModelRef, usage: Usage): number | undefined
}

/** The part after the provider's name. */
export function modelIdOf(ref: ModelRef): string {
  return ref.slice(ref.indexOf(':') + 1)
}
