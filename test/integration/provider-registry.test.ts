import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Credentials } from '../../main/credentials/credentials'
import { ProviderRegistry } from '../../main/providers/registry'
import { Settings } from '../../main/settings/settings'
import { loopbackAnthropic } from '../support/loopback-anthropic'
import { loopbackChat } from '../support/loopback-chat'
import { loopbackOpenAi } from '../support/loopback-openai'
import type { Loopback } from '../support/loopback-server'
import { collect, request, textOf } from '../unit/providers/collect'

let home: string
const servers: Loopback[] = []
const registries: ProviderRegistry[] = []
const secrets = new Map<string, string>()

beforeEach(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'plumbline-registry-'))
  secrets.clear()
})
afterEach(async () => {
  await Promise.all(registries.splice(0).map((registry) => registry.dispose()))
  await Promise.all(servers.splice(0).map((server) => server.close()))
  await rm(home, { recursive: true, force: true })
})

async function serve(starting: Promise<Loopback>): Promise<Loopback> {
  const server = await starting
  servers.push(server)
  return server
}

/** Nobody answers on the ports that are looked at by default. */
const nobody = { OLLAMA_HOST: '127.0.0.1:1', LMSTUDIO_HOST: '127.0.0.1:1', LLAMACPP_HOST: '127.0.0.1:1' }

async function open(settings: object = {}, env: Record<string, string> = {}, keychain = true) {
  await writeFile(path.join(home, 'settings.json'), JSON.stringify(settings))
  const store = new Settings({ home, managedFile: null, trust: { isTrusted: async () => false } })
  await store.load()
  const credentials = new Credentials({
    loadKeychain: async () => {
      if (!keychain) throw new Error('none here')
      return {
        get: async (account) => secrets.get(account) ?? null,
        set: async (account, secret) => void secrets.set(account, secret),
        delete: async (account) => void secrets.delete(account),
      }
    },
  })
  const registry = new ProviderRegistry({ settings: store, credentials, env: { ...nobody, ...env } })
  registries.push(registry)
  return { registry, credentials, store }
}

const session = { id: 's_00000001', cwd: os.tmpdir(), tagOf: () => 'BEEF' }
const status = async (registry: ProviderRegistry, name: string) =>
  (await registry.list()).find((entry) => entry.name === name)

describe('ProviderRegistry', () => {
  it('lists every provider, with the place of its key and never the key', async () => {
    secrets.set('anthropic', 'sk-ant-kept-here')
    const { registry } = await open(
      { providers: { work: { type: 'openai-chat', baseUrl: 'https://gate.test/v1', models: [{ id: 'm1' }] } } },
      { OPENAI_API_KEY: 'sk-env-0000' },
    )
    const list = await registry.list()
    expect(list.map(({ name, key, type }) => `${name} ${type} ${key}`)).toEqual([
      'openai openai-responses environment',
      'anthropic anthropic-messages keychain',
      'ollama openai-chat none-needed',
      'lmstudio openai-chat none-needed',
      'llamacpp openai-chat none-needed',
      'work openai-chat none-needed',
      'scripted scripted none-needed',
    ])
    expect(list.find((entry) => entry.name === 'work')?.models).toEqual([{ ref: 'work:m1', label: 'm1', images: true }])
    expect(JSON.stringify(list)).not.toMatch(/sk-/)
  })

  it('finds servers on this machine, and again when asked', async () => {
    const server = await serve(loopbackChat({ models: ['qwen3'] }))
    const { registry } = await open({}, { OLLAMA_HOST: new URL(server.origin).host })
    expect(await status(registry, 'ollama')).toMatchObject({
      reachable: true,
      local: true,
      models: [{ ref: 'ollama:qwen3' }],
    })
    expect(await status(registry, 'lmstudio')).toMatchObject({ reachable: false, models: [] })
    await server.close()
    const again = await registry.discover()
    expect(again.find((entry) => entry.name === 'ollama')).toMatchObject({ reachable: false, models: [] })
  })

  it('does not wait for a server that says nothing', async () => {
    const server = await serve(loopbackChat({ turns: [] }))
    const { registry } = await open({
      providers: { slow: { type: 'openai-chat', baseUrl: `${server.origin}/nothing` } },
    })
    expect(await status(registry, 'slow')).toMatchObject({ reachable: false })
  })

  it.each([
    ['openai-responses', loopbackOpenAi],
    ['anthropic-messages', loopbackAnthropic],
    ['openai-chat', loopbackChat],
  ] as const)('works with a provider of the settings: %s', async (type, start) => {
    const server = await serve(
      start({ key: 'work-key-1', turns: [{ text: 'hello', usage: { input: 1_000_000, output: 0 } }] }),
    )
    const work = {
      type,
      baseUrl: server.baseUrl,
      apiKeyEnv: 'WORK_KEY',
      headers: { 'x-team': 'a' },
      models: [{ id: 'm1', cost: { input: 2, output: 4 } }],
    }
    const { registry } = await open({ providers: { work } }, { WORK_KEY: 'work-key-1' })
    const { parts, thrown } = await collect(await registry.resolve('work:m1', session))
    expect(thrown).toBeUndefined()
    expect(textOf(parts)).toBe('hello')
    expect(server.requests[0]?.headers['x-team']).toBe('a')
    expect(server.requests[0]?.body.model).toBe('m1')
    expect(registry.cost('work:m1', { input: 1_000_000, output: 0 })).toBe(2)
    expect(registry.cost('work:m2', { input: 1_000_000, output: 0 })).toBeUndefined()
  })

  it.each([
    ['openai-responses', loopbackOpenAi, 'reasoning.effort', 'high'],
    ['anthropic-messages', loopbackAnthropic, 'thinking.budget_tokens', 24_576],
    ['openai-chat', loopbackChat, 'reasoning_effort', 'high'],
  ] as const)('asks for as much reasoning as the settings say: %s', async (type, start, key, value) => {
    const server = await serve(start({ turns: [{ text: 'a' }, { text: 'b' }] }))
    const known = type === 'openai-responses' ? 'o3' : 'claude-sonnet-4-5'
    const models = [{ id: known, reasoning: 'high' }]
    const { registry } = await open({ providers: { work: { type, baseUrl: server.baseUrl, models } } })
    const asked = { ...request(), model: known }
    expect((await collect(await registry.resolve(`work:${known}`, session), asked)).thrown).toBeUndefined()
    expect(server.requests[0]?.body).toHaveProperty(key, value)
    await collect(await registry.resolve('work:other', session), { ...request(), model: 'other' })
    expect(server.requests[1]?.body).not.toHaveProperty(key)
  })

  it('honours the base URLs and keys of the environment', async () => {
    const openai = await serve(loopbackOpenAi({ key: 'sk-o', turns: [{ text: 'o' }] }))
    const anthropic = await serve(loopbackAnthropic({ key: 'sk-a', turns: [{ text: 'a' }] }))
    const { registry } = await open(
      {},
      {
        OPENAI_BASE_URL: openai.baseUrl,
        OPENAI_API_KEY: 'sk-o',
        ANTHROPIC_BASE_URL: anthropic.baseUrl,
        ANTHROPIC_API_KEY: 'sk-a',
      },
    )
    expect(textOf((await collect(await registry.resolve('openai:gpt-5', session))).parts)).toBe('o')
    expect(textOf((await collect(await registry.resolve('anthropic:claude-sonnet-4-5', session))).parts)).toBe('a')
  })

  it("looks for a key in the run's override, the keychain, then the environment", async () => {
    const server = await serve(loopbackOpenAi({ key: 'right', turns: [] }))
    const { registry, credentials } = await open(
      {},
      { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'from-environment' },
    )
    const words = async () => {
      const { thrown } = await collect(await registry.resolve('openai:gpt-5', session))
      return thrown instanceof Error ? thrown.message : ''
    }
    expect(await words()).toContain('openai refused the key (401). It came from OPENAI_API_KEY.')
    await credentials.set('openai', 'from-keychain')
    expect(await words()).toContain('It came from the keychain.')
    credentials.override('openai', 'from-person')
    expect(await words()).toContain('It was entered for this run.')
    credentials.override('openai', 'right')
    expect(await words()).toBe('')
    expect(server.requests.map((asked) => asked.headers.authorization)).toEqual(
      ['from-environment', 'from-keychain', 'from-person', 'right'].map((key) => `Bearer ${key}`),
    )
  })

  it('tries a key before it keeps it', async () => {
    const server = await serve(loopbackAnthropic({ key: 'good-key', models: ['c1'] }))
    const { registry } = await open({}, { ANTHROPIC_BASE_URL: server.baseUrl })
    await expect(registry.saveKey({ provider: 'anthropic', key: 'bad-key', test: true })).rejects.toMatchObject({
      code: 'provider_auth',
    })
    expect(secrets.size).toBe(0)
    expect(await registry.saveKey({ provider: 'anthropic', key: ' good-key\n', test: true })).toEqual({
      store: 'keychain',
    })
    expect(secrets.get('anthropic')).toBe('good-key')
    expect(await registry.test('anthropic')).toMatchObject({ ok: true, models: [{ ref: 'anthropic:c1' }] })
    await registry.removeKey('anthropic')
    expect(await registry.test('anthropic')).toMatchObject({ ok: false, message: expect.stringContaining('401') })
  })

  it('keeps a key in memory where there is no keychain, and in no file', async () => {
    const { registry } = await open({}, {}, false)
    expect(await registry.saveKey({ provider: 'openai', key: 'sk-only-in-memory', test: false })).toEqual({
      store: 'memory',
    })
    expect(await status(registry, 'openai')).toMatchObject({ key: 'memory' })
    expect(await readFile(path.join(home, 'settings.json'), 'utf8')).not.toContain('sk-only')
  })

  it('says which key is missing, before anything is sent', async () => {
    const { registry } = await open()
    await expect(registry.resolve('openai:gpt-5', session)).rejects.toMatchObject({
      code: 'key_missing',
      message: expect.stringContaining('set OPENAI_API_KEY'),
    })
  })

  it.each([
    ['nobody:m', /There is no provider nobody\. There are openai, anthropic/],
    ['half:m', /The provider half needs type and baseUrl/],
    ['openai:', /not a model/],
  ])('refuses %s in words', async (ref, message) => {
    const { registry } = await open({ providers: { half: { headers: {} } } })
    await expect(registry.resolve(ref, session)).rejects.toMatchObject({
      code: 'invalid_arguments',
      message: expect.stringMatching(message),
    })
  })

  it('retries within the limits of the settings', async () => {
    const server = await serve(
      loopbackChat({ turns: [{ text: 'x', fault: { kind: 'silent', when: 'mid-stream', times: 9 } }] }),
    )
    const work = { type: 'openai-chat', baseUrl: server.baseUrl, limits: { idleMs: 100, maxRetries: 0 } }
    const { registry } = await open({ providers: { work } })
    const { thrown } = await collect(await registry.resolve('work:m', session))
    expect(thrown).toMatchObject({ code: 'provider_timeout', message: 'work sent nothing for 100 ms.' })
    expect(server.requests).toHaveLength(1)
  })

  it('plays a script and remembers its place for the session', async () => {
    const file = path.join(home, 'play.jsonl')
    await writeFile(file, '{"text":"one {{tag:a.ts}}"}\n{"text":"two"}\n')
    const { registry } = await open()
    const play = async (id: string) =>
      textOf((await collect(await registry.resolve(`scripted:${file}`, { ...session, id }), request())).parts)
    expect(await play('s_00000001')).toBe('one BEEF')
    expect(await play('s_00000001')).toBe('two')
    expect(await play('s_00000002')).toBe('one BEEF')
    expect(registry.info(`scripted:${file}`).label).toBe('play.jsonl (script, no model)')
  })

  it('keeps the model of new sessions in the settings', async () => {
    const { registry, store } = await open()
    expect(await registry.getDefault()).toBeNull()
    await registry.setDefault('ollama:qwen3')
    expect(await registry.getDefault()).toBe('ollama:qwen3')
    expect(await readFile(store.file, 'utf8')).toContain('"model": "ollama:qwen3"')
    await expect(registry.setDefault('scripted:x.jsonl')).rejects.toMatchObject({ code: 'invalid_arguments' })
  })
})
