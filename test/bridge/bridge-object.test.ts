import { beforeEach, describe, expect, it } from 'vitest'
import { MAX_UNACKNOWLEDGED } from '../../main/ipc/outgoing-stream'
import { contract } from '../../preload/contract'
import { MAX_SUBSCRIPTIONS } from '../../preload/contract/rpc'
import { FakeSession } from '../support/fake-services'
import { type BridgePair, connect, WINDOW } from './bridge-pair'

let pair: BridgePair

beforeEach(async () => {
  pair = await connect()
})

const settled = () => new Promise((resolve) => setTimeout(resolve, 5))

describe('the exposed object', () => {
  it('has exactly the domains and verbs of the contract', () => {
    const shapeOf = (domains: object) =>
      Object.entries(domains).map(([name, verbs]: [string, object]) => `${name}: ${Object.keys(verbs).join(' ')}`)
    const expected = Object.fromEntries(Object.values(contract).map(({ name, calls }) => [name, calls]))
    expect(shapeOf(pair.bridge)).toEqual(shapeOf(expected))
  })

  it('is frozen all the way down and holds nothing but functions', () => {
    expect(Object.isFrozen(pair.bridge)).toBe(true)
    for (const verbs of Object.values(pair.bridge)) {
      expect(Object.isFrozen(verbs)).toBe(true)
      for (const call of Object.values(verbs)) expect(call).toBeTypeOf('function')
    }
  })

  it('turns a dropped folder into its path, and takes no path in its place', async () => {
    const open = pair.bridge.project.openDropped as unknown as (file: unknown) => Promise<unknown>
    expect(await open(new File([], 'dropped'))).toMatchObject({ ok: true, value: { path: process.cwd() } })
    expect(await open(new File([], 'made by the page'))).toMatchObject({ failure: { code: 'invalid_payload' } })
    expect(await open('/etc')).toMatchObject({ failure: { code: 'invalid_payload' } })
    expect(await open({ path: '/etc' })).toMatchObject({ failure: { code: 'invalid_payload' } })
  })
})

describe('a stream', () => {
  it('holds items back until the listener has returned, and lets the newest replace those that wait', async () => {
    const seen: string[] = []
    pair.bridge.settings.changes(undefined, ({ theme }) => seen.push(theme))
    await settled()
    pair.wire.held = []
    for (let round = 0; round < 50; round += 1) await pair.services.settings.update({ theme: 'dark' })
    await pair.services.settings.update({ theme: 'contrast' })
    expect(pair.wire.held).toHaveLength(MAX_UNACKNOWLEDGED)
    pair.wire.release()
    expect(seen).toEqual([...Array(MAX_UNACKNOWLEDGED).fill('dark'), 'contrast'])
  })

  it('goes on after a listener that threw', async () => {
    const { id } = await pair.services.terminals.create({ session: 's_00000000' })
    let calls = 0
    pair.bridge.terminal.output({ terminal: id }, () => {
      calls += 1
      throw new Error('listener')
    })
    await settled()
    for (let round = 0; round < 2 * MAX_UNACKNOWLEDGED; round += 1) {
      expect(() => pair.services.terminals.print(id, { type: 'data', data: 'x' })).toThrow('listener')
    }
    expect(calls).toBe(2 * MAX_UNACKNOWLEDGED)
  })

  it('acknowledges what a terminal printed only when the window has drawn it', async () => {
    const { terminals } = pair.services
    const { id } = await terminals.create({ session: 's_00000000' })
    let drawn = ''
    pair.bridge.terminal.output({ terminal: id }, (output) => {
      if (output.type === 'data') drawn += output.data
    })
    await settled()
    pair.wire.held = []
    for (let round = 0; round < 100; round += 1) terminals.print(id, { type: 'data', data: 'line\n' })
    expect(terminals.acknowledged).toBe(0)
    pair.wire.release()
    expect(drawn).toBe('line\n'.repeat(100))
    expect(terminals.acknowledged).toBe(drawn.length)
  })

  it('ends after the exit of its terminal', async () => {
    const { terminals } = pair.services
    const { id } = await terminals.create({ session: 's_00000000' })
    const seen: unknown[] = []
    pair.bridge.terminal.output(
      { terminal: id },
      (output) => seen.push(output),
      (failure) => seen.push(failure),
    )
    await settled()
    await terminals.close(id)
    expect(seen).toEqual([{ type: 'exit', exitCode: 0, signal: null }, null])
    expect(terminals.attached).toBe(0)
  })

  it('reports the reason when it could not begin', async () => {
    const failure = await new Promise((resolve) =>
      pair.bridge.session.updates({ session: 's_00000000' }, () => undefined, resolve),
    )
    expect(failure).toEqual({ code: 'session_not_found', message: 'There is no session s_00000000.' })
    expect(pair.gate.streamCount).toBe(0)
  })

  it('is limited in number', async () => {
    const cancels = Array.from({ length: MAX_SUBSCRIPTIONS }, () =>
      pair.bridge.settings.changes(undefined, () => undefined),
    )
    const failure = await new Promise((resolve) => pair.bridge.settings.changes(undefined, () => undefined, resolve))
    expect(failure).toMatchObject({ code: 'limit_exceeded' })
    for (const cancel of cancels) cancel()
    await settled()
    expect(pair.gate.streamCount).toBe(0)
  })

  it('ends with its window, and lets go of what it followed', async () => {
    const session = pair.services.sessions.add(new FakeSession({ cwd: process.cwd() }))
    pair.bridge.session.updates({ session: session.id }, () => undefined)
    await settled()
    expect(session.listenerCount).toBe(1)
    pair.gate.endStreams(WINDOW)
    expect(session.listenerCount).toBe(0)
    expect(pair.gate.streamCount).toBe(0)
  })

  it('is let go at once when it was cancelled while it began', async () => {
    const session = pair.services.sessions.add(new FakeSession({ cwd: process.cwd() }))
    pair.bridge.session.updates({ session: session.id }, () => undefined)()
    await settled()
    expect(session.listenerCount).toBe(0)
    expect(pair.gate.streamCount).toBe(0)
  })
})
