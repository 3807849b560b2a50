import type { EventBody } from '../../preload/contract/events'
import type { SessionId } from '../../preload/contract/ids'
import type { SessionSummary } from '../../preload/contract/session'
import type { BlobSink } from '../platform/blob-sink'
import type { Clock } from '../platform/clock'
import type { Disposer } from '../platform/disposer'
import { summarise } from '../sessions/summary'
import type { SessionJournal, SessionStore } from '../sessions/types'
import type { ModelSource } from './models'
import { AgentSession } from './session'
import type { ToolRuntimeFactory } from './tool-runtime'
import type { NewSession, Sessions } from './types'

/** Least time between two announcements of the session list, in milliseconds. */
const LIST_INTERVAL_MS = 250

export interface SessionManagerParts {
  store: SessionStore
  models: ModelSource
  createTools: ToolRuntimeFactory
  externalise(body: EventBody, blobs: BlobSink): Promise<EventBody>
  clock: Clock
  platform: string
  /** How sessions that are opened again are attended; the terminal program has nobody. */
  attended: boolean
}

/** The sessions that are open in this process, and the list of all. */
export class SessionManager implements Sessions {
  readonly #parts: SessionManagerParts
  readonly #open = new Map<SessionId, Promise<AgentSession>>()
  readonly #live = new Map<SessionId, AgentSession>()
  readonly #listeners = new Set<(summaries: SessionSummary[]) => void>()
  #announcement: NodeJS.Timeout | undefined

  constructor(parts: SessionManagerParts) {
    this.#parts = parts
  }

  async create(options: NewSession): Promise<AgentSession> {
    const { cwd, toolset, mode, sandbox, model } = options
    const journal = await this.#parts.store.create({ cwd, toolset, mode, sandbox, model })
    const session = this.#attach(journal, options)
    this.#open.set(session.id, Promise.resolve(session))
    return session
  }

  open(id: SessionId, options: Partial<NewSession> = {}): Promise<AgentSession> {
    const known = this.#open.get(id)
    if (known !== undefined) return known
    const opening = this.#parts.store
      .open(id)
      .then((journal) => this.#attach(journal, { attended: this.#parts.attended, ...options }))
    this.#open.set(id, opening)
    opening.catch(() => this.#open.delete(id))
    return opening
  }

  async list(): Promise<SessionSummary[]> {
    const stored = await this.#parts.store.list()
    const seen = new Set(stored.map((summary) => summary.id))
    const fresh = [...this.#live.values()].filter((session) => !seen.has(session.id))
    return [
      ...fresh.map((session) => summarise(session.state, { archived: false })),
      ...stored.map((summary) => {
        const live = this.#live.get(summary.id)
        return live === undefined ? summary : summarise(live.state, { archived: summary.archived })
      }),
    ].sort((left, right) => right.updatedAt - left.updatedAt)
  }

  onList(listener: (summaries: SessionSummary[]) => void): Disposer {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  async setArchived(id: SessionId, archived: boolean): Promise<void> {
    await this.#parts.store.annotate(id, { archived })
    this.#announce()
  }

  async dispose(): Promise<void> {
    clearTimeout(this.#announcement)
    this.#listeners.clear()
    const sessions = await Promise.allSettled(this.#open.values())
    await Promise.allSettled(
      sessions.flatMap((session) => (session.status === 'fulfilled' ? [session.value.close()] : [])),
    )
    this.#open.clear()
    this.#live.clear()
    await this.#parts.store.dispose()
  }

  #attach(
    journal: SessionJournal,
    options: Pick<NewSession, 'attended' | 'addedFolders' | 'narrowed' | 'maxTurns'>,
  ): AgentSession {
    const { models, createTools, externalise, clock, platform } = this.#parts
    const session = new AgentSession({
      journal,
      options,
      models,
      createTools,
      externalise: (body) => externalise(body, journal.blobs),
      clock,
      platform,
    })
    this.#live.set(session.id, session)
    session.subscribe((event) => {
      if (event.type !== 'assistant.delta' && event.type !== 'call.progress') this.#announce()
    })
    this.#announce()
    return session
  }

  #announce(): void {
    if (this.#announcement !== undefined || this.#listeners.size === 0) return
    this.#announcement = setTimeout(() => {
      this.#announcement = undefined
      void this.list().then((summaries) => {
        for (const listener of this.#listeners) listener(summaries)
      })
    }, LIST_INTERVAL_MS)
  }
}
