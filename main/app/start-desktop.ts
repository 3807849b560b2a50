import path from 'node:path'
import { app, BrowserWindow, Menu, session } from 'electron'
import type { DesktopServices } from '../ipc/desktop-services'
import { openBridge } from '../ipc/handle'
import { registerBridge } from '../ipc/register-bridge'
import { PlumblineError } from '../platform/errors'
import { Logger } from '../platform/logger'
import type { ProcessHost } from '../platform/process-host'
import { ensureHome } from '../settings/home'
import { WindowStore } from '../settings/window-store'
import { ChosenFolders } from './chosen-folders'
import { secureSession } from './content-security'
import { ElectronShell } from './desktop-shell'
import { type LaunchRequest, parseLaunchArguments, personArguments } from './launch-arguments'
import { menuTemplate } from './menu'
import { UtilityProcessHost } from './utility-process-host'
import { Windows } from './windows'

/** Longest time that quitting waits for turns and processes to end, in milliseconds. */
const SHUTDOWN_LIMIT_MS = 8000

/** Longest time that the services wait for the page before they load anyway, in milliseconds. */
const PAGE_LIMIT_MS = 3000

export interface ServicesNeeds {
  /** `PLUMBLINE_HOME`, absolute. */
  home: string
  /** Helper processes as Electron runs them. */
  processHost: ProcessHost
  /** Where the app's own files lie: `out`, `resources`. Absolute. */
  appRoot: string
}

export interface DesktopOptions {
  home: string
  /** Absolute path of the folder with `preload` and `renderer`. */
  out: string
  /** Loads and builds the services; called once, when the window is on screen. */
  loadServices(needs: ServicesNeeds): Promise<DesktopServices>
}

/**
 * Runs the desktop program until it quits. The window comes first and the services after it, since a person can read
 * and type before anything else is needed.
 */
export async function startDesktop(options: DesktopOptions): Promise<void> {
  const request = readArguments(process.argv, process.cwd())
  if (request === undefined) return
  // Before anything else: Chromium's own files, and the lock below, belong to this home.
  app.setPath('userData', path.join(options.home, 'electron'))
  app.setName('Plumbline')
  if (!app.requestSingleInstanceLock({ argv: process.argv, cwd: process.cwd() })) {
    process.stderr.write('Plumbline is running already; it was given the arguments.\n')
    app.exit(0)
    return
  }
  Menu.setApplicationMenu(null)
  await ensureHome(options.home)
  const store = new WindowStore({ home: options.home })
  await Promise.all([store.load(), app.whenReady()])
  new Desktop(options, store).run(request)
}

/** The running program: one bridge, its windows, and the services once they are there. */
class Desktop {
  readonly #log: Logger
  readonly #store: WindowStore
  readonly #windows: Windows
  readonly #shell: ElectronShell
  readonly #gate: ReturnType<typeof openBridge>
  readonly #services: Promise<DesktopServices>
  #loadNow: () => void = () => undefined
  #shutDown: Promise<void> | undefined

  constructor(options: DesktopOptions, store: WindowStore) {
    const page = path.join(options.out, 'renderer', 'index.html')
    this.#store = store
    this.#log = new Logger({
      folder: path.join(options.home, 'logs'),
      name: 'desktop',
      level: process.env.PLUMBLINE_LOG === 'debug' ? 'debug' : 'info',
      stderrLevel: null,
    })
    this.#windows = new Windows({
      store,
      page,
      preload: path.join(options.out, 'preload', 'index.cjs'),
      log: this.#log,
      onPageGone: (contents) => this.#gate.endStreams(contents),
    })
    this.#gate = openBridge({ isOurWindow: (contents) => this.#windows.isOurs(contents), page, log: this.#log })
    this.#shell = new ElectronShell({
      store,
      folders: new ChosenFolders(store),
      windows: this.#windows,
      log: this.#log,
      info: {
        version: app.getVersion(),
        platform: process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux',
        electron: process.versions.electron ?? '',
        home: options.home,
      },
    })
    this.#services = new Promise<void>((resolve) => {
      this.#loadNow = resolve
    }).then(() =>
      options.loadServices({
        home: options.home,
        processHost: new UtilityProcessHost(),
        appRoot: path.dirname(options.out),
      }),
    )
    this.#services
      .then((services) => {
        this.#mark('services ready')
        // The page's first question; looking for the keychain and the sandbox takes a moment.
        return services.describe()
      })
      .catch(() => undefined)
    this.#services.catch((error: unknown) => this.#log.warn('services did not start', { error }))
  }

  run(request: LaunchRequest): void {
    secureSession(session.defaultSession)
    this.#shell.launch(request)
    registerBridge(this.#gate, this.#shell, () => this.#services)
    this.#mark('ready')
    const window = this.#windows.open()
    this.#mark('window made')
    window.once('show', () => this.#mark('window shown'))
    window.webContents.once('dom-ready', () => this.#mark('page read'))
    // The first screen needs none of them, and they would keep this process from answering it.
    window.once('show', this.#loadNow)
    setTimeout(this.#loadNow, PAGE_LIMIT_MS).unref()
    window.once('show', () => this.#buildMenu())
    this.#listen()
  }

  /** How long after the start of the process something was reached, for the log. */
  #mark(reached: string): void {
    const began = process.getCreationTime()
    if (began !== null) this.#log.debug('start', { reached, ms: Math.round(Date.now() - began) })
  }

  #buildMenu(): void {
    const run = (command: string) => this.#shell.send({ command })
    Menu.setApplicationMenu(
      Menu.buildFromTemplate(menuTemplate({ platform: process.platform, appName: app.name, run })),
    )
  }

  #listen(): void {
    app.on('second-instance', (_event, _argv, _cwd, handedOver) => this.#takeOver(handedOver))
    app.on('activate', () => {
      if (BrowserWindow.getAllWindows().length === 0) this.#windows.open()
    })
    // Windows close in their own time, which calls a quit off; it goes on when the last one is gone.
    let quitting = process.platform !== 'darwin'
    app.on('before-quit', () => {
      quitting = true
    })
    app.on('window-all-closed', () => {
      if (quitting) app.quit()
    })
    app.on('will-quit', (event) => {
      event.preventDefault()
      this.#shutDown ??= this.#end().finally(() => app.exit(0))
    })
    app.on('child-process-gone', (_event, details) => this.#log.warn('helper process is gone', { ...details }))
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => app.quit())
    process.on('uncaughtException', (error) => this.#log.warn('uncaught error', { error }))
    process.on('unhandledRejection', (error) => this.#log.warn('unhandled rejection', { error }))
  }

  /** A second start: the window comes to the front and gets what the person asked for there. */
  #takeOver(handedOver: unknown): void {
    const { argv, cwd } = asStart(handedOver)
    const window = this.#windows.current ?? this.#windows.open()
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
    const request = readArguments(argv, cwd, () => undefined)
    if (request === undefined || Object.keys(request).length === 0) return
    this.#shell.launch(request)
    const { project, ...more } = request
    // The page asks for the whole request then, as it does at its start.
    if (project !== undefined && Object.keys(more).length === 0) {
      this.#shell.takeLaunch()
      this.#shell.send({ command: 'project.open', argument: project })
    } else this.#shell.send({ command: 'launch.apply' })
  }

  /** Stops turns, ends processes, writes what is left to write. Never takes longer than its limit. */
  async #end(): Promise<void> {
    this.#loadNow()
    const work = (async () => {
      await this.#store.flush()
      const services = await this.#services.catch(() => undefined)
      await services?.dispose()
      this.#gate.dispose()
    })()
    const failed = (error: unknown) => this.#log.warn('not everything could be ended', { error })
    const limit = new Promise<void>((resolve) => {
      setTimeout(() => {
        failed(new PlumblineError('timeout', 'Ending took too long.'))
        resolve()
      }, SHUTDOWN_LIMIT_MS)
    })
    await Promise.race([work.catch(failed), limit])
    await this.#log.dispose()
  }
}

/** Undefined when the arguments can't be understood: then the reason was told, and the program ends with code 2. */
function readArguments(
  argv: readonly string[],
  cwd: string,
  refused: (message: string) => void = (message) => {
    process.stderr.write(`${message}\n`)
    app.exit(2)
  },
): LaunchRequest | undefined {
  try {
    return parseLaunchArguments(personArguments(argv, app.getAppPath()), cwd)
  } catch (thrown) {
    refused(thrown instanceof Error ? thrown.message : String(thrown))
    return undefined
  }
}

function asStart(handedOver: unknown): { argv: string[]; cwd: string } {
  const known = typeof handedOver === 'object' && handedOver !== null ? handedOver : {}
  const argv = 'argv' in known && Array.isArray(known.argv) ? known.argv.map(String) : []
  return { argv, cwd: 'cwd' in known && typeof known.cwd === 'string' ? known.cwd : process.cwd() }
}
