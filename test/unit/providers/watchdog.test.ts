import { describe, expect, it } from 'vitest'
import { abortError } from '../../../main/platform/clock'
import type { Provider, StreamPart, WireObserver } from '../../../main/providers/types'
import { withWatchdog } from '../../../main/providers/watchdog'
import { collect, request } from './collect'
import { ManualClock, settle } from './manual-clock'

const limits = { connectMs: 1000, idleMs: 500, progressMs: 3000, maxStreamBytes: 100 }

/** A provider whose parts the test releases one by one, and whose wire it plays. */
class Puppet implements Provider {
  readonly id = 'work'
  wire: WireObserver | undefined
  aborted = false
  #queue: StreamPart[] = []
  #wake: (() => void) | undefined
  models = async () => []

  send(...parts: StreamPart[]): void {
    this.#queue.push(...parts)
    this.#wake?.()
  }

  async *stream(_request: unknown, signal: AbortSignal, wire?: WireObserver): AsyncGenerator<StreamPart> {
    this.wire = wire
    signal.addEventListener('abort', () => {
      this.aborted = true
    })
    for (;;) {
      const next = this.#queue.shift()
      if (next === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
        continue
      }
      yield next
      if (next.type === 'finish') return
    }
  }
}

function start(overrides: Partial<typeof limits> = {}, signal?: AbortSignal) {
  const puppet = new Puppet()
  const clock = new ManualClock()
  const outcome = collect(withWatchdog(puppet, { limits: { ...limits, ...overrides }, clock }), request(), signal)
  return { puppet, clock, outcome }
}

describe('withWatchdog', () => {
  it('ends a request that is never answered, and stops the provider', async () => {
    const { puppet, clock, outcome } = start({ idleMs: 10_000 })
    await clock.advance(1000)
    expect((await outcome).thrown).toMatchObject({
      code: 'provider_timeout',
      message: 'work did not begin to answer within 1 s.',
    })
    expect(puppet.aborted).toBe(true)
  })

  it('ends a stream without bytes', async () => {
    const { puppet, clock, outcome } = start()
    await settle()
    puppet.wire?.answered()
    puppet.send({ type: 'text', delta: 'a' })
    await clock.advance(499)
    puppet.wire?.bytes(1)
    await clock.advance(499)
    puppet.wire?.bytes(1)
    await clock.advance(500)
    const { parts, thrown } = await outcome
    expect(parts).toEqual([{ type: 'text', delta: 'a' }])
    expect(thrown).toMatchObject({ code: 'provider_timeout', message: 'work sent nothing for 500 ms.' })
  })

  it('ends a stream that only keeps itself alive', async () => {
    const { puppet, clock, outcome } = start()
    await settle()
    for (let beat = 0; beat < 7; beat += 1) {
      puppet.wire?.bytes(1)
      await clock.advance(450)
    }
    expect((await outcome).thrown).toMatchObject({
      code: 'provider_timeout',
      message: expect.stringContaining('said nothing'),
    })
  })

  it('stops a stream that is too long', async () => {
    const { puppet, outcome } = start()
    await settle()
    puppet.wire?.bytes(101)
    expect((await outcome).thrown).toMatchObject({ code: 'limit_exceeded' })
  })

  it('does not count the time in which nobody asks for the next part', async () => {
    const puppet = new Puppet()
    const clock = new ManualClock()
    const stream = withWatchdog(puppet, { limits, clock }).stream(request(), new AbortController().signal)
    const parts = stream[Symbol.asyncIterator]()
    puppet.send({ type: 'text', delta: 'a' })
    await parts.next()
    await clock.advance(60_000)
    puppet.send({ type: 'finish', stop: 'done' })
    expect((await parts.next()).value).toEqual({ type: 'finish', stop: 'done' })
  })

  it('rejects with an AbortError at once, even when the provider does not hear', async () => {
    const control = new AbortController()
    const { outcome } = start({}, control.signal)
    await settle()
    control.abort()
    expect((await outcome).thrown).toMatchObject({ name: abortError().name })
  })
})
