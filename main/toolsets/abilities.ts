import type { Answer, Ask } from '../../preload/contract/effects'
import type { EventBody } from '../../preload/contract/events'

/** What the call pipeline needs from above; `services.ts` and the agent layer inject it. */

/** Asks the person about one call. Rejects with an AbortError when the turn is stopped meanwhile. */
export interface Approver {
  ask(question: { call: string; ask: Ask }, signal: AbortSignal): Promise<Reply>
}

export interface Reply {
  answer: Answer
  by: 'person' | 'nobody' | 'stop'
  /** The rule as the person left it, for "always". */
  rule?: string
  /** For the model, with a denial. */
  note?: string
}

/** Journals an event and sends it to whoever watches. */
export type EmitEvent = (body: EventBody) => void
