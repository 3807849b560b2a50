import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { systemClock } from '../../../main/platform/clock'
import { PlumblineError } from '../../../main/platform/errors'
import type { Approver, Reply } from '../../../main/toolsets/abilities'
import type { EffectiveCall, JudgedCall, Stage } from '../../../main/toolsets/calls'
import { defineTool, type RegisteredTool, type SessionScope, WorldMoved } from '../../../main/toolsets/define'
import { SessionGrants } from '../../../main/toolsets/grants'
import { type HookDecision, type Hooks, noHooks } from '../../../main/toolsets/hooks'
import { CallPipeline } from '../../../main/toolsets/pipeline'
import type { Ask } from '../../../preload/contract/effects'
import type { EventBody } from '../../../preload/contract/events'
import { MemoryBlobs } from '../../support/memory-journal'

const ask: Ask = {
  question: 'Note it?',
  reason: 'mode ask',
  stage: 'mode',
  scopes: ['once', 'session', 'always', 'deny'],
  grant: { key: 'note', label: 'note' },
  rule: 'note',
}

interface Setup {
  tools?: RegisteredTool[]
  reply?: Reply
  targetStages?: Stage<JudgedCall>[]
  effectStages?: Stage<EffectiveCall>[]
  hooks?: Hooks
}

function setUp(setup: Setup = {}) {
  const events: EventBody[] = []
  const asked: string[] = []
  const rules: string[] = []
  const grants = new SessionGrants()
  const blobs = new MemoryBlobs()
  const scope: SessionScope = {
    id: 's_00000000',
    toolset: 'plumbline',
    mode: 'ask',
    sandbox: 'off',
    cwd: '/project',
    roots: ['/project'],
    narrowed: false,
    attended: true,
    blobs,
    toolResultsFolder: '/nowhere/results',
    temporaryFolder: '/nowhere/local',
  }
  const approver: Approver = {
    ask: async (question) => {
      asked.push(question.call)
      return setup.reply ?? { answer: 'once', by: 'person' }
    },
  }
  const tools = setup.tools ?? [noteTool([])]
  const pipeline = new CallPipeline({
    scope,
    find: (name) => {
      const tool = tools.find((candidate) => candidate.name === name)
      return tool ? { tool } : { refusal: `There is no tool ${name}.` }
    },
    targetStages: setup.targetStages ?? [],
    effectStages: setup.effectStages ?? [],
    hooks: setup.hooks ?? noHooks,
    grants,
    approver,
    addRule: async (rule) => void rules.push(rule),
    emit: (body) => void events.push(body),
    clock: systemClock,
  })
  const run = (...calls: { tool?: string; args: unknown }[]) =>
    pipeline.run(
      calls.map((call, index) => ({ id: `c${index + 1}`, tool: call.tool ?? 'note', args: { value: call.args } })),
      new AbortController().signal,
    )
  return { pipeline, run, events, asked, rules, grants }
}

function noteTool(acted: string[], act?: (text: string) => Promise<void>): RegisteredTool {
  return defineTool({
    name: 'note',
    title: 'Note',
    description: 'Keeps a note.',
    args: z.object({ text: z.string() }),
    approval: 'once',
    subject: (args) => args.text,
    targets: async () => [],
    prepare: async (args) => ({ effect: args.text, preview: { kind: 'text', text: args.text } }),
    act: async (effect) => {
      await act?.(effect)
      acted.push(effect)
      return { content: [{ type: 'text', text: `noted ${effect}` }], details: { text: effect } }
    },
    merge: {
      keys: (args) => (args.text.startsWith('together') ? ['together'] : []),
      merge: (all) => ({ text: all.map((args) => args.text).join('+') }),
    },
  })
}

describe('CallPipeline', () => {
  it('answers in the order of the calls and journals each from request to end', async () => {
    const { run, events } = setUp()
    const outcomes = await run({ args: { text: 'a' } }, { tool: 'absent', args: {} }, { args: { text: 'b' } })
    expect(outcomes.map((outcome) => [outcome.id, outcome.ok])).toEqual([
      ['c1', true],
      ['c2', false],
      ['c3', true],
    ])
    expect(outcomes[1]?.error).toEqual({ code: 'not_offered', message: 'There is no tool absent.' })
    const ofFirst = events.flatMap((event) => ('call' in event && event.call === 'c1' ? [event.type] : []))
    expect(ofFirst).toEqual(['call.requested', 'call.prepared', 'call.finished'])
  })

  it('PERM-20 gives broken and cut-off arguments back and executes nothing', async () => {
    const acted: string[] = []
    const { pipeline } = setUp({ tools: [noteTool(acted)] })
    const [broken, cut] = await pipeline.run(
      [
        { id: 'c1', tool: 'note', args: { text: '{"text": "a' } },
        { id: 'c2', tool: 'note', args: { text: '{"text": "a"}' }, cutOff: true },
      ],
      new AbortController().signal,
    )
    expect(broken?.error?.code).toBe('invalid_arguments')
    expect(broken?.error?.message).toContain('{"text": "a')
    expect(cut?.error?.message).toContain('cut off')
    expect(acted).toEqual([])
  })

  it('names each argument that does not fit', async () => {
    const [outcome] = await setUp().run({ args: { text: 5 } })
    expect(outcome?.error).toMatchObject({ code: 'invalid_arguments', message: expect.stringContaining('- text: ') })
  })

  it('stops at the first stage that says so, before anything is prepared', async () => {
    const { run, events } = setUp({
      targetStages: [
        { name: 'deny', check: () => ({ stop: { code: 'permission_denied', message: 'denied by a rule' } }) },
      ],
    })
    const [outcome] = await run({ args: { text: 'a' } })
    expect(outcome?.error).toEqual({ code: 'permission_denied', message: 'denied by a rule' })
    expect(events.some((event) => event.type === 'call.prepared')).toBe(false)
  })

  it.each([
    ['session', { grants: ['note'], rules: [] }],
    ['always', { grants: [], rules: ['note'] }],
    ['once', { grants: [], rules: [] }],
  ] as const)('keeps the answer "%s" for as long as it says', async (answer, expected) => {
    const { run, grants, rules } = setUp({
      reply: { answer, by: 'person' },
      effectStages: [{ name: 'mode', check: () => ({ ask }) }],
    })
    const [outcome] = await run({ args: { text: 'a' } })
    expect(outcome?.ok).toBe(true)
    expect(grants.list().map((grant) => grant.key)).toEqual(expected.grants)
    expect(rules).toEqual(expected.rules)
  })

  it('passes the note of a denial on to the model and does nothing', async () => {
    const acted: string[] = []
    const { run } = setUp({
      tools: [noteTool(acted)],
      reply: { answer: 'deny', by: 'person', note: 'not now' },
      effectStages: [{ name: 'mode', check: () => ({ ask }) }],
    })
    const [outcome] = await run({ args: { text: 'a' } })
    expect(outcome?.error?.code).toBe('permission_denied')
    expect(outcome?.error?.message).toContain('not now')
    expect(acted).toEqual([])
  })

  it('prepares again when the world moved, and asks again only when the effect differs', async () => {
    for (const [texts, questions] of [
      [['same', 'same'], 1],
      [['first', 'second'], 2],
    ] as const) {
      let preparations = 0
      let moved = false
      const tool = defineTool({
        name: 'note',
        title: 'Note',
        description: '',
        args: z.object({}),
        approval: 'once',
        subject: () => '',
        targets: async () => [],
        prepare: async () => {
          const text = texts[preparations] ?? ''
          preparations += 1
          return { effect: text, preview: { kind: 'text', text } }
        },
        act: async (effect) => {
          if (!moved) {
            moved = true
            throw new WorldMoved()
          }
          return { content: [{ type: 'text', text: effect }], details: {} }
        },
      })
      const { run, asked } = setUp({ tools: [tool], effectStages: [{ name: 'mode', check: () => ({ ask }) }] })
      const [outcome] = await run({ args: {} })
      expect(outcome?.content).toEqual([{ type: 'text', text: texts[1] }])
      expect(asked).toHaveLength(questions)
    }
  })

  it('EDIT-18 does merged calls once and answers each', async () => {
    const acted: string[] = []
    const { run, events } = setUp({ tools: [noteTool(acted)] })
    const outcomes = await run(
      { args: { text: 'together 1' } },
      { args: { text: 'alone' } },
      { args: { text: 'together 2' } },
    )
    expect(acted.sort()).toEqual(['alone', 'together 1+together 2'])
    expect(outcomes.map((outcome) => outcome.content)).toEqual([
      [{ type: 'text', text: 'noted together 1+together 2' }],
      [{ type: 'text', text: 'noted alone' }],
      [{ type: 'text', text: 'noted together 1+together 2' }],
    ])
    expect(events.filter((event) => event.type === 'call.finished')).toHaveLength(3)
  })

  it('lets a hook deny, and checks arguments that a hook changed like any others', async () => {
    const deciding = (decision: HookDecision): Hooks => ({ ...noHooks, before: async () => decision })
    const [denied] = await setUp({ hooks: deciding({ deny: 'guarded' }) }).run({ args: { text: 'a' } })
    expect(denied?.error).toEqual({ code: 'hook_denied', message: 'guarded' })
    const [changed] = await setUp({ hooks: deciding({ args: { text: 'b' } }) }).run({ args: { text: 'a' } })
    expect(changed?.content).toEqual([{ type: 'text', text: 'noted b' }])
    const [broken] = await setUp({ hooks: deciding({ args: { text: 1 } }) }).run({ args: { text: 'a' } })
    expect(broken?.error?.code).toBe('invalid_arguments')
  })

  it('turns what a tool throws into its code and message', async () => {
    const failing = noteTool([], async () => {
      throw new PlumblineError('too_large', 'over the cap')
    })
    const [outcome] = await setUp({ tools: [failing] }).run({ args: { text: 'a' } })
    expect(outcome?.error).toEqual({ code: 'too_large', message: 'over the cap' })
  })

  it('does not start a call after the abort', async () => {
    const acted: string[] = []
    const { pipeline } = setUp({ tools: [noteTool(acted)] })
    const [outcome] = await pipeline.run(
      [{ id: 'c1', tool: 'note', args: { value: { text: 'a' } } }],
      AbortSignal.abort(),
    )
    expect(outcome?.error?.code).toBe('aborted')
    expect(acted).toEqual([])
  })
})
