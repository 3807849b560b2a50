import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withRetry } from '../../../main/providers/retry'
import { ScriptedProvider } from '../../../main/providers/scripted'
import type { ModelMessage } from '../../../main/providers/types'
import { callsOf, collect, request, textOf } from './collect'
import { InstantClock } from './manual-clock'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'plumbline-script-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function script(...lines: (object | string)[]): Promise<string> {
  const file = path.join(folder, 's.jsonl')
  await writeFile(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'))
  return file
}

const play = (file: string, tags: Record<string, string> = {}, clock = new InstantClock()) =>
  new ScriptedProvider({ file, cwd: folder, tagOf: (name) => tags[name], clock })

const user: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'go' }] }
const said = (text: string): ModelMessage => ({ role: 'assistant', content: [{ type: 'text', text }] })
const result = (call: string, text: string): ModelMessage => ({
  role: 'tool',
  call,
  tool: 'read',
  content: [{ type: 'text', text }],
  isError: false,
})

describe('ScriptedProvider', () => {
  it('plays one line a turn, then ends with script_ended', async () => {
    const provider = play(
      await script({ reasoning: 'hm', text: 'One' }, '', { text: 'Two', usage: { input: 5, output: 2 } }),
    )
    const first = await collect(provider, request([user]))
    expect(first.parts).toEqual([
      { type: 'reasoning', delta: 'hm' },
      { type: 'reasoning.end' },
      { type: 'text', delta: 'One' },
      { type: 'usage', usage: { input: 0, output: 0 } },
      { type: 'finish', stop: 'done' },
    ])
    const second = await collect(provider, request([user, said('One'), user]))
    expect(textOf(second.parts)).toBe('Two')
    expect(second.parts).toContainEqual({ type: 'usage', usage: { input: 5, output: 2 } })
    const third = await collect(provider, request([user, said('One'), user, said('Two'), user]))
    expect(third.parts.at(-1)).toEqual({ type: 'finish', stop: 'script_ended' })
  })

  it('goes on behind the turns of a resumed session', async () => {
    const provider = play(await script({ text: 'One' }, { text: 'Two' }, { text: 'Three' }))
    const { parts } = await collect(provider, request([user, said('One'), user, said('Two'), user]))
    expect(textOf(parts)).toBe('Three')
  })

  it('keeps its place when the conversation was shortened meanwhile', async () => {
    const provider = play(await script({ text: 'One' }, { text: 'Two' }, { text: 'Three' }))
    await collect(provider, request([user]))
    await collect(provider, request([user, said('One'), user]))
    expect(textOf((await collect(provider, request([user]))).parts)).toBe('Three')
  })

  it('sends calls with arguments or raw text under ids of their own', async () => {
    const provider = play(
      await script(
        {
          calls: [
            { tool: 'read', args: { paths: ['a.ts'] } },
            { tool: 'edit', raw: '{"input": "bro' },
            { tool: 'list_files' },
          ],
        },
        { calls: [{ tool: 'read', args: {} }] },
      ),
    )
    const first = await collect(provider, request([user]))
    const calls = callsOf(first.parts)
    expect(calls.map(({ tool, args, ended }) => ({ tool, args, ended }))).toEqual([
      { tool: 'read', args: '{"paths":["a.ts"]}', ended: true },
      { tool: 'edit', args: '{"input": "bro', ended: true },
      { tool: 'list_files', args: '{}', ended: true },
    ])
    expect(first.parts.at(-1)).toEqual({ type: 'finish', stop: 'calls' })
    const again = callsOf((await collect(provider, request([user, said('x')]))).parts)
    expect(new Set([...calls, ...again].map(({ call }) => call)).size).toBe(4)
  })

  it('fills in tags and results anywhere in arguments and text', async () => {
    const provider = play(
      await script({
        text: 'It said {{result:2}}',
        calls: [{ tool: 'edit', args: { input: '[a.ts#{{tag:a.ts}}]\nX', deep: [{ s: '{{result:1}}!' }] } }],
      }),
      { 'a.ts': 'BEEF' },
    )
    const { parts } = await collect(provider, request([user, result('c1', 'first'), result('c2', 'say "hi"\n')]))
    expect(textOf(parts)).toBe('It said say "hi"\n')
    expect(JSON.parse(callsOf(parts)[0]?.args ?? '')).toEqual({ input: '[a.ts#BEEF]\nX', deep: [{ s: 'first!' }] })
  })

  it.each([
    ['{{tag:b.ts}}', /s\.jsonl, line 1: there is no tag for b\.ts yet/],
    ['{{result:7}}', /s\.jsonl, line 1: there is no tool result number 7 yet/],
  ])('says that %s is not there', async (text, message) => {
    const { thrown } = await collect(play(await script({ text })))
    expect(thrown).toMatchObject({ code: 'invalid_arguments', message: expect.stringMatching(message) })
  })

  it.each([
    ['{"text": "a"', /s\.jsonl, line 2: not JSON/],
    ['{"text": 5}', /s\.jsonl, line 2: text: /],
    ['{"calls": [{"args": {}}]}', /s\.jsonl, line 2: calls\.0\.tool: /],
    ['{"calls": [{"tool": "x", "args": {}, "raw": ""}]}', /line 2: calls\.0: a call has either args or raw/],
    ['{"fail": {"status": 200}}', /s\.jsonl, line 2: fail/],
    ['[]', /s\.jsonl, line 2: the line: /],
  ])('names file and line of %s', async (line, message) => {
    const { thrown } = await collect(play(await script({ text: 'fine' }, line)))
    expect(thrown).toMatchObject({ code: 'invalid_arguments', message: expect.stringMatching(message) })
  })

  it('names a script that is not there', async () => {
    const { thrown } = await collect(play('missing.jsonl'))
    expect(thrown).toMatchObject({ code: 'not_found', message: expect.stringContaining('missing.jsonl') })
  })

  it('paces the stream and splits no character', async () => {
    const clock = new InstantClock()
    const provider = play(await script({ text: 'ab😀cd', chunkMs: 30, chunkChars: 3 }), {}, clock)
    const { parts } = await collect(provider)
    expect(parts.filter((part) => part.type === 'text')).toEqual([
      { type: 'text', delta: 'ab😀' },
      { type: 'text', delta: 'cd' },
    ])
    expect(clock.sleeps).toEqual([30])
  })

  it('fails with a status as often as told, then plays', async () => {
    const clock = new InstantClock()
    const provider = play(await script({ text: 'ok', fail: { status: 429, retryAfterMs: 50, times: 2 } }), {}, clock)
    const { parts } = await collect(withRetry(provider, { maxRetries: 3, clock }))
    expect(parts.filter((part) => part.type === 'restart')).toMatchObject([
      { attempt: 1, of: 3, delayMs: 50, code: 'provider_rate_limited' },
      { attempt: 2, of: 3, delayMs: 50, code: 'provider_rate_limited' },
    ])
    expect(textOf(parts)).toBe('ok')
  })

  it('drops the stream in the middle once; the call of the cut attempt is void', async () => {
    const clock = new InstantClock()
    const provider = play(
      await script({ text: 'going', calls: [{ tool: 'bash', args: { command: 'x' } }], fail: { drop: 'mid-stream' } }),
    )
    const { parts } = await collect(withRetry(provider, { maxRetries: 3, clock }))
    expect(parts.find((part) => part.type === 'restart')).toMatchObject({ code: 'provider_stream_broken' })
    expect(callsOf(parts)).toMatchObject([{ tool: 'bash', ended: true }])
  })

  it('takes a turn that was stopped while it spoke for played', async () => {
    const provider = play(await script({ text: 'abcdef', chunkChars: 2 }, { text: 'next' }))
    const control = new AbortController()
    for await (const part of provider.stream(request([user]), control.signal)) {
      if (part.type === 'text') {
        control.abort()
        break
      }
    }
    expect(textOf((await collect(provider, request([user, said('ab'), user]))).parts)).toBe('next')
  })
})
