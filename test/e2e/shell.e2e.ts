import { spawn } from 'node:child_process'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { Contract } from '../../preload/contract'
import type { Bridge } from '../../preload/contract/rpc'
import { electronRuntime, endAfterTest, launch, type RunningApp, Workspace } from './support/app'

declare const window: Window & { readonly plumbline: Bridge<Contract> }

const workspace = new Workspace()
let app: RunningApp | undefined

afterEach(async ({ task }) => {
  await endAfterTest(app, task)
  app = undefined
})

afterAll(() => workspace.dispose())

/** Starts the program a second time, beside a running one or alone, and waits for its end. */
function startAgain(home: string, args: readonly string[]): Promise<{ code: number | null; errors: string }> {
  const { executable, args: first } = electronRuntime()
  const child = spawn(executable, [...first, ...args], {
    env: { ...process.env, PLUMBLINE_HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (data: Buffer) => {
    errors += data.toString()
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, errors })))
}

describe('the window', () => {
  it('has one frozen global, no Node, and nothing from the network', async () => {
    app = await launch(workspace)
    const found = await app.page.evaluate(async () => {
      const bridge = window.plumbline
      const descriptor = Object.getOwnPropertyDescriptor(window, 'plumbline')
      const attempt = (act: () => unknown) => {
        try {
          return String(act())
        } catch (error) {
          return String(error)
        }
      }
      return {
        frozen: Object.isFrozen(bridge) && Object.values(bridge).every((domain) => Object.isFrozen(domain)),
        fixed: descriptor?.writable === false && descriptor.configurable === false,
        domains: Object.keys(bridge),
        node: attempt(
          () => `${typeof Reflect.get(globalThis, 'process')} ${typeof Reflect.get(globalThis, 'require')}`,
        ),
        // Later, since the driver's own call may evaluate.
        evaluated: await new Promise((resolve) =>
          setTimeout(() => resolve(attempt(() => new Function('return 1')())), 10),
        ),
        opened: attempt(() => window.open('https://example.com')),
        fetched: await fetch('https://example.com').then(
          () => 'fetched',
          () => 'refused',
        ),
        camera: await navigator.mediaDevices.getUserMedia({ video: true }).then(
          () => 'granted',
          () => 'refused',
        ),
        badPayload: await bridge.app.setLayout({ sessionsWidth: 'wide' } as never),
        forged: await bridge.project.openDropped(new File(['x'], 'etc') as never),
        anyFolder: await bridge.project.open({ path: '/etc' }),
      }
    })
    expect(found).toEqual({
      frozen: true,
      fixed: true,
      domains: ['app', 'project', 'session', 'changes', 'provider', 'terminal', 'settings', 'permissions'],
      node: 'undefined undefined',
      evaluated: expect.stringContaining('EvalError'),
      opened: 'null',
      fetched: 'refused',
      camera: 'refused',
      badPayload: { ok: false, failure: expect.objectContaining({ code: 'invalid_payload' }) },
      forged: { ok: false, failure: expect.objectContaining({ code: 'invalid_payload' }) },
      anyFolder: { ok: false, failure: expect.objectContaining({ code: 'access_denied' }) },
    })
  })

  it('stays on its own page', async () => {
    app = await launch(workspace)
    const { page } = app
    const before = page.url()
    await page.evaluate(() => {
      location.href = 'https://example.com/'
    })
    await page.evaluate(() => {
      const frame = document.createElement('iframe')
      frame.src = 'https://example.com/'
      document.body.append(frame)
    })
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(page.url()).toBe(before)
    expect(
      page
        .frames()
        .map((frame) => frame.url())
        .filter((url) => url.startsWith('http')),
    ).toEqual([])
    expect(app.electron.windows()).toHaveLength(1)
  })

  it('comes back after its page crashed, with the draft', async () => {
    app = await launch(workspace, { args: [workspace.project({ 'a.txt': 'a\n' })] })
    const { page, electron } = app
    await app.get('composer').fill('typed before the crash')
    await expect
      .poll(() => page.evaluate(() => window.plumbline.app.getDraft('new')))
      .toMatchObject({
        value: 'typed before the crash',
      })
    await electron.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer()
    })
    const contents = () =>
      electron.evaluate(async ({ BrowserWindow }) => {
        const crashed = new Promise((resolve) => setTimeout(() => resolve('not there'), 500))
        const script = `document.querySelector('[data-testid="composer"]')?.value`
        return Promise.race([crashed, BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(script)])
      })
    await expect.poll(contents, { timeout: 15_000 }).toBe('typed before the crash')
  })

  it('sends what was typed and sent before anything else had loaded', async () => {
    const model = workspace.script([{ text: 'Here at once.' }])
    app = await launch(workspace, { args: [workspace.project({ 'a.txt': 'a\n' }), '--model', model] })
    const composer = app.get('composer')
    await composer.fill('quick')
    await composer.press('Enter')
    await app.page.getByText('Here at once.').waitFor()
    expect(await composer.inputValue()).toBe('')
  })

  it('keeps the draft that was typed just before it was closed', async () => {
    const folder = workspace.project({ 'a.txt': 'a\n' })
    app = await launch(workspace, { args: [folder] })
    await app.get('composer').fill('last words')
    await app.quit()
    app = await launch(workspace, { home: app.home, args: [folder] })
    await expect.poll(() => app?.get('composer').inputValue()).toBe('last words')
  })
})

describe('the command line', () => {
  it('refuses what it does not know, and says what it takes', async () => {
    const { code, errors } = await startAgain(workspace.folder('home'), ['--yolo'])
    expect(code).toBe(2)
    expect(errors).toContain('--yolo')
    expect(errors).toContain('Usage: npm start')
  })

  it('hands a second start over to the running app', async () => {
    const [first, second] = [workspace.project({ 'a.txt': '' }), workspace.project({ 'b.txt': '' })]
    app = await launch(workspace, { args: [first] })
    await app.get('composer').waitFor()
    const { code } = await startAgain(app.home, [second])
    expect(code).toBe(0)
    const title = () => app?.page.locator('.titlebar').textContent()
    await expect.poll(title).toContain(path.basename(second))
    expect(app.electron.windows()).toHaveLength(1)
  })
})
