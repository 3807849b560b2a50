import { cpSync, existsSync, linkSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { _electron } from 'playwright-core'
import { environmentFor, type MeasureContext, type Measured, median } from './measuring'

/** Starts of each kind; they alternate, so that both meet the same machine. */
const ROUNDS = 7

/** Goal: at most this many times the bare window. */
const GOAL = 1.6

interface Candidate {
  executable: string
  args: string[]
  home: string
}

/**
 * Cold start until a text field takes a key: the app with a project, against a bare Electron window with nothing but a
 * text field, in the same run.
 */
export default async function startup({ root, work, electron }: MeasureContext): Promise<Measured> {
  if (electron === undefined) return { notes: ['There is no Electron runtime here.'], ok: false }
  const project = path.join(work, 'project')
  mkdirSync(project)
  writeFileSync(path.join(project, 'a.txt'), 'a\n')
  const bare = bareApp(electron, root, work)
  const app: Candidate = { ...electron, args: [...electron.args, project], home: path.join(work, 'home') }
  try {
    const first = await timeToKey(app)
    await timeToKey(bare)
    const times = { app: [] as number[], bare: [] as number[] }
    for (let round = 0; round < ROUNDS; round += 1) {
      times.bare.push(await timeToKey(bare))
      times.app.push(await timeToKey(app))
    }
    const ratio = median(times.app) / median(times.bare)
    const row = (what: string, all: number[]) => ({
      start: what,
      'median ms': Math.round(median(all)),
      'fastest ms': Math.round(Math.min(...all)),
      'slowest ms': Math.round(Math.max(...all)),
    })
    return {
      title: 'Cold start to a text field that takes a key',
      rows: [
        row('bare Electron window', times.bare),
        row('Plumbline, a project open', times.app),
        { start: 'Plumbline, very first start', 'median ms': Math.round(first) },
      ],
      notes: [`Ratio of the medians: ${ratio.toFixed(2)}. Goal: at most ${GOAL}. ${ROUNDS} starts each, in turn.`],
    }
  } finally {
    bare.dispose()
  }
}

async function timeToKey({ executable, args, home }: Candidate): Promise<number> {
  const began = performance.now()
  const running = await _electron.launch({
    executablePath: executable,
    args,
    env: environmentFor(home),
  })
  try {
    const page = await running.firstWindow()
    const field = page.getByTestId('composer')
    await field.press('x')
    await page.waitForFunction(() => {
      const found = document.querySelector('[data-testid="composer"]')
      return found instanceof HTMLTextAreaElement && found.value.endsWith('x')
    })
    return performance.now() - began
  } finally {
    await running.close()
  }
}

/** A window with a text field. A runtime that starts what lies in its own folder is linked once more for it. */
function bareApp(electron: { executable: string; args: string[] }, root: string, work: string) {
  const folder = path.join(work, 'bare')
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'package.json'), '{ "name": "bare", "main": "main.cjs" }')
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><textarea data-testid="composer"></textarea>')
  writeFileSync(
    path.join(folder, 'main.cjs'),
    `const { app, BrowserWindow } = require('electron')
app.setPath('userData', process.env.PLUMBLINE_HOME)
app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1440, height: 900, show: false, frame: false })
  window.once('ready-to-show', () => window.show())
  window.loadFile('index.html')
})
app.on('window-all-closed', () => app.quit())
`,
  )
  const home = path.join(work, 'bare-home')
  const given = electron.args.findIndex((argument) => path.resolve(argument) === root)
  if (given >= 0) {
    return { executable: electron.executable, args: electron.args.with(given, folder), home, dispose: () => undefined }
  }
  const runtime = path.dirname(electron.executable)
  const linked = `${runtime}-bare-${process.pid}`
  linkTree(runtime, linked)
  rmSync(path.join(linked, 'resources', 'app'), { force: true })
  symlinkSync(folder, path.join(linked, 'resources', 'app'))
  return {
    executable: path.join(linked, path.basename(electron.executable)),
    args: electron.args,
    home,
    dispose: () => rmSync(linked, { recursive: true, force: true }),
  }
}

function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory()) linkTree(source, target)
    else if (entry.isSymbolicLink()) {
      if (existsSync(source)) cpSync(source, target, { verbatimSymlinks: true, recursive: true })
    } else linkSync(source, target)
  }
}
