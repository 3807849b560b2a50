import type { Contract } from '../../preload/contract'
import type { SessionEvent } from '../../preload/contract/events'
import { reduce } from '../../preload/contract/reduce'
import type { Bridge, Envelope } from '../../preload/contract/rpc'
import type { SessionSummary, SessionUpdate } from '../../preload/contract/session'
import { PAGE_SIZE, type SessionState } from '../../preload/contract/session-state'
import { fakeChanges, fakePermissions, fakeSettings, fakeTerminals } from './fake-panels'
import {
  answerText,
  busyBodies,
  doneBodies,
  eventAt,
  failedBodies,
  foldBodies,
  longBodies,
  opened,
  promptOf,
} from './fake-sessions'

export type Scene = 'start' | 'new' | 'busy' | 'done' | 'failed' | 'long' | 'stream' | 'long-stream'

/** Pages a fake snapshot brings along, as the main process does. */
const SNAPSHOT_PAGES = 2
const LONG_ITEMS = 20_000
const PROJECT = '/home/ada/code/harbor'

const ok = <Value>(value: Value): Promise<Envelope<Value>> => Promise.resolve({ ok: true, value })
const refused = (): Promise<Envelope<never>> =>
  Promise.resolve({ ok: false, failure: { code: 'not_supported', message: 'Not in the preview.' } })
const ignored = () => ok(undefined)
const noStream = () => () => undefined

const ids = {
  busy: 's_00000busy',
  done: 's_00000done',
  failed: 's_000failed',
  long: 's_00000long',
  live: 's_00000live',
}

function summary(
  id: string,
  title: string,
  state: SessionSummary['state'],
  age: number,
  extra: Partial<SessionSummary> = {},
): SessionSummary {
  return {
    id,
    title,
    state,
    project: PROJECT,
    projectName: 'harbor',
    detail: '',
    updatedAt: Date.now() - age,
    added: 0,
    removed: 0,
    cost: 0.2,
    archived: false,
    ...extra,
  }
}

const DAY = 86_400_000
const summaries: SessionSummary[] = [
  summary(ids.busy, 'Honour Retry-After in the queue', 'running', 1000, {
    detail: 'retry-after',
    added: 186,
    removed: 56,
  }),
  summary('s_need0001', 'Drop the legacy config loader', 'needs-you', 240_000, { detail: 'Asks to delete 9 files' }),
  summary('s_need0002', 'Upgrade vitest to 4', 'needs-you', 660_000, { detail: 'Asks to run npm install' }),
  summary(ids.done, 'Why is cold start 900 ms?', 'done', 3_000_000, { detail: 'main, no changes' }),
  summary(ids.failed, 'Port worker pool to utility process', 'failed', 4_000_000, {
    detail: 'Provider answered 529 five times',
  }),
  summary(ids.long, 'A long one', 'idle', 2 * DAY),
  summary(ids.live, 'Streaming', 'idle', 2 * DAY + 1),
  summary('s_other001', 'Rename Job.state to Job.phase', 'done', 3 * DAY, {
    project: '/home/ada/code/quay',
    projectName: 'quay',
  }),
  summary('s_arch0001', 'Spike: SQLite journal', 'idle', 20 * DAY, { archived: true }),
]

/** A session that answers like one of the main process: its snapshot, then its events. */
class FakeSession {
  private listeners = new Set<(update: SessionUpdate) => void>()

  constructor(public state: SessionState) {}

  watch(listener: (update: SessionUpdate) => void): () => void {
    this.listeners.add(listener)
    const last = Math.floor(Math.max(0, this.state.length - 1) / PAGE_SIZE)
    const pages = this.state.pages.map((page, index) => (index > last - SNAPSHOT_PAGES ? page : undefined))
    queueMicrotask(() => listener({ type: 'snapshot', snapshot: { state: { ...this.state, pages }, indexing: false } }))
    return () => this.listeners.delete(listener)
  }

  emit(events: readonly SessionEvent[]): void {
    for (const event of events) this.state = reduce(this.state, event)
    for (const listener of this.listeners) listener({ type: 'events', events: [...events] })
  }
}

/** Streams an answer of many blocks at about `perSecond` tokens, in pieces of a frame. */
export function streamAnswer(session: FakeSession, tokens: number, perSecond: number): void {
  const words = `${answerText}\n\n`.repeat(40).match(/\S+\s*/g) ?? []
  session.emit([
    eventAt(Date.now(), { type: 'turn.started', turn: session.state.turn + 1, model: 'work:coder-large' }),
    eventAt(Date.now(), promptOf('Write a long answer.')),
  ])
  let sent = 0
  const started = performance.now()
  const timer = setInterval(() => {
    const due = Math.min(tokens, Math.floor(((performance.now() - started) / 1000) * perSecond))
    const piece = words.slice(sent, due).join('')
    sent = due
    if (piece !== '') session.emit([eventAt(Date.now(), { type: 'assistant.delta', text: piece })])
    if (sent >= tokens) clearInterval(timer)
  }, 16)
}

function sessionsOf(): Map<string, FakeSession> {
  const now = Date.now()
  return new Map([
    [ids.busy, new FakeSession(foldBodies(busyBodies(ids.busy), now))],
    [ids.done, new FakeSession(foldBodies(doneBodies(ids.done), now))],
    [ids.failed, new FakeSession(foldBodies(failedBodies(ids.failed), now))],
    [ids.live, new FakeSession(foldBodies([opened(ids.live)], now))],
  ])
}

/** The bridge of a window without a main process, for looking at the window and measuring it. */
export function createFakeBridge(scene: Scene): Bridge<Contract> {
  const sessions = sessionsOf()
  if (scene.startsWith('long'))
    sessions.set(ids.long, new FakeSession(foldBodies(longBodies(ids.long, LONG_ITEMS), Date.now())))
  const at = {
    busy: ids.busy,
    done: ids.done,
    failed: ids.failed,
    long: ids.long,
    stream: ids.live,
    'long-stream': ids.long,
    new: null,
    start: null,
  }[scene]
  const first = summaries.find((entry) => entry.id === at)
  const listed =
    scene === 'new'
      ? []
      : first === undefined
        ? summaries
        : [{ ...first, updatedAt: Date.now() }, ...summaries.filter((entry) => entry !== first)]
  const project = { path: PROJECT, name: 'harbor', branch: 'retry-after', trusted: true }
  const live = at === null ? undefined : sessions.get(at)
  if (scene.endsWith('stream') && live !== undefined) setTimeout(() => streamAnswer(live, 4000, 150), 800)
  const models = [
    { ref: 'work:coder-large', label: 'work:coder-large', contextWindow: 200_000, images: true },
    { ref: 'work:coder-small', label: 'work:coder-small', contextWindow: 64_000, images: false },
  ]
  return {
    app: {
      info: () =>
        ok({
          version: '0.1.0',
          platform: 'linux',
          electron: '33.2.1',
          launch: scene === 'start' ? {} : { project: PROJECT },
          home: '/home/ada',
        }),
      machine: () =>
        ok({
          keychain: { available: true, label: 'Secret Service' },
          sandbox: { available: true, label: 'bubblewrap 0.8' },
        }),
      commands: noStream,
      getLayout: () =>
        ok({
          sessionsWidth: 240,
          sessionsOpen: true,
          dockWidth: 560,
          dockOpen: true,
          lowerHeight: 296,
          lowerOpen: true,
          lowerTab: 'timeline',
          diffLayout: 'split',
          theme: 'system',
        }),
      setLayout: ignored,
      getDraft: () => ok(''),
      setDraft: ignored,
      openExternal: ignored,
      revealPath: ignored,
      windowControl: ignored,
      copyText: ignored,
      reportFailure: ignored,
    },
    project: {
      pick: () => ok(project),
      open: () => ok(project),
      openDropped: () => ok(project),
      recent: () => ok([]),
      startDemo: () => ok({ project, session: ids.done }),
      trust: ({ trusted }) => ok({ ...project, trusted }),
    },
    session: {
      list: () => ok(listed),
      summaries: noStream,
      create: () => ok(summary(ids.live, 'Streaming', 'running', 0)),
      updates: ({ session }, listener) => sessions.get(session)?.watch(listener) ?? (() => undefined),
      page: async ({ session, page }) => {
        await new Promise((resolve) => setTimeout(resolve, 20))
        return ok([...(sessions.get(session)?.state.pages[page] ?? [])])
      },
      prompt: ({ session }) => {
        const found = sessions.get(session)
        if (found !== undefined) streamAnswer(found, 400, 150)
        return ok(undefined)
      },
      removeQueued: ({ session, entry }) => {
        sessions.get(session)?.emit([eventAt(Date.now(), { type: 'prompt.removed', entry })])
        return ok(undefined)
      },
      stop: ({ session }) => {
        sessions.get(session)?.emit([
          eventAt(Date.now(), {
            type: 'turn.finished',
            turn: 6,
            stop: 'stopped',
            usage: { input: 0, output: 0 },
            ms: 1000,
          }),
        ])
        return ok(undefined)
      },
      answer: ({ session, call, answer, note }) => {
        sessions.get(session)?.emit([eventAt(Date.now(), { type: 'call.answered', call, answer, by: 'person', note })])
        return ok(undefined)
      },
      setModel: ignored,
      setMode: ignored,
      setToolset: ignored,
      rename: ignored,
      setArchived: ignored,
      blobText: () => ok({ text: 'blob', bytes: 4, binary: false }),
      blobBytes: refused,
      sandbox: () => ok('guarded'),
    },
    changes: fakeChanges,
    provider: {
      list: () => ok(providers(models)),
      discover: () => ok(providers(models)),
      saveKey: () =>
        Promise.resolve({ ok: false, failure: { code: 'provider_auth', message: 'openai refused the key (401).' } }),
      removeKey: ignored,
      test: () => ok({ ok: true, message: '', models: [] }),
      getDefault: () => ok(scene === 'start' ? 'ollama:qwen-coder:32b' : 'work:coder-large'),
      setDefault: ignored,
    },
    terminal: fakeTerminals(),
    settings: fakeSettings(),
    permissions: fakePermissions(),
  }
}

function providers(models: { ref: string; label: string; contextWindow: number; images: boolean }[]) {
  const local = { type: 'openai-chat' as const, key: 'none-needed' as const, local: true }
  return [
    {
      ...local,
      name: 'ollama',
      label: 'Ollama',
      baseUrl: 'http://127.0.0.1:11434/v1',
      reachable: true,
      models: [
        { ref: 'ollama:qwen-coder:32b', label: 'qwen-coder:32b', images: false },
        { ref: 'ollama:llama', label: 'llama', images: false },
      ],
    },
    {
      ...local,
      name: 'lmstudio',
      label: 'LM Studio',
      baseUrl: 'http://127.0.0.1:1234/v1',
      reachable: true,
      models: [{ ref: 'lmstudio:m', label: 'm', images: false }],
    },
    {
      ...local,
      name: 'llamacpp',
      label: 'llama.cpp',
      baseUrl: 'http://127.0.0.1:8080/v1',
      reachable: false,
      models: [],
    },
    {
      name: 'anthropic',
      label: 'Anthropic',
      type: 'anthropic-messages' as const,
      baseUrl: 'https://api.anthropic.com',
      key: 'environment' as const,
      keyName: 'ANTHROPIC_API_KEY',
      local: false,
      models: [{ ref: 'anthropic:a', label: 'a', images: true }],
    },
    {
      name: 'openai',
      label: 'OpenAI',
      type: 'openai-responses' as const,
      baseUrl: 'https://api.openai.com/v1',
      key: 'missing' as const,
      local: false,
      models: [],
    },
    {
      name: 'work',
      label: 'work',
      type: 'openai-responses' as const,
      baseUrl: 'http://127.0.0.1:9090/v1',
      key: 'keychain' as const,
      local: false,
      models,
    },
  ]
}
