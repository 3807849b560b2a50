import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { Contract } from '../../preload/contract'
import type { Bridge } from '../../preload/contract/rpc'
import { loopbackAnthropic } from '../support/loopback-anthropic'
import { loopbackOpenAi } from '../support/loopback-openai'
import { endAfterTest, launch, type RunningApp, Workspace } from './support/app'

declare const window: Window & { readonly plumbline: Bridge<Contract> }

const workspace = new Workspace()
let app: RunningApp | undefined

afterEach(async ({ task }) => {
  await endAfterTest(app, task)
  app = undefined
})

afterAll(() => workspace.dispose())

const project = () =>
  workspace.project({
    'greeting.txt': 'hello\nworld\n',
    'package.json': '{ "name": "sample", "private": true }\n',
  })

/** Reads, edits by the tag of what it read, runs a command, says so; then speaks for a long time. */
const turns = [
  { text: 'I read it first.', calls: [{ tool: 'read', args: { paths: ['greeting.txt'] } }] },
  {
    text: 'Now the change.',
    calls: [{ tool: 'edit', args: { input: '[greeting.txt#{{tag:greeting.txt}}]\nSWAP 1.=1:\n+good morning' } }],
  },
  { calls: [{ tool: 'bash', args: { command: 'echo from-the-shell && cat greeting.txt' } }] },
  { text: 'Done: the greeting is **good morning** now.', usage: { input: 1200, output: 40 } },
  { text: 'word '.repeat(2000), chunkChars: 5, chunkMs: 20 },
  { text: 'Still here.' },
]

async function allowNext(running: RunningApp): Promise<void> {
  const allow = running.get('approval-allow-once').first()
  await allow.waitFor()
  await allow.click()
}

/** What the terminals of all sessions have printed. */
function printed(running: RunningApp): Promise<string> {
  return running.page.evaluate(async () => {
    const { session, terminal } = window.plumbline
    const sessions = await session.list(undefined)
    let text = ''
    for (const { id } of sessions.ok ? sessions.value : []) {
      const terminals = await terminal.list({ session: id })
      for (const { id: one } of terminals.ok ? terminals.value : []) {
        const cancel = terminal.output({ terminal: one }, (output) => {
          if (output.type === 'data') text += output.data
        })
        await new Promise((resolve) => setTimeout(resolve, 200))
        cancel()
      }
    }
    return text.replace(/\r?\n/g, '')
  })
}

describe('the main path in the real window', () => {
  const folder = project()
  let home = ''

  it('works a prompt: read, approve, change on disk and in the diff, timeline, stop, quit', async () => {
    app = await launch(workspace, { args: [folder, '--model', workspace.script(turns)] })
    const running = app
    home = running.home
    await running.get('composer').waitFor()
    await running.screenshot('main-empty')
    await running.send('Make the greeting friendlier')

    // The approval shows the very change, and nothing has happened yet.
    const approval = running.get('approval').first()
    await approval.waitFor()
    await expect.poll(() => approval.textContent()).toContain('greeting.txt')
    await expect.poll(() => approval.textContent()).toContain('good morning')
    expect(readFileSync(path.join(folder, 'greeting.txt'), 'utf8')).toBe('hello\nworld\n')
    await running.screenshot('main-approval')
    await allowNext(running)
    await expect.poll(() => readFileSync(path.join(folder, 'greeting.txt'), 'utf8')).toBe('good morning\nworld\n')

    await approval.waitFor()
    await expect.poll(() => approval.textContent()).toContain('echo from-the-shell')
    await allowNext(running)
    await running.get('transcript').getByText('Done: the greeting is').waitFor()

    await running.get('changed-file').filter({ hasText: 'greeting.txt' }).first().click()
    const diff = running.get('diff').first()
    await diff.waitFor()
    await expect.poll(() => diff.textContent(), { timeout: 20_000 }).toContain('good')
    await expect.poll(() => running.get('timeline-row').count()).toBeGreaterThanOrEqual(4)
    expect(await running.get('tool-call').count()).toBeGreaterThanOrEqual(3)
    await running.screenshot('main-done')

    await running.send('Tell me more')
    await running.get('transcript').getByText('word word').first().waitFor()
    await running.get('stop').click()
    await running.get('stop').waitFor({ state: 'hidden' })
    await running.screenshot('main-stopped')

    await running.get('composer').fill('a draft that stays')
    expect(await running.survivorsOf(() => running.quit())).toEqual([])
    expect(running.problems).toEqual([])
    app = undefined
  })

  it('starts again where it was: session, draft, and it goes on', async () => {
    app = await launch(workspace, { home, args: [folder] })
    const running = app
    const row = running.get('session-row').first()
    await row.waitFor()
    await row.click()
    await running.get('transcript').getByText('Done: the greeting is').waitFor()
    await expect.poll(() => running.get('composer').inputValue()).toBe('a draft that stays')
    await expect.poll(() => running.get('timeline-row').count()).toBeGreaterThanOrEqual(4)
    await running.screenshot('main-resumed')
    await running.send('Are you there?')
    await running.get('transcript').getByText('Still here.').waitFor()
  })

  it("has a terminal in the project's folder", async () => {
    app = await launch(workspace, { home, args: [folder] })
    const running = app
    await running.get('composer').waitFor()
    await running.get('session-row').first().click()
    await running.page.keyboard.press('Control+`')
    const terminal = running.get('terminal').first()
    await terminal.waitFor()
    await terminal.click()
    // The shell has come up and the keys go to it.
    await expect.poll(() => printed(running), { timeout: 20_000 }).toMatch(/[$#%>] ?/)
    await terminal.locator('textarea:focus').waitFor({ state: 'attached' })
    await running.page.keyboard.type('echo at-$PWD; cat greeting.txt\n', { delay: 5 })
    // What is drawn may be pixels only; the bridge gives a new reader what the terminal has kept.
    await expect.poll(() => printed(running), { timeout: 20_000 }).toContain(`at-${folder}`)
    await expect.poll(() => printed(running)).toContain('good morning')
    await running.screenshot('main-terminal')
    expect(await running.survivorsOf(() => running.quit())).toEqual([])
    app = undefined
  })
})

describe.each([
  { name: 'openai', start: loopbackOpenAi, base: 'OPENAI_BASE_URL', key: 'OPENAI_API_KEY', model: 'openai:gpt-test' },
  {
    name: 'anthropic',
    start: loopbackAnthropic,
    base: 'ANTHROPIC_BASE_URL',
    key: 'ANTHROPIC_API_KEY',
    model: 'anthropic:claude-test',
  },
])('the same over the wire of $name', ({ name, start, base, key, model }) => {
  it('works a prompt with an approval', async () => {
    const folder = project()
    const server = await start({
      key: 'sk-test',
      turns: [
        { text: 'I look.', calls: [{ tool: 'read', args: { paths: ['greeting.txt'] } }] },
        (request) => {
          const tag = /greeting\.txt#([0-9A-Za-z]+)/.exec(JSON.stringify(request.body))?.[1] ?? 'missing'
          return {
            calls: [{ tool: 'edit', args: { input: `[greeting.txt#${tag}]\nSWAP 1.=1:\n+from ${name}` } }],
          }
        },
        { text: 'All done over the wire.', usage: { input: 900, output: 12 } },
      ],
    })
    try {
      app = await launch(workspace, {
        args: [folder, '--model', model],
        env: { [base]: server.baseUrl, [key]: 'sk-test' },
      })
      const running = app
      await running.get('composer').waitFor()
      await running.send('Change the greeting')
      await allowNext(running)
      await running.get('transcript').getByText('All done over the wire.').waitFor()
      expect(readFileSync(path.join(folder, 'greeting.txt'), 'utf8')).toBe(`from ${name}\nworld\n`)
      await running.screenshot(`wire-${name}`)
      expect(running.problems).toEqual([])
    } finally {
      await server.close()
    }
  })
})
