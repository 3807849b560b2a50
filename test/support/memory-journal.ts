import { createHash } from 'node:crypto'
import type { BlobSink } from '../../main/platform/blob-sink'
import { PlumblineError } from '../../main/platform/errors'
import { newId } from '../../main/platform/ids'
import type { OpenSession, SessionJournal } from '../../main/sessions/types'
import type { EventBody, SessionEvent } from '../../preload/contract/events'
import { SessionEvent as SessionEventSchema, transientEventTypes } from '../../preload/contract/events'
import { reduce } from '../../preload/contract/reduce'
import { emptySessionState, type SessionState } from '../../preload/contract/session-state'

export class MemoryBlobs implements BlobSink {
  readonly kept = new Map<string, Uint8Array>()

  async put(bytes: Uint8Array) {
    const id = createHash('sha256').update(bytes).digest('hex')
    this.kept.set(id, bytes)
    return { id, bytes: bytes.byteLength }
  }

  async get(id: string) {
    const bytes = this.kept.get(id)
    if (bytes === undefined) throw new PlumblineError('not_found', `No blob ${id}`)
    return bytes
  }
}

/** A journal without a disk; every event is checked against the contract as it is appended. */
export class MemoryJournal implements SessionJournal {
  readonly id = newId('s')
  readonly folder = '/nowhere'
  readonly blobs = new MemoryBlobs()
  readonly indexed = Promise.resolve()
  readonly interrupted: SessionEvent[] = []
  readonly issues = []
  readonly failure = null
  readonly events: SessionEvent[] = []
  state: SessionState = emptySessionState
  closed = false

  constructor(opened: Partial<OpenSession> = {}, events: readonly SessionEvent[] = []) {
    if (events.length === 0) {
      this.append({
        type: 'session.opened',
        version: 1,
        session: this.id,
        cwd: '/project',
        toolset: 'plumbline',
        mode: 'ask',
        sandbox: 'off',
        model: 'fake:model',
        ...opened,
      })
    }
    for (const event of events) {
      this.events.push(event)
      this.state = reduce(this.state, event)
    }
  }

  append(body: EventBody): SessionEvent {
    const event = SessionEventSchema.parse({ ...body, id: newId('e'), parent: this.state.lastEvent, at: Date.now() })
    this.state = reduce(this.state, event)
    if (!transientEventTypes.has(event.type)) this.events.push(event)
    return event
  }

  async flush() {}

  async page(index: number) {
    return this.state.pages[index] ?? []
  }

  async *history() {
    yield* [...this.events]
  }

  async close() {
    this.closed = true
  }
}
