import type { ContentPart } from '../../preload/contract/content'
import type { EventBody } from '../../preload/contract/events'
import type { QueueEntry } from '../../preload/contract/session-state'
import { PlumblineError } from '../platform/errors'
import { newId } from '../platform/ids'

/** Prompts that may wait at the same time. */
const MAX_QUEUED = 100

/** Two queues in one list: `steer` goes in between two requests of the running turn, `follow-up` after it. */
export class PromptQueue {
  #entries: QueueEntry[] = []
  /** Entries that go along with the next prompt and start no turn of their own. */
  readonly #patient = new Set<string>()
  /** The note that takes further ones in, while it waits. */
  #growing: string | undefined
  readonly #emit: (body: EventBody) => void

  constructor(emit: (body: EventBody) => void) {
    this.#emit = emit
  }

  /** Puts what waited when the session was closed before what came since. */
  restore(entries: readonly QueueEntry[]): void {
    const known = new Set(this.#entries.map((queued) => queued.entry))
    this.#entries = [...entries.filter((queued) => !known.has(queued.entry)), ...this.#entries]
  }

  add(kind: QueueEntry['kind'], content: ContentPart[]): string {
    if (this.#entries.length >= MAX_QUEUED) {
      throw new PlumblineError(
        'limit_exceeded',
        `${MAX_QUEUED} prompts wait already. Remove one, or wait for the turn.`,
      )
    }
    const entry = { entry: newId('q'), kind, content }
    this.#entries.push(entry)
    this.#emit({ type: 'prompt.queued', ...entry })
    return entry.entry
  }

  /**
   * Queues what the model should know, to steer the running turn or to go along with the next prompt. It starts no turn by
   * itself. With `join` it grows an earlier such note that still waits. Returns the entry.
   */
  note(text: string, join: boolean): string {
    const earlier = join ? this.#entries.find((queued) => queued.entry === this.#growing) : undefined
    if (earlier !== undefined) this.remove(earlier.entry)
    const entry = this.add('steer', [...(earlier?.content ?? []), { type: 'text', text }])
    this.#patient.add(entry)
    if (join) this.#growing = entry
    return entry
  }

  remove(entry: string): void {
    if (!this.#entries.some((queued) => queued.entry === entry)) {
      throw new PlumblineError('not_found', 'This prompt is not in the queue any more: it was sent or removed.')
    }
    this.#entries = this.#entries.filter((queued) => queued.entry !== entry)
    this.#patient.delete(entry)
    this.#emit({ type: 'prompt.removed', entry })
  }

  /** Takes every steering prompt, oldest first. */
  takeSteering(): QueueEntry[] {
    const steering = this.#entries.filter((queued) => queued.kind === 'steer')
    this.#entries = this.#entries.filter((queued) => queued.kind !== 'steer')
    this.#patient.clear()
    return steering
  }

  /** The next prompt for a turn of its own. */
  takeNext(): QueueEntry | undefined {
    const at = this.#entries.findIndex((queued) => !this.#patient.has(queued.entry))
    return at === -1 ? undefined : this.#entries.splice(at, 1)[0]
  }
}
