import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { AgentSession } from '../../../main/agent/session'
import type { ToolRuntimeFactory } from '../../../main/agent/tool-runtime'
import { systemClock } from '../../../main/platform/clock'
import { PlumblineError } from '../../../main/platform/errors'
import type { ModelRequest, Provider, StreamPart } from '../../../main/providers/types'
import { defineTool } from '../../../main/toolsets/define'
import { noHooks } from '../../../main/toolsets/hooks'
import { CallPipeline } from '../../../main/toolsets/pipeline'
import type { SessionEvent } from '../../../preload/contract/events'
import { itemAt } from '../../../preload/contract/session-state'
import { MemoryJournal } from '../../support/memory-journal'

type Reply = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<StreamPart>

const echo = defineTool({
  name: 'echo',
  title: 'Echo',
  description: 'Says it again.',
  args: z.object({ text: z.string() }),
  approval: 'never',
  subject: (args) => args.text,
  targets: async () => [],
  prepare: async (args) => ({ effect: args.text }),
  act: async (effect) => ({ content: [{ type: 'text', text: `echo ${effect}` }], details: {} }),
})

const createTools: ToolRuntimeFactory = ({ scope, grants, approver, emit }) => {
  const pipeline = new CallPipeline({
    scope,
    find: (name) => (name === 'echo' ? { tool: echo } : { refusal: 'none' }),
    targetStages: [],
    effectStages: [],
    hooks: noHooks,
    grants,
    approver,
    addRule: async () => {},
    emit,
    clock: systemClock,
  })
  return {
    list: () => [echo],
    run: (requests, signal) => pipeline.run(requests, signal),
    tagOf: () => undefined,
    dispose: async () => {},
  }
}

async function* say(text: string): AsyncIterable<StreamPart> {
  yield { type: 'text', delta: text }
  yield { type: 'usage', usage: { input: 10, output: 2 } }
  yield { type: 'finish', stop: 'done' }
}

async function* call(...texts: string[]): AsyncIterable<StreamPart> {
  for (const [index, text] of texts.entries()) {
    const id = `${text}-${index}`
    yield { type: 'call.start', call: id, tool: 'echo' }
    yield { type: 'call.args', call: id, delta: JSON.stringify({ text }) }
    yield { type: 'call.end', call: id }
  }
  yield { type: 'finish', stop: 'calls' }
}

const open: AgentSession[] = []

function start(replies: Reply[], journal = new MemoryJournal(), maxTurns?: number) {
  const requests: ModelRequest[] = []
  const provider: Provider = {
    id: 'fake',
    models: async () => [],
    stream: (request, signal) => {
      requests.push({ ...request, messages: structuredClone([...request.messages]) })
      const reply = replies.shift()
      if (reply === undefined) throw new PlumblineError('internal', 'no more replies')
      return reply(request, signal)
    },
  }
  const session = new AgentSession({
    journal,
    options: { attended: true, maxTurns },
    models: { resolve: () => provider, cost: (_ref, usage) => usage.input / 1000 },
    createTools,
    externalise: async (body) => body,
    clock: systemClock,
    platform: 'linux',
  })
  open.push(session)
  const events: SessionEvent[] = []
  session.subscribe((event) => events.push(event))
  return { session, requests, events, journal }
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((session) => session.close()))
})

describe('AgentSession', () => {
  it('works until the model stops asking for calls and sums what it cost', async () => {
    const { session, requests } = start([() => call('a', 'b'), () => say('done')])
    await session.prompt([{ type: 'text', text: 'go' }])
    const end = await session.idle()
    expect(end).toMatchObject({ stop: 'done', usage: { input: 10, output: 2 }, cost: 0.01 })
    expect(requests[1]?.messages.slice(2)).toEqual([
      { role: 'tool', call: 'a-0', tool: 'echo', content: [{ type: 'text', text: 'echo a' }], isError: false },
      { role: 'tool', call: 'b-1', tool: 'echo', content: [{ type: 'text', text: 'echo b' }], isError: false },
    ])
    expect(session.state.title).toBe('go')
    expect(session.state.running).toBeNull()
  })

  it('never executes a call that the stream cut off', async () => {
    async function* cut(): AsyncIterable<StreamPart> {
      yield { type: 'call.start', call: 'x', tool: 'echo' }
      yield { type: 'call.args', call: 'x', delta: '{"text": "a"' }
      yield { type: 'finish', stop: 'length' }
    }
    const { session, requests } = start([cut, () => say('sorry')])
    await session.prompt([{ type: 'text', text: 'go' }])
    await session.idle()
    const result = requests[1]?.messages.at(-1)
    expect(result).toMatchObject({ role: 'tool', isError: true })
    expect(JSON.stringify(result)).toContain('cut off')
  })

  it('steers between two requests and follows up after the turn', async () => {
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    async function* waiting(): AsyncIterable<StreamPart> {
      await gate
      yield* call('a')
    }
    const { session, requests, events } = start([waiting, () => say('one'), () => say('two')])
    await session.prompt([{ type: 'text', text: 'go' }])
    await session.prompt([{ type: 'text', text: 'later' }])
    await session.prompt([{ type: 'text', text: 'mind this' }], 'steer')
    expect(session.state.queue.map((entry) => entry.kind)).toEqual(['follow-up', 'steer'])
    release()
    await session.idle()
    expect(requests[1]?.messages.at(-1)).toEqual({ role: 'user', content: [{ type: 'text', text: 'mind this' }] })
    expect(requests[2]?.messages.at(-1)).toEqual({ role: 'user', content: [{ type: 'text', text: 'later' }] })
    expect(events.filter((event) => event.type === 'turn.finished')).toHaveLength(2)
    expect(session.state.queue).toEqual([])
  })

  it('keeps what was said when it is stopped, and takes the next prompt', async () => {
    async function* endless(_request: ModelRequest, signal: AbortSignal): AsyncIterable<StreamPart> {
      yield { type: 'text', delta: 'half an ans' }
      await new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))),
      )
    }
    const { session, events, requests } = start([endless, () => say('again')])
    await session.prompt([{ type: 'text', text: 'go' }])
    while (!events.some((event) => event.type === 'assistant.delta')) await systemClock.sleep(5)
    await session.stop()
    expect(await session.idle()).toMatchObject({ stop: 'stopped' })
    const message = itemAt(session.state, 1)
    expect(message).toMatchObject({
      kind: 'message',
      content: [{ type: 'text', text: 'half an ans' }],
      stop: 'stopped',
    })
    await session.prompt([{ type: 'text', text: 'more' }])
    expect(await session.idle()).toMatchObject({ stop: 'done' })
    expect(requests[1]?.messages).toHaveLength(3)
  })

  it('ends the turn with the reason when the provider fails, and leaves the queue alone', async () => {
    async function* failing(): AsyncIterable<StreamPart> {
      yield { type: 'text', delta: '' }
      throw new PlumblineError('provider_auth', 'fake refused the key (401).')
    }
    const { session } = start([failing])
    await session.prompt([{ type: 'text', text: 'go' }])
    expect(await session.idle()).toMatchObject({ stop: 'failed', error: { code: 'provider_auth' } })
  })

  it('voids what streamed before a retry', async () => {
    async function* retried(): AsyncIterable<StreamPart> {
      yield { type: 'text', delta: 'wrong' }
      yield { type: 'restart', attempt: 1, of: 3, delayMs: 10, code: 'provider_unavailable', message: 'cut' }
      yield* say('right')
    }
    const { session, events } = start([retried])
    await session.prompt([{ type: 'text', text: 'go' }])
    await session.idle()
    expect(events.find((event) => event.type === 'assistant.message')).toMatchObject({
      content: [{ type: 'text', text: 'right' }],
    })
    expect(events.some((event) => event.type === 'provider.retried')).toBe(true)
  })

  it('gives a resumed model the whole conversation, with a result for the call that was interrupted', async () => {
    const first = start([() => call('a'), () => say('done')])
    await first.session.prompt([{ type: 'text', text: 'go' }])
    await first.session.idle()
    const cutAt = first.journal.events.findIndex((event) => event.type === 'call.finished')
    const { session, requests } = start(
      [() => say('again')],
      new MemoryJournal({}, first.journal.events.slice(0, cutAt)),
    )
    await session.prompt([{ type: 'text', text: 'go on' }])
    await session.idle()
    expect(requests[0]?.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'user'])
    expect(JSON.stringify(requests[0]?.messages[2])).toContain('interrupted')
  })

  it('stops and says why when the journal takes nothing more', async () => {
    const journal = new MemoryJournal()
    const { session, events } = start([() => call('a'), () => say('never')], journal)
    const append = journal.append.bind(journal)
    journal.append = (body) => {
      if (body.type === 'call.finished') throw new PlumblineError('io', 'The disk is full.')
      return append(body)
    }
    await session.prompt([{ type: 'text', text: 'go' }])
    await session.idle()
    expect(events.at(-1)).toMatchObject({ type: 'failed', error: { code: 'io', message: 'The disk is full.' } })
    await expect(session.prompt([{ type: 'text', text: 'more' }])).rejects.toThrow('The disk is full.')
  })

  it('takes two prompts of one moment as a turn and a queued prompt', async () => {
    const { session, events } = start([() => say('one'), () => say('two')])
    await Promise.all([session.prompt([{ type: 'text', text: 'a' }]), session.prompt([{ type: 'text', text: 'b' }])])
    await session.idle()
    expect(events.filter((event) => event.type === 'turn.started')).toHaveLength(2)
  })

  it('stops at the most requests that a turn may make', async () => {
    const { session, requests } = start([() => call('a'), () => call('b'), () => call('c')], new MemoryJournal(), 2)
    await session.prompt([{ type: 'text', text: 'go' }])
    expect(await session.idle()).toMatchObject({ stop: 'max_turns' })
    expect(requests).toHaveLength(2)
  })
})
