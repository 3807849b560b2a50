import { abortError } from '../platform/clock'
import { PlumblineError } from '../platform/errors'
import type { Approver, Reply } from '../toolsets/abilities'

/** Questions that wait for the person. With nobody there, each is answered at once: no. */
export class Approvals implements Approver {
  readonly #attended: boolean
  readonly #waiting = new Map<string, (reply: Reply) => void>()

  constructor(attended: boolean) {
    this.#attended = attended
  }

  ask(question: { call: string }, signal: AbortSignal): Promise<Reply> {
    if (!this.#attended) return Promise.resolve({ answer: 'deny', by: 'nobody' })
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(abortError())
        return
      }
      const onAbort = () => {
        this.#waiting.delete(question.call)
        reject(abortError())
      }
      signal.addEventListener('abort', onAbort, { once: true })
      this.#waiting.set(question.call, (reply) => {
        signal.removeEventListener('abort', onAbort)
        this.#waiting.delete(question.call)
        resolve(reply)
      })
    })
  }

  /** Throws `not_found` when this call does not wait (any more). */
  answer(call: string, reply: Omit<Reply, 'by'>): void {
    const settle = this.#waiting.get(call)
    if (settle === undefined)
      throw new PlumblineError('not_found', 'This request was answered already or its call has ended.')
    settle({ ...reply, by: 'person' })
  }
}
