import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { SessionEvent } from '../../preload/contract/events'

const program = path.resolve(import.meta.dirname, '../../out/main/cli.js')

const Answer = z.object({
  id: z.union([z.string(), z.number(), z.null()]),
  ok: z.boolean(),
  content: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
})

let folder: string
let project: string
let running: ChildProcess[] = []

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'plumbline-cli-')))
  project = path.join(folder, 'project')
  write('a.txt', 'one\ntwo\nthree\n')
})

afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  running = []
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

function write(name: string, text: string): string {
  const file = path.join(project, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

function start(args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: project,
    env: { PATH: process.env.PATH ?? '', HOME: folder, PLUMBLINE_HOME: path.join(folder, 'home'), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  running.push(child)
  return child
}

async function finish(
  child: ChildProcess,
  input: string | Buffer = '',
): Promise<{ code: number | null; out: string; error: string }> {
  let out = ''
  let error = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    error += text
  })
  child.stdin?.end(input)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out, error }
}

async function callTools(lines: readonly unknown[], args: readonly string[] = []) {
  const input = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  const { code, out } = await finish(start(['tools', ...args]), input)
  return {
    code,
    answers: out
      .trim()
      .split('\n')
      .map((line) => Answer.parse(JSON.parse(line))),
  }
}

function script(...turns: object[]): string {
  const file = path.join(folder, 'script.jsonl')
  writeFileSync(file, turns.map((turn) => `${JSON.stringify(turn)}\n`).join(''))
  return `scripted:${file}`
}

describe('plumbline tools', () => {
  it('answers each line in order, goes on after a line that is not JSON, and ends with 0', async () => {
    const { code, answers } = await callTools([
      { id: 1, tool: 'read', args: { paths: ['a.txt'] } },
      'not json',
      { id: 'x', tool: 'nothing', args: {} },
    ])
    expect(code).toBe(0)
    expect(answers.map((answer) => [answer.id, answer.ok])).toEqual([
      [1, true],
      [null, false],
      ['x', false],
    ])
    expect(answers[0]?.content).toMatch(/^\[a\.txt#[0-9A-F]{4}\]\n1:one\n2:two\n3:three/)
    expect(answers[2]?.error?.code).toBe('not_offered')
  })

  it('takes a byte order mark, and answers bytes that are not UTF-8 and bottomless nesting with a refusal', async () => {
    const deep = `{"id": 2, "tool": "read", "args": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    const { code, out } = await finish(
      start(['tools']),
      Buffer.concat([
        Buffer.from('\ufeff{"id": 1, "tool": "read", "args": {"paths": ["a.txt"]}}\n'),
        Buffer.from(`${deep}\n`),
        Buffer.from([0x7b, 0xff, 0x7d, 0x0a]),
        Buffer.from('{"id": 3, "tool": "read", "args": {"paths": ["a.txt"]}}'),
      ]),
    )
    const answers = out
      .trim()
      .split('\n')
      .map((line) => Answer.parse(JSON.parse(line)))
    expect(code).toBe(0)
    expect(answers.map((answer) => [answer.id, answer.ok])).toEqual([
      [1, true],
      [2, false],
      [null, false],
      [3, true],
    ])
    expect(answers[1]?.content).toBe('The line is nested deeper than 200 levels.')
    expect(answers[2]?.content).toContain('not UTF-8')
  })

  it('ends, with what it started, when its reader goes away while its input stays open', async () => {
    const child = start(['tools'])
    let error = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      error += text
    })
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    const send = (call: object) => child.stdin?.write(`${JSON.stringify(call)}\n`)
    child.stdin?.on('error', () => undefined)
    send({ id: 1, tool: 'bash', args: { command: 'echo here' } })
    await new Promise((resolve) => child.stdout?.once('data', resolve))
    child.stdout?.destroy()
    for (const id of [2, 3, 4]) send({ id, tool: 'list_files', args: { path: '.' } })
    expect(await ended).toBe(130)
    expect(error).toBe('')
  })

  it('keeps tags and observations for the whole input', async () => {
    const { answers } = await callTools([
      { id: 1, tool: 'write', args: { path: 'a.txt', content: 'new\n' } },
      { id: 2, tool: 'read', args: { paths: ['a.txt'] } },
      { id: 3, tool: 'write', args: { path: 'a.txt', content: 'new\n' } },
    ])
    expect(answers.map((answer) => answer.ok)).toEqual([false, true, true])
    expect(answers[0]?.error?.message).toContain('no_prior_observation')
    expect(readFileSync(path.join(project, 'a.txt'), 'utf8')).toBe('new\n')
  })

  it('runs lines of one batch side by side', async () => {
    const started = Date.now()
    const { answers } = await callTools([
      { id: 1, tool: 'bash', args: { command: 'sleep 2; echo a' }, batch: 1 },
      { id: 2, tool: 'bash', args: { command: 'sleep 2; echo b' }, batch: 1 },
      { id: 3, tool: 'bash', args: { command: 'sleep 2; echo c' }, batch: 1 },
    ])
    expect(answers.map((answer) => answer.content.trim())).toEqual(['a', 'b', 'c'])
    expect(Date.now() - started).toBeLessThan(5500)
  })

  it.each(['plumbline', 'magi', 'atomic', 'o4'])('lists the toolset %s with schema and level', async (toolset) => {
    const { code, out } = await finish(start(['tools', '--list', '--toolset', toolset]))
    const tools = z
      .array(
        z.object({
          name: z.string(),
          title: z.string(),
          description: z.string().min(10),
          approval: z.enum(['never', 'once', 'always']),
          inputSchema: z.looseObject({ type: z.literal('object') }),
        }),
      )
      .parse(JSON.parse(out))
    expect(code).toBe(0)
    expect(tools.map((tool) => tool.name)).toContain('read')
  })

  it('refuses a folder that does not exist with exit code 2', async () => {
    const { code, error } = await finish(start(['tools', '--cwd', 'nowhere']))
    expect(code).toBe(2)
    expect(error).toContain('nowhere is not a folder')
  })

  it('says what is wrong in a settings file, with its line, and goes on with the rest', async () => {
    mkdirSync(path.join(folder, 'home'), { recursive: true })
    const settings = path.join(folder, 'home', 'settings.json')
    writeFileSync(settings, '{\n  "mode": "sometimes",\n  "toolset": "atomic"\n}\n')
    const { code, out, error } = await finish(
      start(['tools']),
      JSON.stringify({ id: 1, tool: 'read', args: { path: 'a.txt' } }),
    )
    expect(code).toBe(0)
    expect(Answer.parse(JSON.parse(out)).ok).toBe(true)
    expect(error).toContain(`plumbline: ${settings}, line 2: mode: `)
  })

  it('says in words that its state has no place', async () => {
    const taken = write('taken', '')
    const { code, error } = await finish(start(['tools'], { PLUMBLINE_HOME: taken }))
    expect(code).toBe(1)
    expect(error).toContain(`The folder for settings and sessions, ${taken}, can't be made. A file is in its way.`)
  })

  it('denies by rule also where everything else is allowed', async () => {
    const settings = path.join(folder, 'strict.json')
    writeFileSync(settings, '{ "permissions": { "deny": ["bash(echo *)"] } }')
    const { answers } = await callTools(
      [{ id: 1, tool: 'bash', args: { command: 'echo a' } }],
      ['--settings', settings],
    )
    expect(answers[0]?.error?.code).toBe('permission_denied')
  })
})

describe('plumbline run', () => {
  it('works a prompt and prints the last answer', async () => {
    const model = script(
      { text: 'Reading.', calls: [{ tool: 'read', args: { paths: ['a.txt'] } }] },
      { text: 'It has three lines.', usage: { input: 10, output: 5 } },
    )
    const { code, out } = await finish(start(['run', '-p', 'How long is a.txt?', '--model', model]))
    expect([code, out]).toEqual([0, 'It has three lines.\n'])
  })

  it('prints one object with --output json, and every journaled event with stream-json', async () => {
    const model = script({ text: 'Hello.', usage: { input: 10, output: 5 } })
    const json = await finish(start(['run', '-p', 'Hi', '--model', model, '--output', 'json']))
    expect(JSON.parse(json.out)).toMatchObject({
      result: 'Hello.',
      stopReason: 'done',
      usage: { input: 10, output: 5 },
    })
    const stream = await finish(start(['run', '-p', 'Hi', '--model', model, '--output', 'stream-json']))
    const events = stream.out
      .trim()
      .split('\n')
      .map((line) => SessionEvent.parse(JSON.parse(line)))
    expect(events[0]?.type).toBe('session.opened')
    expect(events.at(-1)?.type).toBe('turn.finished')
    const ids = new Set(events.map((event) => event.id))
    expect(ids.size).toBe(events.length)
    for (const event of events.slice(1)) expect(ids.has(event.parent ?? '')).toBe(true)
  })

  it('goes on without a standard input that stays open and silent', async () => {
    const child = start(['run', '-p', 'Hi', '--model', script({ text: 'Hello.' })])
    let out = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
    expect(out).toBe('Hello.\n')
  })

  it('refuses a schema that can not be used before the model is asked', async () => {
    const schema = path.join(folder, 'none.json')
    const model = script({ text: 'Hello.' })
    const { code, out, error } = await finish(
      start(['run', '-p', 'Hi', '--model', model, '--output', 'stream-json', '--output-schema', schema]),
    )
    expect([code, out]).toEqual([2, ''])
    expect(error).toContain(`${schema} does not exist.`)
  })

  it('says why there is no answer when the script has no turn left', async () => {
    const model = script({ text: 'Hello.' })
    await finish(start(['run', '-p', 'Hi', '--model', model]))
    const { code, out, error } = await finish(start(['run', '-p', 'On', '--continue', '--model', model]))
    expect([code, out]).toEqual([0, ''])
    expect(error).toContain('no turn left')
  })

  it('denies what would ask, tells the model, and ends with 3', async () => {
    const model = script(
      { calls: [{ tool: 'write', args: { path: 'b.txt', content: 'b' } }] },
      { text: 'It was denied: {{result:1}}' },
    )
    const { code, out } = await finish(start(['run', '-p', 'Write b', '--model', model]))
    expect(code).toBe(3)
    expect(out).toContain('nobody is there')
  })

  it('ends with 4 at the most turns, with 5 for an answer that does not fit, with 2 for bad usage, with 1 for a failure', async () => {
    const loop = Array.from({ length: 5 }, () => ({ calls: [{ tool: 'read', args: { paths: ['a.txt'] } }] }))
    expect((await finish(start(['run', '-p', 'x', '--model', script(...loop), '--max-turns', '2']))).code).toBe(4)
    const schema = path.join(folder, 'schema.json')
    writeFileSync(schema, JSON.stringify({ type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }))
    const fits = await finish(
      start(['run', '-p', 'x', '--model', script({ text: '{"n": 1}' }), '--output-schema', schema]),
    )
    expect(fits.code).toBe(0)
    const misfit = await finish(
      start(['run', '-p', 'x', '--model', script({ text: '{"n": "1"}' }), '--output-schema', schema]),
    )
    expect(misfit.code).toBe(5)
    expect((await finish(start(['run', '--nonsense']))).code).toBe(2)
    expect((await finish(start(['run', '-p', 'x', '--model', 'scripted:/nowhere.jsonl']))).code).toBe(1)
  })

  it('goes on with the newest session of the folder', async () => {
    const model = script({ text: 'one' }, { text: 'two' })
    await finish(start(['run', '-p', 'x', '--model', model]))
    const { out } = await finish(start(['run', '-p', 'y', '--continue']))
    expect(out).toBe('two\n')
  })

  it('is interrupted with 130 and leaves a session that can go on', async () => {
    const model = script({ text: 'a'.repeat(4000), chunkMs: 50, chunkChars: 4 }, { text: 'resumed' })
    const child = start(['run', '-p', 'x', '--model', model, '--output', 'stream-json'])
    const ended = finish(child)
    await new Promise<void>((resolve) => {
      child.stdout?.on('data', (text: string) => {
        if (text.includes('"prompt"')) setTimeout(resolve, 300)
      })
    })
    child.kill('SIGINT')
    expect((await ended).code).toBe(130)
    const { code, out } = await finish(start(['run', '-p', 'y', '--continue']))
    expect([code, out]).toEqual([0, 'resumed\n'])
  })
})
