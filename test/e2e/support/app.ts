import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { _electron, type ElectronApplication, type Locator, type Page } from 'playwright-core'
import { z } from 'zod'
import { survivors, treeOf } from './processes'

const root = path.resolve(import.meta.dirname, '../../..')

const Runtime = z.object({ executable: z.string(), args: z.array(z.string()) })

/** The Electron that `npm start` would use: told by the test command, else asked for. */
export function electronRuntime(): z.infer<typeof Runtime> {
  const told = process.env.PLUMBLINE_ELECTRON
  if (told !== undefined) return Runtime.parse(JSON.parse(told))
  const script = path.join(root, 'resources', 'build', 'electron-path.mjs')
  const answer = execFileSync(process.execPath, [script, '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return Runtime.parse(JSON.parse(answer))
}

/** Milliseconds after which nothing of an ended app may run any more. */
export const SURVIVAL_MS = 3000

/** Variables of the person who runs the tests that would change what the app does. */
const foreignVariables = /^(PLUMBLINE_HOME|PLUMBLINE_LOG|OPENAI_|ANTHROPIC_|ELECTRON_RUN_AS_NODE|GIT_)/

export interface LaunchOptions {
  /** Reused to start again with what the last run left; a fresh one by default. */
  home?: string
  /** Arguments of the person: folder and options. */
  args?: readonly string[]
  env?: Readonly<Record<string, string>>
}

/** Temporary folders of one test file, removed by `dispose`. */
export class Workspace {
  readonly #folders: string[] = []

  folder(name: string): string {
    const made = realpathSync(mkdtempSync(path.join(os.tmpdir(), `plumbline-${name}-`)))
    this.#folders.push(made)
    return made
  }

  /** A project with these files, by relative name. */
  project(files: Readonly<Record<string, string>>): string {
    const folder = this.folder('project')
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(folder, name)
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
    return folder
  }

  /** A script for the scripted provider: one object a turn. Answers the model's name. */
  script(turns: readonly object[]): string {
    const file = path.join(this.folder('script'), 'script.jsonl')
    writeFileSync(file, turns.map((turn) => `${JSON.stringify(turn)}\n`).join(''))
    return `scripted:${file}`
  }

  dispose(): void {
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The running app and its one window. */
export class RunningApp {
  readonly electron: ElectronApplication
  readonly page: Page
  readonly home: string
  readonly pid: number
  /** Errors of the page that nobody caught, and refusals of its policy. */
  readonly problems: string[] = []

  constructor(electron: ElectronApplication, page: Page, home: string) {
    this.electron = electron
    this.page = page
    this.home = home
    this.pid = electron.process().pid ?? 0
    page.on('pageerror', (error) => this.problems.push(error.message))
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) this.problems.push(message.text())
    })
  }

  get(testId: string): Locator {
    return this.page.getByTestId(testId)
  }

  /** Writes a message and sends it. */
  async send(text: string): Promise<void> {
    await this.get('composer').fill(text)
    await this.get('send').click()
  }

  /** Kept with the results of the test run. */
  async screenshot(name: string): Promise<void> {
    const folder = process.env.PLUMBLINE_TEST_RESULTS ?? path.join(root, 'test-results')
    await this.page.screenshot({ path: path.join(folder, 'screenshots', `${name}.png`) })
  }

  /** Quits as a person does, and waits for the end. */
  async quit(): Promise<void> {
    await this.electron.close()
  }

  /** Ends the main process by force. */
  async kill(): Promise<void> {
    const ended = new Promise((resolve) => this.electron.process().once('exit', resolve))
    process.kill(this.pid, 'SIGKILL')
    await ended
  }

  /** Ends the app with `end` and answers what of it still runs after the time that it has for that. */
  async survivorsOf(end: () => Promise<void>): Promise<string[]> {
    const before = treeOf(this.pid)
    await end()
    const limit = Date.now() + SURVIVAL_MS
    let left = survivors(before, this.home)
    while (left.length > 0 && Date.now() < limit) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      left = survivors(before, this.home)
    }
    return left.map(({ pid, name }) => `${name} (${pid})`)
  }
}

/** After a test: keeps a picture where it failed, and ends the app in any case. */
export async function endAfterTest(
  app: RunningApp | undefined,
  task: { name: string; result?: { state: string } | undefined },
) {
  if (app === undefined) return
  if (task.result?.state === 'fail') {
    await app.screenshot(`failed ${task.name}`.replace(/[^A-Za-z0-9]+/g, '-')).catch(() => undefined)
  }
  await app.quit().catch(() => undefined)
}

/** Starts the built app and waits for its window. */
export async function launch(workspace: Workspace, options: LaunchOptions = {}): Promise<RunningApp> {
  const { executable, args } = electronRuntime()
  const home = options.home ?? workspace.folder('home')
  const own = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || foreignVariables.test(name) ? [] : [[name, value] as const],
  )
  const electron = await _electron.launch({
    executablePath: executable,
    args: [...args, ...(options.args ?? [])],
    cwd: home,
    env: { ...Object.fromEntries(own), PLUMBLINE_HOME: home, PLUMBLINE_LOG: 'debug', ...options.env },
    timeout: 60_000,
  })
  return new RunningApp(electron, await electron.firstWindow(), home)
}
