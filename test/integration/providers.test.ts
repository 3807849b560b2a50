import { Agent } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { WireType } from '../../main/providers/dialects'
import { HttpProvider } from '../../main/providers/http-provider'
import { withRetry } from '../../main/providers/retry'
import type { ModelMessage, Provider, StreamPart } from '../../main/providers/types'
import { withWatchdog } from '../../main/providers/watchdog'
import { loopbackAnthropic } from '../support/loopback-anthropic'
import { loopbackChat } from '../support/loopback-chat'
import { loopbackOpenAi } from '../support/loopback-openai'
import type { Loopback, LoopbackFault, LoopbackOptions } from '../support/loopback-server'
import { callsOf, collect, request, textOf } from '../unit/providers/collect'

const wires: [WireType, (options?: LoopbackOptions) => Promise<Loopback>][] = [
  ['openai-responses', loopbackOpenAi],
  ['anthropic-messages', loopbackAnthropic],
  ['openai-chat', loopbackChat],
]

let server: Loopback
let dispatcher: Agent
beforeEach(() => {
  dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 })
})
afterEach(async () => {
  await dispatcher.destroy()
  await server.close()
})

/** No wait of a busy machine is taken for a provider's silence. */
const limits = { connectMs: 20_000, idleMs: 20_000, progressMs: 40_000, maxStreamBytes: 2 * 1024 * 1024 }
/** For the faults that are silence. The retry after it has as little time, on a machine that is already warm. */
const impatient = { ...limits, connectMs: 1500, idleMs: 1500, progressMs: 3000 }

function bare(type: WireType, key = 'secret-key'): HttpProvider {
  return new HttpProvider({
    name: 'work',
    type,
    baseUrl: server.baseUrl,
    headers: { 'X-Team': 'a' },
    key: async () => (key === '' ? undefined : { value: key, origin: 'The key came from the environment.' }),
    dispatcher,
  })
}

/** Wrapped as in the app, with pauses that a test can wait for. */
function wrapped(type: WireType, maxRetries = 2, within = limits): Provider {
  const clock = { now: () => Date.now(), sleep: (ms: number, signal?: AbortSignal) => wait(Math.min(ms, 20), signal) }
  return withRetry(withWatchdog(bare(type), { limits: within }), { maxRetries, clock })
}

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => reject(new DOMException('Operation aborted', 'AbortError')))
  })
}

const restarts = (parts: StreamPart[]) => parts.filter((part) => part.type === 'restart')
const call = { tool: 'bash', args: { command: 'echo "häé"' } }
const tools = [
  { name: 'bash', description: 'Runs', inputSchema: { type: 'object', properties: { command: { type: 'string' } } } },
]

describe.each(wires)('%s', (type, start) => {
  it('streams reasoning, text, parallel calls and usage', async () => {
    server = await start({
      key: 'secret-key',
      turns: [
        {
          reasoning: 'First this.',
          text: 'I will run two commands — ünïcode 😀.',
          calls: [call, { tool: 'bash', args: { command: 'ls' } }],
          usage: { input: 1000, output: 50, cachedInput: 600 },
          unknownEvents: true,
        },
      ],
    })
    const asked = { ...request(), system: 'Be brief.', tools }
    const { parts, thrown } = await collect(wrapped(type), asked)
    expect(thrown).toBeUndefined()
    expect(restarts(parts)).toEqual([])
    expect(textOf(parts)).toBe('I will run two commands — ünïcode 😀.')
    expect(parts.map((part) => (part.type === 'reasoning' ? part.delta : '')).join('')).toBe('First this.')
    expect(parts.filter((part) => part.type === 'text').length).toBeGreaterThan(2)
    const calls = callsOf(parts)
    expect(calls.map(({ tool, args, ended }) => ({ tool, args: JSON.parse(args), ended }))).toEqual([
      { tool: 'bash', args: call.args, ended: true },
      { tool: 'bash', args: { command: 'ls' }, ended: true },
    ])
    expect(parts).toContainEqual({
      type: 'usage',
      usage: expect.objectContaining({ input: 1000, output: 50, cachedInput: 600 }),
    })
    expect(parts.at(-1)).toEqual({ type: 'finish', stop: 'calls' })
    expect(server.requests[0]?.headers['x-team']).toBe('a')
    expect(JSON.stringify(server.requests[0]?.body)).toContain('Be brief.')
  })

  it('sends the conversation back: results, reasoning, images', async () => {
    server = await start({ turns: [{ reasoning: 'Hm.', calls: [call] }, { text: 'ok' }] })
    const provider = wrapped(type)
    const { parts } = await collect(provider, { ...request(), tools })
    const sealed = parts.find((part) => part.type === 'reasoning.end')
    const opaque = sealed?.type === 'reasoning.end' ? sealed.opaque : undefined
    const made = callsOf(parts)[0]
    const messages: ModelMessage[] = [
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.', opaque },
          { type: 'call', call: made?.call ?? '', tool: 'bash', args: made?.args ?? '' },
        ],
      },
      {
        role: 'tool',
        call: made?.call ?? '',
        tool: 'bash',
        content: [
          { type: 'text', text: 'the output' },
          { type: 'image', mimeType: 'image/png', data: new Uint8Array([137, 80, 78, 71]) },
        ],
        isError: false,
      },
    ]
    const second = await collect(provider, { ...request(messages), tools })
    expect(second.thrown).toBeUndefined()
    const body = JSON.stringify(server.requests[1]?.body)
    expect(body).toContain('the output')
    expect(body).toContain('iVBORw')
    if (type === 'openai-responses') expect(body).toContain('sealed-1')
    if (type === 'anthropic-messages') expect(body).toContain('signed-1')
    expect(body).toContain(made?.call)
  })

  it('keeps broken argument JSON as it was sent', async () => {
    server = await start({ turns: [{ calls: [{ tool: 'edit', raw: '{"input": "bro' }] }] })
    const { parts, thrown } = await collect(wrapped(type), { ...request(), tools })
    expect(thrown).toBeUndefined()
    expect(callsOf(parts)).toMatchObject([{ tool: 'edit', args: '{"input": "bro', ended: true }])
  })

  it('does not close a call that the token limit cut off', async () => {
    server = await start({ turns: [{ calls: [{ tool: 'edit', raw: '{"input": "bro' }], stop: 'length' }] })
    const { parts } = await collect(wrapped(type), { ...request(), tools })
    expect(callsOf(parts)).toMatchObject([{ tool: 'edit', ended: false }])
    expect(parts.at(-1)).toEqual({ type: 'finish', stop: 'length' })
  })

  it('sends no key where there is none, and says where a refused one came from', async () => {
    server = await start({ key: 'other' })
    const { thrown } = await collect(wrapped(type))
    expect(thrown).toMatchObject({
      code: 'provider_auth',
      message: 'work refused the key (401). The key came from the environment. refused with 401',
    })
    await collect(bare(type, ''))
    expect(server.requests).toHaveLength(2)
    expect(server.requests[1]?.headers).not.toHaveProperty('authorization')
    expect(server.requests[1]?.headers).not.toHaveProperty('x-api-key')
  })

  const retried: [string, LoopbackFault, string][] = [
    ['429 with retry-after', { kind: 'status', status: 429, retryAfterMs: 30 }, 'provider_rate_limited'],
    ['500', { kind: 'status', status: 500 }, 'provider_unavailable'],
    ['529 with a page of HTML', { kind: 'status', status: 529, body: '<html>busy</html>' }, 'provider_unavailable'],
    ['a connection that is lost', { kind: 'cut', how: 'reset' }, 'provider_stream_broken'],
    ['a stream that ends in the middle', { kind: 'cut', how: 'end' }, 'provider_stream_broken'],
    ['a stream without its final event', { kind: 'no-finish' }, 'provider_stream_broken'],
    ['garbage in the stream', { kind: 'garbage' }, 'provider_stream_broken'],
    ['silence before the answer', { kind: 'silent', when: 'before-headers' }, 'provider_timeout'],
    ['silence in the middle', { kind: 'silent', when: 'mid-stream' }, 'provider_timeout'],
    ['keep-alives only', { kind: 'keep-alive', everyMs: 50 }, 'provider_timeout'],
    [
      'an overload in the stream',
      { kind: 'error-event', type: 'overloaded_error', message: 'Overloaded' },
      'provider_unavailable',
    ],
    [
      'a rate limit in the stream',
      { kind: 'error-event', type: 'rate_limit_exceeded', message: 'Slow' },
      'provider_rate_limited',
    ],
  ]
  it.each(retried)('starts over after %s, and its calls count once', async (_name, fault, code) => {
    server = await start({ turns: [{ text: 'Working on it', calls: [call], fault }] })
    const within = fault.kind === 'silent' || fault.kind === 'keep-alive' ? impatient : limits
    const { parts, thrown } = await collect(wrapped(type, 2, within), { ...request(), tools })
    expect(thrown).toBeUndefined()
    expect(restarts(parts)).toMatchObject([{ attempt: 1, of: 2, code }])
    expect(callsOf(parts)).toMatchObject([{ tool: 'bash', ended: true }])
    const before = parts.slice(
      0,
      parts.findIndex((part) => part.type === 'restart'),
    )
    expect(before.filter((part) => part.type === 'call.end' || part.type === 'finish')).toEqual([])
    expect(server.requests).toHaveLength(2)
  })

  it('takes an answer that is cut anywhere for none, until it is whole', async () => {
    const turn = { reasoning: 'Hm.', text: 'I run it.', calls: [{ tool: 'bash', args: {} }], chunkChars: 4 }
    server = await start()
    let whole = 0
    for (let after = 1; whole === 0 && after < 100; after += 1) {
      server.add({ ...turn, fault: { kind: 'cut', how: 'end', after } }, { text: 'spare' })
      const { parts, thrown } = await collect(bare(type), { ...request(), tools })
      const ends = parts.filter((part) => part.type === 'call.end' || part.type === 'finish')
      if (thrown === undefined) {
        whole = after
        expect(ends.map((part) => part.type)).toEqual(['call.end', 'finish'])
      } else {
        expect(thrown).toMatchObject({ code: 'provider_stream_broken' })
        expect(ends).toEqual([])
        // The same turn again without its fault, and the one behind it.
        await collect(bare(type))
        await collect(bare(type))
      }
    }
    expect(whole).toBeGreaterThan(7)
  })

  it('stops a huge stream and does not ask again', async () => {
    server = await start({ turns: [{ text: 'a', fault: { kind: 'huge', times: 9 } }] })
    const { thrown } = await collect(wrapped(type))
    expect(thrown).toMatchObject({ code: 'limit_exceeded' })
    expect(server.requests).toHaveLength(1)
    await expect.poll(() => server.aborted()).toBe(1)
  })

  it('passes a 400 on with the words of the provider', async () => {
    const body = JSON.stringify({ error: { message: 'max_tokens is too large' } })
    server = await start({ turns: [{ fault: { kind: 'status', status: 400, body, times: 9 } }] })
    const { thrown } = await collect(wrapped(type))
    expect(thrown).toMatchObject({
      code: 'provider_invalid_request',
      message: 'work refused the request (400). max_tokens is too large',
    })
    expect(server.requests).toHaveLength(1)
  })

  it('closes the connection when the person stops', async () => {
    server = await start({ turns: [{ text: 'word '.repeat(200), chunkMs: 5 }] })
    const control = new AbortController()
    const seen: StreamPart[] = []
    const reading = (async () => {
      for await (const part of wrapped(type).stream(request(), control.signal)) {
        seen.push(part)
        if (seen.length === 3) control.abort()
      }
    })()
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
    await expect.poll(() => server.aborted()).toBe(1)
  })

  it('says that nobody answers at the address', async () => {
    server = await start()
    await server.close()
    const { thrown } = await collect(bare(type))
    expect(thrown).toMatchObject({
      code: 'provider_unavailable',
      message: expect.stringMatching(/^No connection to work at http.*ECONNREFUSED/),
    })
  })

  it('lists the models', async () => {
    server = await start({ models: ['m1', 'm2'], key: 'secret-key' })
    expect((await bare(type).models()).map((model) => model.ref)).toEqual(['work:m1', 'work:m2'])
    await expect(bare(type, 'wrong').models()).rejects.toMatchObject({ code: 'provider_auth' })
  })
})

describe('anthropic-messages', () => {
  it.each([
    ['claude-sonnet-4-5', undefined, 64_000],
    ['someone-elses', undefined, 32_000],
    ['someone-elses', 500, 500],
  ])('limits the answer of %s (%s) to %i tokens', async (model, maxOutputTokens, sent) => {
    server = await loopbackAnthropic({ turns: [{ text: 'ok' }] })
    await collect(bare('anthropic-messages'), { ...request(), model, maxOutputTokens })
    expect(server.requests[0]?.body.max_tokens).toBe(sent)
  })

  it('marks system text and last message for the cache', async () => {
    server = await loopbackAnthropic({ turns: [{ text: 'ok' }] })
    await collect(bare('anthropic-messages'), { ...request(), system: 'Be brief.' })
    expect(JSON.stringify(server.requests[0]?.body).match(/"cache_control"/g)).toHaveLength(2)
  })
})

describe('openai-responses', () => {
  it('joins the parts of a summary into one reasoning', async () => {
    server = await loopbackOpenAi({ turns: [{ reasoning: 'First.\n\nSecond.', text: 'x' }] })
    const { parts } = await collect(bare('openai-responses'))
    expect(parts.map((part) => (part.type === 'reasoning' ? part.delta : '')).join('')).toBe('First.\n\nSecond.')
    expect(parts.filter((part) => part.type === 'reasoning.end')).toHaveLength(1)
  })

  it('asks again without summaries where they are not allowed', async () => {
    const body = JSON.stringify({
      error: { message: 'Your organization must be verified to generate reasoning summaries.' },
    })
    server = await loopbackOpenAi({ turns: [{ text: 'ok', fault: { kind: 'status', status: 400, body } }] })
    const provider = bare('openai-responses')
    const asked = { ...request(), model: 'o3' }
    expect(textOf((await collect(provider, asked)).parts)).toBe('ok')
    expect(server.requests[0]?.body).toHaveProperty('reasoning.summary', 'auto')
    expect(server.requests[1]?.body).not.toHaveProperty('reasoning.summary')
    await collect(provider, asked)
    expect(server.requests).toHaveLength(3)
  })
})

describe('openai-chat', () => {
  it.each(['end', 'reset', 'leave-open'] as const)('has a whole answer once the reason is there: %s', async (how) => {
    // One event for the role, one of text, one with the reason; usage and end mark never come.
    server = await loopbackChat({ turns: [{ text: 'ok', fault: { kind: 'cut', how, after: 3 } }] })
    const { parts, thrown } = await collect(bare('openai-chat'))
    expect(thrown).toBeUndefined()
    expect(textOf(parts)).toBe('ok')
    expect(parts.at(-1)).toEqual({ type: 'finish', stop: 'done' })
  })

  it('renames a call whose id was used before', async () => {
    server = await loopbackChat({ turns: [{ calls: [{ ...call, id: 'call_0' }] }] })
    const messages: ModelMessage[] = [
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      { role: 'assistant', content: [{ type: 'call', call: 'call_0', tool: 'bash', args: '{}' }] },
      { role: 'tool', call: 'call_0', tool: 'bash', content: [{ type: 'text', text: '' }], isError: false },
    ]
    const { parts } = await collect(bare('openai-chat'), { ...request(messages), tools })
    expect(callsOf(parts)[0]?.call).toMatch(/^call_0_[0-9a-f]{12}$/)
  })
})
