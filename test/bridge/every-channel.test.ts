import { beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../preload/contract'
import { channelName, streamChannels } from '../../preload/contract/rpc'
import { FakeSession } from '../support/fake-services'
import { type BridgePair, connect, PAGE, WINDOW } from './bridge-pair'

let pair: BridgePair
let session: FakeSession
let terminal: string
const blob = 'a'.repeat(64)
const layout = { sessionsWidth: 200, sessionsOpen: false, dockWidth: 600, dockOpen: true, lowerHeight: 200 }
const fullLayout = { ...layout, lowerOpen: true, lowerTab: 'terminal', diffLayout: 'inline', theme: 'dark' }
const project = () => expect.objectContaining({ path: process.cwd(), trusted: false })

beforeEach(async () => {
  pair = await connect()
  session = pair.services.sessions.add(new FakeSession({ cwd: process.cwd() }))
  session.blobs.set(blob, new TextEncoder().encode('grüße'))
  terminal = (await pair.services.terminals.create({ session: session.id })).id
})

/** Valid arguments for every request, and what comes back for them. A channel without a row fails the test below. */
const requests: Record<string, () => { args: unknown; value?: unknown; failure?: string }> = {
  'app:info': () => ({
    args: undefined,
    value: expect.objectContaining({ version: '1.2.3', launch: { prompt: 'hello' } }),
  }),
  'app:machine': () => ({
    args: undefined,
    value: expect.objectContaining({ keychain: { available: false, label: 'memory only' } }),
  }),
  'app:getLayout': () => ({ args: undefined, value: expect.objectContaining({ sessionsWidth: 240 }) }),
  'app:setLayout': () => ({ args: fullLayout }),
  'app:getDraft': () => ({ args: 'new', value: 'draft of new' }),
  'app:setDraft': () => ({ args: { session: session.id, text: 'unsent' } }),
  'app:openExternal': () => ({ args: { url: 'https://example.com/a' } }),
  'app:revealPath': () => ({ args: { session: session.id, path: 'package.json' } }),
  'app:windowControl': () => ({ args: 'minimize' }),
  'app:copyText': () => ({ args: 'text' }),
  'app:reportFailure': () => ({ args: { message: 'It broke' } }),
  'project:pick': () => ({ args: undefined, value: project() }),
  'project:open': () => ({ args: { path: process.cwd() }, value: project() }),
  'project:openDropped': () => ({ args: { path: process.cwd() }, value: project() }),
  'project:recent': () => ({ args: undefined, value: [expect.objectContaining({ path: process.cwd() })] }),
  'project:startDemo': () => ({
    args: undefined,
    value: { project: project(), session: expect.stringMatching(/^s_/) },
  }),
  'project:trust': () => ({
    args: { path: process.cwd(), trusted: true },
    value: expect.objectContaining({ trusted: true }),
  }),
  'session:list': () => ({ args: undefined, value: [expect.objectContaining({ id: session.id })] }),
  'session:create': () => ({
    args: { project: process.cwd(), mode: 'plan' },
    value: expect.objectContaining({ project: process.cwd() }),
  }),
  'session:page': () => ({
    args: { session: session.id, page: 0 },
    value: [expect.objectContaining({ call: 'c1' })],
  }),
  'session:prompt': () => ({ args: { session: session.id, content: [{ type: 'text', text: 'go' }] } }),
  'session:removeQueued': () => ({ args: { session: session.id, entry: 'q_1' } }),
  'session:stop': () => ({ args: { session: session.id } }),
  'session:answer': () => ({ args: { session: session.id, call: 'c1', answer: 'once' } }),
  'session:setModel': () => ({ args: { session: session.id, model: 'openai:gpt-5' } }),
  'session:setMode': () => ({ args: { session: session.id, mode: 'plan' } }),
  'session:setToolset': () => ({ args: { session: session.id, toolset: 'magi' } }),
  'session:rename': () => ({ args: { session: session.id, title: 'A title' } }),
  'session:setArchived': () => ({ args: { session: session.id, archived: true } }),
  'session:blobText': () => ({
    args: { session: session.id, blob, limit: 3 },
    value: { text: 'gr', bytes: 7, binary: false },
  }),
  'session:blobBytes': () => ({ args: { session: session.id, blob }, value: new TextEncoder().encode('grüße') }),
  'session:sandbox': () => ({ args: { session: session.id }, value: 'guarded' }),
  'changes:list': () => ({
    args: { session: session.id, scope: 'session' },
    value: [expect.objectContaining({ path: 'a.ts' })],
  }),
  'changes:diff': () => ({
    args: { session: session.id, scope: 'turn', path: 'a.ts' },
    value: expect.objectContaining({ before: null, after: 'grüße', notice: null }),
  }),
  'changes:mark': () => ({ args: { session: session.id, hunks: ['a'.repeat(32)], state: 'accepted' } }),
  'changes:acceptRest': () => ({ args: { session: session.id, scope: 'session' }, value: 1 }),
  'changes:reject': () => ({
    args: { session: session.id, scope: 'session', path: 'a.ts', hunk: 'all' },
    failure: 'conflict',
  }),
  'changes:putBack': () => ({ args: { session: session.id, hunk: 'b'.repeat(32) }, failure: 'not_found' }),
  'changes:save': () => ({
    args: { session: session.id, scope: 'session', path: 'a.ts', version: 'c'.repeat(64), text: 'x' },
    failure: 'conflict',
  }),
  'changes:comments': () => ({ args: { session: session.id }, value: [] }),
  'changes:comment': () => ({
    args: { session: session.id, path: 'a.ts', line: 1, quote: 'grüße', text: 'Why?' },
    value: expect.objectContaining({ path: 'a.ts', line: 1, text: 'Why?', entry: expect.stringMatching(/^q_/) }),
  }),
  'changes:removeComment': () => ({ args: { session: session.id, comment: 'e_x' }, failure: 'not_found' }),
  'changes:undo': () => ({ args: { session: session.id }, failure: 'not_found' }),
  'changes:redo': () => ({ args: { session: session.id }, failure: 'not_found' }),
  'changes:pending': () => ({ args: { session: session.id, call: 'c1' }, value: [] }),
  'provider:list': () => ({ args: undefined, value: [expect.objectContaining({ name: 'openai', key: 'missing' })] }),
  'provider:discover': () => ({ args: undefined, value: [expect.objectContaining({ name: 'openai' })] }),
  'provider:saveKey': () => ({ args: { provider: 'openai', key: 'sk-1' }, value: { store: 'memory' } }),
  'provider:removeKey': () => ({ args: { provider: 'openai' } }),
  'provider:test': () => ({ args: { provider: 'openai' }, value: { ok: true, message: 'It answers.', models: [] } }),
  'provider:getDefault': () => ({ args: undefined, value: null }),
  'provider:setDefault': () => ({ args: 'openai:gpt-5' }),
  'terminal:create': () => ({
    args: { session: session.id, columns: 80, rows: 24 },
    value: expect.objectContaining({ alive: true }),
  }),
  'terminal:list': () => ({ args: { session: session.id }, value: [expect.objectContaining({ id: terminal })] }),
  'terminal:write': () => ({ args: { terminal, data: 'ls\r' } }),
  'terminal:resize': () => ({ args: { terminal, columns: 100, rows: 30 } }),
  'terminal:close': () => ({ args: { terminal } }),
  'settings:get': () => ({ args: undefined, value: expect.objectContaining({ issues: [] }) }),
  'settings:update': () => ({ args: { fontSize: 15 }, value: expect.objectContaining({ fontSize: 15 }) }),
  'permissions:list': () => ({ args: { session: session.id }, value: [] }),
  'permissions:remove': () => ({
    args: { session: session.id, entry: { kind: 'grant', text: 'x', source: 'session' } },
  }),
}

/** Valid arguments for every stream, what makes it send, and its first item. */
const streams: Record<string, () => { args: unknown; cause(): unknown; item: unknown }> = {
  'app:commands': () => ({
    args: undefined,
    cause: () => {
      for (const listener of pair.shell.commands) listener({ command: 'session.new' })
    },
    item: { command: 'session.new' },
  }),
  'session:summaries': () => ({
    args: undefined,
    cause: () => undefined,
    item: [expect.objectContaining({ id: session.id })],
  }),
  'session:updates': () => ({
    args: { session: session.id },
    cause: () => undefined,
    item: { type: 'snapshot', snapshot: { state: expect.objectContaining({ session: session.id }), indexing: false } },
  }),
  'terminal:output': () => ({
    args: { terminal },
    cause: () => pair.services.terminals.print(terminal, { type: 'data', data: 'hello' }),
    item: { type: 'data', data: 'hello' },
  }),
  'settings:changes': () => ({
    args: undefined,
    cause: () => pair.services.settings.update({ theme: 'dark' }),
    item: expect.objectContaining({ theme: 'dark' }),
  }),
}

const calls = Object.values(contract).flatMap(({ name, calls: verbs }) =>
  Object.entries(verbs).map(([verb, { kind }]) => ({ domain: name, verb, kind, channel: channelName(name, verb) })),
)
const ofKind = (kind: string) => calls.filter((call) => call.kind === kind)
const rowOf = <Row>(rows: Record<string, () => Row>, channel: string): Row => {
  const row = rows[channel]
  if (row === undefined) throw new Error(`${channel} has no row in this test`)
  return row()
}
const refused = (code: string) => ({ ok: false, failure: { code, message: expect.any(String) } })
const strangers = [
  { who: 'another page', frame: { url: 'https://example.com/', parent: null } },
  { who: 'another file', frame: { url: 'file:///tmp/index.html', parent: null } },
  { who: 'a frame inside our page', frame: { url: PAGE, parent: {} } },
  { who: 'a frame that is gone', frame: null },
]

describe('requests', () => {
  it.each(ofKind('request'))('$channel goes there and back', async ({ channel, domain, verb }) => {
    session.emit({ type: 'call.requested', call: 'c1', tool: 'bash', title: 'Shell', subject: 'ls', args: '{}' })
    session.emit({
      type: 'files.changed',
      call: null,
      entry: 'u1',
      files: [{ path: 'a.ts', kind: 'added', before: null, after: { id: blob, bytes: 7 }, added: 1, removed: 0 }],
    })
    const { args, value, failure } = rowOf(requests, channel)
    const verbs: Record<string, (args: unknown) => Promise<unknown>> = { ...pair.bridge[domain as 'app'] } as never
    const sent = channel === 'project:openDropped' ? new File([], 'dropped') : args
    expect(await verbs[verb]?.(sent)).toEqual(failure === undefined ? { ok: true, value } : refused(failure))
  })

  it.each(ofKind('request'))('$channel refuses a payload that does not fit', async ({ channel }) => {
    expect(await pair.wire.invoke(channel, 42)).toEqual(refused('invalid_payload'))
  })

  it.each(ofKind('request'))('$channel refuses strangers', async ({ channel }) => {
    const { args } = rowOf(requests, channel)
    for (const { frame } of strangers) {
      pair.wire.sendFrom(frame)
      expect(await pair.wire.invoke(channel, args)).toEqual(refused('untrusted_sender'))
    }
    pair.wire.sendFrom({ url: PAGE, parent: null }, WINDOW + 1)
    expect(await pair.wire.invoke(channel, args)).toEqual(refused('untrusted_sender'))
    expect(pair.shell.calls).toEqual([])
    expect(session.prompts).toEqual([])
  })
})

describe('streams', () => {
  it.each(ofKind('stream'))('$channel delivers and is cancelled', async ({ channel, domain, verb }) => {
    const { args, cause, item } = rowOf(streams, channel)
    const items: unknown[] = []
    const verbs: Record<string, (args: unknown, listener: (item: unknown) => void) => () => void> = {
      ...pair.bridge[domain as 'app'],
    } as never
    const cancel = verbs[verb]?.(args, (received) => items.push(received))
    await expect.poll(() => pair.gate.streamCount).toBe(1)
    // The handler has subscribed once its answer is out.
    await new Promise((resolve) => setTimeout(resolve, 5))
    await cause()
    await expect.poll(() => items[0]).toEqual(item)
    cancel?.()
    await expect.poll(() => pair.gate.streamCount).toBe(0)
  })

  it.each(ofKind('stream'))('$channel refuses a payload that does not fit', async ({ channel, domain, verb }) => {
    const { open } = streamChannels(domain, verb)
    expect(await pair.wire.invoke(open, { subscription: 'a', args: 42 })).toEqual(refused('invalid_payload'))
    const { args } = rowOf(streams, channel)
    expect(await pair.wire.invoke(open, { subscription: 5, args })).toEqual(refused('invalid_payload'))
    expect(pair.gate.streamCount).toBe(0)
  })

  it.each(ofKind('stream'))('$channel refuses strangers', async ({ channel, domain, verb }) => {
    const { args } = rowOf(streams, channel)
    for (const { frame } of strangers) {
      pair.wire.sendFrom(frame)
      const answer = await pair.wire.invoke(streamChannels(domain, verb).open, { subscription: 'a', args })
      expect(answer).toEqual(refused('untrusted_sender'))
    }
    expect(pair.gate.streamCount).toBe(0)
  })

  it.each(ofKind('stream'))("$channel can't be cancelled by strangers", async ({ channel, domain, verb }) => {
    const { args } = rowOf(streams, channel)
    const channels = streamChannels(domain, verb)
    await pair.wire.invoke(channels.open, { subscription: 'a', args })
    expect(pair.gate.streamCount).toBe(1)
    pair.wire.sendFrom({ url: 'https://example.com/', parent: null })
    pair.wire.emit(channels.cancel, { subscription: 'a' })
    expect(pair.gate.streamCount).toBe(1)
    pair.wire.sendFrom({ url: PAGE, parent: null })
    pair.wire.emit(channels.cancel, { subscription: 'a' })
    expect(pair.gate.streamCount).toBe(0)
  })
})

describe('the door as a whole', () => {
  it('has a channel for each call of the contract, and no other', () => {
    const handled = calls.map(({ kind, channel, domain, verb }) =>
      kind === 'stream' ? streamChannels(domain, verb).open : channel,
    )
    expect([...pair.wire.handlers.keys()].sort()).toEqual(handled.sort())
    const listened = ofKind('stream').flatMap(({ domain, verb }) => {
      const { ack, cancel } = streamChannels(domain, verb)
      return [ack, cancel]
    })
    expect([...pair.wire.listeners.keys()].sort()).toEqual(listened.sort())
  })

  it('lets no field out that the contract does not name', async () => {
    await pair.bridge.provider.saveKey({ provider: 'openai', key: 'sk-very-secret', test: false })
    expect(pair.services.keys.get('openai')).toBe('sk-very-secret')
    const answer = await pair.bridge.provider.list(undefined)
    expect(JSON.stringify(answer)).toContain('"key":"memory"')
    expect(JSON.stringify([answer, pair.log])).not.toContain('sk-very-secret')
  })

  it('tells the caller the code and keeps what was sent out of the log', async () => {
    await pair.wire.invoke('provider:saveKey', { provider: 5, key: 'sk-very-secret' })
    expect(pair.log).toEqual([
      {
        level: 'warn',
        message: 'bridge call refused',
        fields: expect.objectContaining({
          channel: 'provider:saveKey',
          code: 'invalid_payload',
          ms: expect.any(Number),
        }),
      },
    ])
    expect(JSON.stringify(pair.log)).not.toContain('sk-very-secret')
  })

  it('removes all its channels at the end', () => {
    pair.gate.dispose()
    expect([...pair.wire.handlers.keys(), ...pair.wire.listeners.keys()]).toEqual([])
  })
})
