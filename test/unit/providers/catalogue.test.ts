import { describe, expect, it } from 'vitest'
import { costOf, describeModel, knownModelIds } from '../../../main/providers/catalogue'
import { baseUrlOfHost } from '../../../main/providers/local-servers'
import { isLoopback } from '../../../main/providers/loopback-address'
import { providerEntries } from '../../../main/providers/provider-entries'

describe('describeModel', () => {
  it('knows the models it lists, dated ids included', () => {
    for (const vendor of ['openai', 'anthropic']) {
      expect(knownModelIds(vendor).length).toBeGreaterThan(3)
      for (const id of knownModelIds(vendor)) expect(describeModel(vendor, id).cost?.input).toBeGreaterThan(0)
    }
    expect(describeModel('anthropic', 'claude-sonnet-4-5-20250929')).toMatchObject({
      label: 'Claude Sonnet 4.5',
      cost: { input: 3 },
    })
  })

  it('lets the settings win', () => {
    const own = { id: 'gpt-5', contextWindow: 5, images: false, cost: { input: 9, output: 8 } }
    expect(describeModel('openai', 'gpt-5', [own])).toEqual({
      ref: 'openai:gpt-5',
      label: 'GPT-5',
      contextWindow: 5,
      images: false,
      cost: { input: 9, output: 8 },
    })
  })

  it('claims nothing about others', () => {
    expect(describeModel('work', 'gpt-5', [], undefined)).toEqual({ ref: 'work:gpt-5', label: 'gpt-5', images: true })
  })
})

describe('costOf', () => {
  it('counts cached tokens at their own price', () => {
    const usage = { input: 1_000_000, output: 100_000, cachedInput: 600_000 }
    expect(costOf({ input: 2, output: 10, cachedInput: 0.5 }, usage)).toBeCloseTo(0.4 * 2 + 0.6 * 0.5 + 1)
    expect(costOf({ input: 2, output: 10 }, usage)).toBeCloseTo(3)
    expect(costOf(undefined, usage)).toBeUndefined()
  })
})

describe('providerEntries', () => {
  const names = (providers: object, env = {}) => providerEntries({ providers: { ...providers } }, env)
  const find = (name: string, providers: object, env = {}) => names(providers, env).find((entry) => entry.name === name)

  it('has the built-in ones and those of the settings', () => {
    const work = {
      type: 'openai-chat',
      baseUrl: 'http://10.0.0.5:8080/v1',
      apiKeyEnv: 'WORK_KEY',
      limits: { idleMs: 7 },
    }
    expect(names({ work, half: { type: 'openai-chat' }, scripted: work }).map((entry) => entry.name)).toEqual([
      'openai',
      'anthropic',
      'ollama',
      'lmstudio',
      'llamacpp',
      'work',
    ])
    expect(find('work', { work })).toMatchObject({
      keyName: 'WORK_KEY',
      needsKey: false,
      local: false,
      limits: { idleMs: 7, connectMs: 60_000 },
    })
  })

  it('takes base URLs of environment and settings, and then needs no key', () => {
    expect(find('openai', {})).toMatchObject({
      baseUrl: 'https://api.openai.com/v1',
      needsKey: true,
      keyName: 'OPENAI_API_KEY',
    })
    expect(find('openai', {}, { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' })).toMatchObject({
      needsKey: false,
      local: true,
    })
    expect(find('anthropic', { anthropic: { baseUrl: 'http://gate.test' } })).toMatchObject({
      baseUrl: 'http://gate.test',
      needsKey: false,
    })
    expect(find('anthropic', { anthropic: { apiKeyEnv: 'MY_KEY' } })).toMatchObject({
      keyName: 'MY_KEY',
      needsKey: true,
    })
    expect(find('ollama', {}, { OLLAMA_HOST: '0.0.0.0:4000' })?.baseUrl).toBe('http://127.0.0.1:4000/v1')
  })

  it('waits longer for servers on this machine', () => {
    expect(find('ollama', {})?.limits.idleMs).toBeGreaterThan(find('openai', {})?.limits.idleMs ?? 0)
  })
})

describe('baseUrlOfHost', () => {
  it.each([
    ['127.0.0.1:4000', 'http://127.0.0.1:4000/v1'],
    ['localhost', 'http://localhost:11434/v1'],
    [':5000', 'http://127.0.0.1:5000/v1'],
    ['0.0.0.0', 'http://127.0.0.1:11434/v1'],
    ['http://[::]:5', 'http://127.0.0.1:5/v1'],
    ['https://box.test/ollama/v1/', 'https://box.test/ollama/v1'],
    ['', undefined],
    ['http://', undefined],
  ])('%j is %s', (host, expected) => {
    expect(baseUrlOfHost(host, 11434)).toBe(expected)
  })
})

describe('isLoopback', () => {
  it.each([
    ['http://127.0.0.1:1/v1', true],
    ['http://localhost/', true],
    ['http://[::1]:9', true],
    ['http://127.0.0.1.evil.test', false],
    ['http://localhost.evil.test', false],
    ['https://api.openai.com/v1', false],
    ['nonsense', false],
  ])('%s: %s', (url, expected) => {
    expect(isLoopback(url)).toBe(expected)
  })
})
