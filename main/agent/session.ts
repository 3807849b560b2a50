import type { ContentPart } from '../../preload/contract/content'
import type { Answer } from '../../preload/contract/effects'
import type { Failure } from '../../preload/contract/errors'
import type { EventBody, EventOf, SessionEvent } from '../../preload/contract/events'
import type { ModelRef, PermissionMode, SessionId, ToolsetName } from '../../preload/contract/ids'
import type { PromptContent } from '../../preload/contract/session'
import type { Item, QueueEntry, SessionState } from '../../preload/contract/session-state'
import type { Clock } from '../platform/clock'
import type { Disposer } from '../platform/disposer'
import { PlumblineError, toFailure } from '../platform/errors'
import type { ModelContent, Provider } from '../providers/types'
import type { SessionJournal } from '../sessions/types'
import type { CallOutcome, CallRequest } from '../toolsets/calls'
import type { SessionScope } from '../toolsets/define'
import { SessionGrants } from '../toolsets/grants'
import { Approvals } from './approvals'
import { hydrateContent, ModelContext } from './model-context'
import type { ModelSource } from './models'
import { OrderedEmitter } from './ordered-emitter'
import { PromptQueue } from './prompt-queue'
import { createScope, type ScopeOptions } from './session-scope'
import { systemPrompt } from './system-prompt'
import { titleOf } from './title'
import type { ToolRuntime, ToolRuntimeFactory } from './tool-runtime'
import { runTurn, type TurnResult } from './turn'
import type { LiveSession } from './types'

/** Requests to the model in one turn unless the caller says otherwise. */
const DEFAULT_MAX_REQUESTS = 500

export interface AgentSessionParts {
  journal: SessionJournal
  options: ScopeOptions & { attended: boolean; maxTurns?: number | undefined }
  models: ModelSource
  createTools: ToolRuntimeFactory
  externalise(body: EventBody): Promise<EventBody>
  clock: Clock
  platform: string
}

/** One open session: its queue, its running turn, its tools and its journal. */
export class AgentSession implements LiveSession {
  readonly #parts: AgentSessionParts
  readonly #journal: SessionJournal
  readonly #emitter: OrderedEmitter
  readonly #approvals: Approvals
  readonly #grants = new SessionGrants()
  readonly #queue: PromptQueue
  readonly #tools: ToolRuntime
  readonly scope: SessionScope
  /** What was chosen since the session was opened; the state follows when the change is journaled. */
  #chosen: { mode?: PermissionMode; toolset?: ToolsetName; model?: ModelRef } = {}
  #context: Promise<ModelContext> | undefined
  #abort: AbortController | undefined
  #running: Promise<void> | undefined
  #lastTurn: EventOf<'turn.finished'> | null = null
  #lastDenied = false
  #accepting: Promise<void> = Promise.resolve()
  readonly #ready: Promise<void>

  constructor(parts: AgentSessionParts) {
    this.#parts = parts
    this.#journal = parts.journal
    // What can't be recorded must not be done: the turn ends with the journal.
    this.#emitter = new OrderedEmitter(parts.journal, parts.externalise, () => this.#abort?.abort())
    this.#approvals = new Approvals(parts.options.attended)
    const emit = (body: EventBody) => this.#emitter.emit(body)
    this.#queue = new PromptQueue(emit)
    const current = { mode: () => this.#mode, toolset: () => this.#toolset }
    const scope = createScope(parts.journal, parts.options, current)
    this.scope = scope
    this.#tools = parts.createTools({ scope, grants: this.#grants, approver: this.#approvals, emit })
    this.#emitter.subscribe((event) => {
      if (event.type === 'turn.finished') this.#lastTurn = event
    })
    // A long journal may tell its settings and its queue late.
    this.#ready = parts.journal.indexed.then(() => this.#queue.restore(parts.journal.state.queue))
    this.#ready.catch(() => undefined)
  }

  get #mode(): PermissionMode {
    return this.#chosen.mode ?? this.state.mode
  }

  get #toolset(): ToolsetName {
    return this.#chosen.toolset ?? this.state.toolset
  }

  get #model(): ModelRef | null {
    return this.#chosen.model ?? this.state.model
  }

  get id(): SessionId {
    return this.#journal.id
  }

  get state(): SessionState {
    return this.#journal.state
  }

  get folder(): string {
    return this.#journal.folder
  }

  get indexed(): Promise<void> {
    return this.#journal.indexed
  }

  /** The last round of calls of the last turn had one that was denied. */
  get lastTurnDenied(): boolean {
    return this.#lastDenied
  }

  /** Why the session can't be saved any more, or undefined. */
  get failure(): Failure | undefined {
    return this.#emitter.failure ?? this.#journal.failure ?? undefined
  }

  subscribe(listener: (event: SessionEvent) => void): Disposer {
    return this.#emitter.subscribe(listener)
  }

  page(index: number): Promise<readonly Item[]> {
    return this.#journal.page(index)
  }

  prompt(content: readonly PromptContent[], kind?: QueueEntry['kind']): Promise<void> {
    // One at a time: two prompts in the same moment are a turn and a queued prompt, never two turns.
    const accepted = this.#accepting.then(() => this.#accept(content, kind))
    this.#accepting = accepted.catch(() => undefined)
    return accepted
  }

  async #accept(content: readonly PromptContent[], kind: QueueEntry['kind'] | undefined): Promise<void> {
    await this.#ready
    this.#requireJournal()
    const provider = await this.#resolveProvider()
    const kept = await this.#keep(content)
    if (this.#running !== undefined) {
      this.#queue.add(kind ?? 'follow-up', kept)
    } else {
      if (this.state.title === '') this.#emitter.emit({ type: 'session.titled', title: titleOf(kept), by: 'app' })
      this.#start({ content: kept }, provider)
    }
    await this.#emitter.settled()
  }

  /** The journaled events so far, oldest first. */
  history(): AsyncIterable<SessionEvent> {
    return this.#journal.history()
  }

  /** Runs calls without a model, as the terminal program's `tools` does. */
  async runCalls(requests: readonly CallRequest[], signal: AbortSignal): Promise<CallOutcome[]> {
    this.#requireJournal()
    const outcomes = await this.#tools.run(requests, signal)
    await this.#emitter.settled()
    return outcomes
  }

  async idle(): Promise<EventOf<'turn.finished'> | null> {
    while (this.#running !== undefined) await this.#running
    await this.#emitter.settled()
    return this.#lastTurn
  }

  removeQueued(entry: string): void {
    this.#queue.remove(entry)
  }

  async note(text: string, join = false): Promise<string> {
    await this.#ready
    this.#requireJournal()
    const entry = this.#queue.note(text, join)
    await this.#emitter.settled()
    return entry
  }

  async recordFiles(
    body: Pick<EventOf<'files.changed'>, 'entry' | 'files'>,
    how: 'changed' | 'restored',
  ): Promise<void> {
    this.#emitter.emit(
      how === 'changed' ? { type: 'files.changed', call: null, ...body } : { type: 'files.restored', ...body },
    )
    await this.#emitter.settled()
  }

  async stop(): Promise<void> {
    this.#abort?.abort()
    await this.#running
    await this.#emitter.settled()
  }

  answer(call: string, reply: { answer: Answer; rule?: string; note?: string }): void {
    this.#approvals.answer(call, reply)
  }

  setModel(model: ModelRef): void {
    if (model === this.#model) return
    this.#chosen.model = model
    this.#emitter.emit({ type: 'model.changed', model })
  }

  setMode(mode: PermissionMode): void {
    if (mode === this.#mode) return
    this.#chosen.mode = mode
    this.#emitter.emit({ type: 'mode.changed', mode })
  }

  setToolset(toolset: ToolsetName): void {
    if (toolset === this.#toolset) return
    this.#chosen.toolset = toolset
    this.#emitter.emit({ type: 'toolset.changed', toolset })
  }

  rename(title: string): void {
    this.#emitter.emit({ type: 'session.titled', title, by: 'person' })
  }

  grants(): { key: string; label: string }[] {
    return this.#grants.list()
  }

  removeGrant(key: string): void {
    this.#grants.remove(key)
  }

  async blob(id: string): Promise<Uint8Array> {
    return this.#journal.blobs.get(id)
  }

  async close(): Promise<void> {
    await this.stop()
    await this.#tools.dispose()
    await this.#emitter.settled()
    await this.#journal.close()
  }

  #start(prompt: { content: ContentPart[]; queued?: QueueEntry }, provider: Provider): void {
    this.#running = this.#work(prompt, provider).finally(() => {
      this.#running = undefined
      this.#abort = undefined
    })
  }

  async #work(first: { content: ContentPart[]; queued?: QueueEntry }, provider: Provider): Promise<void> {
    let prompt: typeof first | undefined = first
    let current = provider
    while (prompt !== undefined) {
      const stop = await this.#turn(prompt, current)
      // What was queued stays queued after a stop or a failure: the person decides.
      if (stop === 'stopped' || stop === 'failed') return
      const queued = this.#queue.takeNext()
      prompt = queued && { content: [...queued.content], queued }
      if (prompt !== undefined) current = await this.#resolveProvider()
    }
  }

  async #turn(prompt: { content: ContentPart[]; queued?: QueueEntry }, provider: Provider): Promise<string> {
    const { clock } = this.#parts
    const abort = new AbortController()
    this.#abort = abort
    const model = this.#requireModel()
    const turn = this.state.turn + 1
    const started = clock.now()
    this.#emitter.emit({ type: 'turn.started', turn, model })
    let result: TurnResult
    try {
      // It runs beside the first request; only calls wait for it.
      const kept = this.#tools.beforeTurn?.(turn, abort.signal)
      const context = await this.#loadContext()
      // What waited to steer is older than the prompt, and may be about what it asks.
      for (const waiting of await this.#takeSteering()) context.addPrompt(waiting)
      this.#emitPrompt(prompt)
      context.addPrompt(await hydrateContent(prompt.content, this.#journal.blobs))
      result = await runTurn(this.#turnParts(context, provider, model, kept), abort.signal)
    } catch (thrown) {
      const error = toFailure(thrown)
      result = {
        stop: error.code === 'aborted' ? 'stopped' : 'failed',
        usage: { input: 0, output: 0 },
        cost: undefined,
        error,
        denied: false,
      }
    }
    this.#lastDenied = result.denied
    const { stop, usage, cost, error } = result
    this.#emitter.emit({ type: 'turn.finished', turn, stop, usage, cost, ms: clock.now() - started, error })
    await this.#emitter.settled()
    await this.#journal.flush()
    return stop
  }

  #turnParts(
    context: ModelContext,
    provider: Provider,
    model: ModelRef,
    kept: Promise<void> | undefined,
  ): Parameters<typeof runTurn>[0] {
    return {
      context,
      provider,
      model,
      system: () => this.#system(),
      tools: () => this.#tools.list(this.#toolset, this.#mode),
      runCalls: async (requests, signal) => {
        await kept
        return this.#tools.run(requests, signal)
      },
      takeSteering: () => this.#takeSteering(),
      cost: (usage) => this.#parts.models.cost(model, usage),
      emit: (body) => this.#emitter.emit(body),
      maxRequests: this.#parts.options.maxTurns ?? DEFAULT_MAX_REQUESTS,
    }
  }

  async #takeSteering(): Promise<ModelContent[][]> {
    return Promise.all(
      this.#queue.takeSteering().map((queued) => {
        this.#emitPrompt({ content: [...queued.content], queued })
        return hydrateContent(queued.content, this.#journal.blobs)
      }),
    )
  }

  #emitPrompt(prompt: { content: ContentPart[]; queued?: QueueEntry }): void {
    this.#emitter.emit({
      type: 'prompt',
      content: prompt.content,
      ...(prompt.queued && { queued: prompt.queued.kind, entry: prompt.queued.entry }),
    })
  }

  #system(): string {
    return systemPrompt({
      cwd: this.state.cwd,
      platform: this.#parts.platform,
      toolset: this.#toolset,
      mode: this.#mode,
      toolNames: this.#tools.list(this.#toolset, this.#mode).map((tool) => tool.name),
      date: new Date(this.#parts.clock.now()).toISOString().slice(0, 10),
    })
  }

  #loadContext(): Promise<ModelContext> {
    this.#context ??= ModelContext.fromHistory(this.#journal.history(), this.#journal.blobs)
    return this.#context
  }

  async #resolveProvider(): Promise<Provider> {
    const session = { id: this.id, cwd: this.state.cwd, tagOf: (path: string) => this.#tools.tagOf(path) }
    return this.#parts.models.resolve(this.#requireModel(), session)
  }

  #requireJournal(): void {
    const { failure } = this
    if (failure) throw new PlumblineError(failure.code, `This session can't be saved any more. ${failure.message}`)
  }

  #requireModel(): ModelRef {
    if (this.#model === null) {
      throw new PlumblineError(
        'invalid_arguments',
        'No model is chosen. Pick one below the text field, or connect one on the start screen.',
      )
    }
    return this.#model
  }

  async #keep(content: readonly PromptContent[]): Promise<ContentPart[]> {
    return Promise.all(
      content.map(
        async (part): Promise<ContentPart> =>
          part.type === 'text'
            ? part
            : {
                type: 'image',
                mimeType: part.mimeType,
                name: part.name,
                blob: await this.#journal.blobs.put(part.data),
              },
      ),
    )
  }
}
