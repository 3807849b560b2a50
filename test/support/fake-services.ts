import { createHash } from 'node:crypto'
import type { LiveSession, NewSession, Sessions } from '../../main/agent/types'
import { FileMutator } from '../../main/editing/file-mutator'
import { ReviewEngine } from '../../main/editing/review-engine'
import { emptyReview } from '../../main/editing/review-marks'
import { UndoJournal } from '../../main/editing/undo-journal'
import type { DesktopServices, DesktopTerminals } from '../../main/ipc/desktop-services'
import { PlumblineError } from '../../main/platform/errors'
import { newId } from '../../main/platform/ids'
import type { SessionScope } from '../../main/toolsets/define'
import type { ChangedFile } from '../../preload/contract/effects'
import type { EventBody, SessionEvent } from '../../preload/contract/events'
import { reduce } from '../../preload/contract/reduce'
import type { PromptContent, SessionSummary } from '../../preload/contract/session'
import { emptySessionState, type SessionState } from '../../preload/contract/session-state'
import type { TerminalOutput } from '../../preload/contract/terminal'

const notKept = () => new PlumblineError('not_found', 'There is no such blob.')

/** A session in memory whose events the test makes. */
export class FakeSession implements LiveSession {
  readonly id = newId('s')
  readonly folder = '/nowhere'
  readonly indexed: Promise<void>
  readonly blobs = new Map<string, Uint8Array>()
  readonly prompts: PromptContent[][] = []
  readonly answers: { call: string; answer: string }[] = []
  stopped = 0
  state: SessionState = emptySessionState
  #listeners = new Set<(event: SessionEvent) => void>()

  constructor(options: Pick<NewSession, 'cwd'> & Partial<NewSession>, indexed: Promise<void> = Promise.resolve()) {
    this.indexed = indexed
    this.emit({
      type: 'session.opened',
      version: 1,
      session: this.id,
      cwd: options.cwd,
      toolset: options.toolset ?? 'plumbline',
      mode: options.mode ?? 'ask',
      sandbox: options.sandbox ?? 'guarded',
      model: options.model ?? null,
    })
  }

  emit(body: EventBody): SessionEvent {
    const event: SessionEvent = { ...body, id: newId('e'), parent: this.state.lastEvent, at: Date.now() }
    this.state = reduce(this.state, event)
    for (const listener of this.#listeners) listener(event)
    return event
  }

  get listenerCount(): number {
    return this.#listeners.size
  }

  subscribe(listener: (event: SessionEvent) => void) {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async page(index: number) {
    return this.state.pages[index] ?? []
  }

  async prompt(content: readonly PromptContent[]) {
    this.prompts.push([...content])
    const text = content.flatMap((part) => (part.type === 'text' ? [{ type: 'text' as const, text: part.text }] : []))
    this.emit({ type: 'prompt', content: text })
  }

  async idle() {
    return null
  }

  removeQueued(entry: string) {
    this.emit({ type: 'prompt.removed', entry })
  }

  get scope(): SessionScope {
    const { cwd, toolset, mode, sandbox } = this.state
    return {
      id: this.id,
      toolset,
      mode,
      sandbox,
      cwd,
      roots: [cwd],
      narrowed: false,
      attended: true,
      blobs: {
        put: async (bytes) => {
          const id = createHash('sha256').update(bytes).digest('hex')
          this.blobs.set(id, bytes)
          return { id, bytes: bytes.byteLength }
        },
        get: (id) => this.blob(id),
      },
      toolResultsFolder: `${this.folder}/tool-results`,
      temporaryFolder: `${this.folder}/local`,
    }
  }

  async note(text: string) {
    const entry = newId('q')
    this.emit({ type: 'prompt.queued', entry, kind: 'steer', content: [{ type: 'text', text }] })
    return entry
  }

  async recordFiles(body: { entry: string; files: ChangedFile[] }, how: 'changed' | 'restored') {
    this.emit(how === 'changed' ? { type: 'files.changed', call: null, ...body } : { type: 'files.restored', ...body })
  }

  async stop() {
    this.stopped += 1
  }

  answer(call: string, reply: { answer: 'once' | 'session' | 'always' | 'deny' }) {
    this.answers.push({ call, answer: reply.answer })
  }

  setModel(model: string) {
    this.emit({ type: 'model.changed', model })
  }

  setMode(mode: SessionState['mode']) {
    this.emit({ type: 'mode.changed', mode })
  }

  setToolset(toolset: SessionState['toolset']) {
    this.emit({ type: 'toolset.changed', toolset })
  }

  rename(title: string) {
    this.emit({ type: 'session.titled', title, by: 'person' })
  }

  grants() {
    return []
  }

  removeGrant() {}

  async blob(id: string) {
    const bytes = this.blobs.get(id)
    if (bytes === undefined) throw notKept()
    return bytes
  }

  async close() {}
}

export class FakeSessions implements Sessions {
  readonly sessions = new Map<string, FakeSession>()

  add(session: FakeSession): FakeSession {
    this.sessions.set(session.id, session)
    return session
  }

  async create(options: NewSession) {
    return this.add(new FakeSession(options))
  }

  async open(id: string) {
    const session = this.sessions.get(id)
    if (session === undefined) throw new PlumblineError('session_not_found', `There is no session ${id}.`)
    return session
  }

  async list(): Promise<SessionSummary[]> {
    return [...this.sessions.values()].map(({ id, state }) => ({
      id,
      title: state.title,
      project: state.cwd,
      projectName: state.cwd.split('/').at(-1) ?? '',
      state: 'idle',
      detail: '',
      updatedAt: state.lastAt,
      added: 0,
      removed: 0,
      cost: state.cost,
      archived: false,
    }))
  }

  onList() {
    return () => undefined
  }

  async setArchived() {}

  async dispose() {}
}

/** Terminals that print what the test says and echo what is written. */
export class FakeTerminals implements DesktopTerminals {
  acknowledged = 0
  attached = 0
  #listeners = new Map<string, Set<(output: TerminalOutput) => void>>()

  async create({ session }: { session: string }) {
    const id = newId('t')
    this.#listeners.set(id, new Set())
    return { id, session, title: 'sh', alive: true }
  }

  list(session: string) {
    return [...this.#listeners.keys()].map((id) => ({ id, session, title: 'sh', alive: true }))
  }

  attach(id: string, listener: (output: TerminalOutput) => void) {
    const listeners = this.#listeners.get(id)
    if (listeners === undefined) throw new PlumblineError('not_found', 'There is no such terminal.')
    listeners.add(listener)
    this.attached += 1
    return () => {
      if (listeners.delete(listener)) this.attached -= 1
    }
  }

  print(id: string, output: TerminalOutput) {
    for (const listener of this.#listeners.get(id) ?? []) listener(output)
  }

  acknowledge(_id: string, characters: number) {
    this.acknowledged += characters
  }

  write(id: string, data: string) {
    this.print(id, { type: 'data', data })
  }

  resize() {}

  async close(id: string) {
    this.print(id, { type: 'exit', exitCode: 0, signal: null })
    this.#listeners.delete(id)
  }
}

export interface FakeServices extends DesktopServices {
  readonly sessions: FakeSessions
  readonly terminals: FakeTerminals
  readonly trusted: Set<string>
  /** Keys as they were saved; nothing of them may ever cross back. */
  readonly keys: Map<string, string>
  disposed: boolean
}

/** The services behind the window without anything behind them. */
export function fakeServices(): FakeServices {
  const sessions = new FakeSessions()
  const trusted = new Set<string>()
  const keys = new Map<string, string>()
  let model: string | null = null
  let values: Awaited<ReturnType<DesktopServices['settings']['read']>>['values'] = {
    theme: 'system',
    toolset: 'plumbline',
    mode: 'ask',
    sandbox: 'guarded',
    fontSize: 13,
  }
  const listeners = new Set<(changed: typeof values) => void>()
  const statuses = async () => [
    {
      name: 'openai',
      label: 'OpenAI',
      type: 'openai-responses' as const,
      baseUrl: 'https://api.openai.com/v1',
      key: keys.has('openai') ? ('memory' as const) : ('missing' as const),
      local: false,
      models: [],
      // Outside the contract: the gate has to leave it out.
      apiKey: keys.get('openai'),
    },
  ]
  const mutator = new FileMutator()
  const undo = new UndoJournal({ mutator })
  const kept = new Map<string, ReturnType<typeof emptyReview>>()
  const load = async (folder: string) => {
    const state = kept.get(folder) ?? emptyReview()
    kept.set(folder, state)
    return state
  }
  const services: FakeServices = {
    sessions,
    undo,
    review: new ReviewEngine({ mutator, undo, store: { load, save: async () => undefined } }),
    terminals: new FakeTerminals(),
    trusted,
    keys,
    disposed: false,
    providers: {
      list: statuses,
      discover: statuses,
      saveKey: async ({ provider, key }) => {
        keys.set(provider, key)
        return { store: 'memory' }
      },
      removeKey: async (provider) => void keys.delete(provider),
      test: async () => ({ ok: true, message: 'It answers.', models: [] }),
      getDefault: async () => model,
      setDefault: async (chosen) => {
        model = chosen
      },
    },
    settings: {
      read: async () => ({ values, issues: [], file: '/nowhere/settings.json' }),
      update: async (patch) => {
        values = { ...values, ...patch }
        for (const listener of listeners) listener(values)
        return values
      },
      onChange: (listener) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
    trust: {
      isTrusted: async (path) => trusted.has(path),
      setTrusted: async (path, trust) => void (trust ? trusted.add(path) : trusted.delete(path)),
    },
    permissions: { list: async () => [], remove: async () => undefined },
    describe: async () => ({
      keychain: { available: false, label: 'memory only' },
      sandbox: { available: false, label: 'none' },
    }),
    startDemo: async () => {
      const session = sessions.add(new FakeSession({ cwd: process.cwd() }))
      return { path: process.cwd(), session: session.id }
    },
    dispose: async () => {
      services.disposed = true
    },
  }
  return services
}
