import { describe, expect, it } from 'vitest'
import { PlumblineError } from '../../../main/platform/errors'
import { failureOfStatus, parseRetryAfter } from '../../../main/providers/failures'
import { withRetry } from '../../../main/providers/retry'
import type { Provider, StreamPart } from '../../../main/providers/types'
import { callsOf, collect, request, textOf } from './collect'
import { InstantClock } from './manual-clock'

type Attempt = (StreamPart | Error)[]

/** Plays one list of parts an attempt; an Error among them is thrown. */
function provider(...attempts: Attempt[]): Provider & { readonly asked: number } {
  const state = { asked: 0 }
  return {
    id: 'work',
    models: async () => [],
    get asked() {
      return state.asked
    },
    async *stream() {
      const attempt = attempts[Math.min(state.asked, attempts.length - 1)] ?? []
      state.asked += 1
      for (const step of attempt) {
        if (step instanceof Error) throw step
        yield step
      }
    },
  }
}

const finish: StreamPart = { type: 'finish', stop: 'done' }
const text = (delta: string): StreamPart => ({ type: 'text', delta })
const status = (code: number, retryAfterMs?: number) => failureOfStatus('work', { status: code, retryAfterMs })
const options = () => ({ maxRetries: 3, clock: new InstantClock(), random: () => 1 })

describe('withRetry', () => {
  it.each([429, 500, 502, 503, 529, 408])('starts over after %i', async (code) => {
    const source = provider([status(code)], [text('ok'), finish])
    const { parts, thrown } = await collect(withRetry(source, options()))
    expect(thrown).toBeUndefined()
    expect(parts[0]).toMatchObject({ type: 'restart', attempt: 1, of: 3 })
    expect(textOf(parts)).toBe('ok')
  })

  it.each([400, 401, 402, 403, 404, 413, 422])('does not repeat %i', async (code) => {
    const source = provider([status(code)], [finish])
    const { parts, thrown } = await collect(withRetry(source, options()))
    expect(thrown).toBeInstanceOf(PlumblineError)
    expect(parts).toEqual([])
    expect(source.asked).toBe(1)
  })

  it('takes a stream without its finish for no turn, and voids its calls', async () => {
    const cut: Attempt = [
      text('a'),
      { type: 'call.start', call: 'c1', tool: 'bash' },
      { type: 'call.args', call: 'c1', delta: '{"comm' },
    ]
    const whole: Attempt = [
      { type: 'call.start', call: 'c2', tool: 'bash' },
      { type: 'call.args', call: 'c2', delta: '{}' },
      { type: 'call.end', call: 'c2' },
      { type: 'finish', stop: 'calls' },
    ]
    const { parts } = await collect(withRetry(provider(cut, whole), options()))
    expect(parts.find((part) => part.type === 'restart')).toMatchObject({ code: 'provider_stream_broken' })
    expect(callsOf(parts)).toEqual([{ call: 'c2', tool: 'bash', args: '{}', ended: true }])
  })

  it('waits as long as the provider asks, else doubles', async () => {
    const setup = options()
    await collect(withRetry(provider([status(429, 1234)], [status(500)], [status(500)], [finish]), setup))
    expect(setup.clock.sleeps).toEqual([1234, 2000, 4000])
  })

  it('takes up to a quarter off as jitter', async () => {
    const setup = { ...options(), random: () => 0 }
    await collect(withRetry(provider([status(500)], [finish]), setup))
    expect(setup.clock.sleeps).toEqual([750])
  })

  it('leaves a wait over a minute to the person', async () => {
    const source = provider([status(429, 61_000)], [finish])
    const { thrown } = await collect(withRetry(source, options()))
    expect(thrown).toMatchObject({ code: 'provider_rate_limited' })
    expect(source.asked).toBe(1)
  })

  it('gives up with the last failure and the number of tries', async () => {
    const source = provider([status(529)])
    const { parts, thrown } = await collect(withRetry(source, options()))
    expect(parts.map((part) => part.type)).toEqual(['restart', 'restart', 'restart'])
    expect(thrown).toMatchObject({
      code: 'provider_unavailable',
      message: expect.stringMatching(
        /^No answer from work after 4 tries\. Last, \d\d:\d\d:\d\d: work is overloaded \(529\)\.$/,
      ),
    })
    expect(source.asked).toBe(4)
  })

  it('stops in the pause', async () => {
    const control = new AbortController()
    const stream = withRetry(provider([status(500, 60_000)]), { maxRetries: 3 }).stream(request(), control.signal)
    const parts = stream[Symbol.asyncIterator]()
    expect((await parts.next()).value).toMatchObject({ type: 'restart', delayMs: 60_000 })
    const next = parts.next()
    control.abort()
    await expect(next).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('failureOfStatus', () => {
  it('says what happened in the words of the person', () => {
    const refused = failureOfStatus('openai', {
      status: 401,
      body: '{"error":{"message":"Incorrect API key provided."}}',
      keyOrigin: 'The key came from the keychain.',
    })
    expect(refused.message).toBe(
      'openai refused the key (401). The key came from the keychain. Incorrect API key provided.',
    )
    expect(failureOfStatus('work', { status: 502, body: '<html>Bad gateway</html>' }).message).toBe(
      'work failed on its side (502).',
    )
  })
})

describe('parseRetryAfter', () => {
  const headers = (values: Record<string, string>) => ({ get: (name: string) => values[name] ?? null })
  it.each([
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after-ms': '150', 'retry-after': '2' }, 150],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:10 GMT' }, 9000],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('reads %o', (values, expected) => {
    expect(parseRetryAfter(headers(values), 1000)).toBe(expected)
  })
})
