import { pathToFileURL } from 'node:url'
import { BrowserWindow, nativeTheme, screen } from 'electron'
import type { LayoutState } from '../../preload/contract/app'
import type { BridgeLog } from '../ipc/bridge-gate'
import type { WindowBounds, WindowStore } from '../settings/window-store'
import { secureContents } from './content-security'
import { offerContextMenu } from './context-menu'

export interface WindowsOptions {
  store: WindowStore
  /** Absolute paths of the built page and preload. */
  page: string
  preload: string
  log: BridgeLog
  /** The page is gone or begins anew: what it subscribed to has no reader any more. */
  onPageGone(contents: number): void
}

/** Of a window that was never opened before, in CSS pixels. */
const defaultBounds: WindowBounds = { width: 1440, height: 900, maximized: false }

/** The app's canvas in each theme, as the style sheet has it, so that a window is never white before its first paint. */
const canvas = { light: '#fdfdfb', dark: '#191a1c', contrast: '#000000' } as const
/** Milliseconds that a closing page has, out of sight, to hand over what was typed last. */
const LEAVE_MS = 200

/** The page's own sign that it goes, given early: what is sent while it really goes has no sender any more. */
const TELL_LEAVING = "dispatchEvent(new Event('pagehide'))"

/** A page that crashes more often than this within `CRASH_SPAN_MS` is left as it is, with its window. */
const MAX_CRASHES = 3
const CRASH_SPAN_MS = 60_000

/** The app's windows: how they look, what they may do, and that they come back as they were. */
export class Windows {
  readonly #options: WindowsOptions
  readonly #windows = new Map<number, BrowserWindow>()

  constructor(options: WindowsOptions) {
    this.#options = options
  }

  /** Opens a window; it is shown at its first paint. */
  open(): BrowserWindow {
    const { store, page, preload } = this.#options
    const bounds = store.getBounds() ?? defaultBounds
    const theme = themeOf(store.getLayout().theme)
    const window = new BrowserWindow({
      ...onScreen(bounds),
      minWidth: 480,
      minHeight: 360,
      show: false,
      title: 'Plumbline',
      backgroundColor: canvas[theme],
      autoHideMenuBar: true,
      ...titleBar(),
      webPreferences: {
        preload,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
        webviewTag: false,
        webSecurity: true,
        navigateOnDragDrop: false,
        spellcheck: false,
        // A turn goes on while the window is behind another one; its cards and totals must be right when it is back.
        backgroundThrottling: true,
      },
    })
    this.#keep(window)
    window.once('ready-to-show', () => {
      if (bounds.maximized) window.maximize()
      window.show()
    })
    void window.loadFile(page).catch((error: unknown) => this.#options.log.warn('page did not load', { error }))
    return window
  }

  isOurs(contents: number): boolean {
    return this.#windows.has(contents)
  }

  byContents(contents: number): BrowserWindow | undefined {
    return this.#windows.get(contents)
  }

  /** The window that the person used last. */
  get current(): BrowserWindow | undefined {
    return BrowserWindow.getFocusedWindow() ?? [...this.#windows.values()].at(-1)
  }

  get all(): BrowserWindow[] {
    return [...this.#windows.values()]
  }

  /** The colour behind the page; called when the theme changes. */
  setTheme(theme: LayoutState['theme']): void {
    const name = themeOf(theme)
    for (const window of this.#windows.values()) window.setBackgroundColor(canvas[name])
  }

  #keep(window: BrowserWindow): void {
    const contents = window.webContents
    const id = contents.id
    const address = pathToFileURL(this.#options.page).href
    this.#windows.set(id, window)
    secureContents(contents, (url) => url.split(/[?#]/, 1)[0] === address)
    contents.on('did-start-navigation', (event) => {
      if (event.isMainFrame && !event.isSameDocument) this.#options.onPageGone(id)
    })
    this.#leaveCalmly(window)
    offerContextMenu(window)
    for (const event of ['resized', 'moved', 'maximize', 'unmaximize'] as const) {
      window.on(event as 'resized', () => {
        this.#options.store.setBounds(boundsOf(window))
      })
    }
    window.on('closed', () => {
      this.#windows.delete(id)
      this.#options.onPageGone(id)
    })
    this.#recover(window)
  }

  /** Out of sight at once, and gone when the page has written its drafts; it is told while it can still send them. */
  #leaveCalmly(window: BrowserWindow): void {
    let leaving = false
    window.on('close', (event) => {
      this.#options.store.setBounds(boundsOf(window))
      event.preventDefault()
      if (leaving) return
      leaving = true
      window.hide()
      void window.webContents.executeJavaScript(TELL_LEAVING).catch(() => undefined)
      setTimeout(() => !window.isDestroyed() && window.destroy(), LEAVE_MS)
    })
  }

  /** A crashed page is loaded again: all it showed is in the main process, so it comes back as it was. */
  #recover(window: BrowserWindow): void {
    let crashes: number[] = []
    window.webContents.on('render-process-gone', (_event, details) => {
      this.#options.onPageGone(window.webContents.id)
      this.#options.log.warn('page is gone', { reason: details.reason, exitCode: details.exitCode })
      if (details.reason === 'clean-exit' || window.isDestroyed()) return
      const now = Date.now()
      crashes = [...crashes.filter((at) => now - at < CRASH_SPAN_MS), now]
      if (crashes.length <= MAX_CRASHES) setImmediate(() => !window.isDestroyed() && window.webContents.reload())
    })
    window.on('unresponsive', () => this.#options.log.warn('page does not respond', {}))
    window.on('responsive', () => this.#options.log.warn('page responds again', {}))
  }
}

function themeOf(theme: LayoutState['theme']): keyof typeof canvas {
  if (theme !== 'system') return theme
  if (nativeTheme.shouldUseHighContrastColors) return 'contrast'
  return nativeTheme.shouldUseDarkColors ? 'dark' : 'light'
}

/** The app draws its title bar, with the window's buttons; on macOS those stay the system's own. */
function titleBar(): Electron.BrowserWindowConstructorOptions {
  if (process.platform !== 'darwin') return { frame: false }
  return { titleBarStyle: 'hiddenInset', trafficLightPosition: { x: 12, y: 11 } }
}

function boundsOf(window: BrowserWindow): WindowBounds {
  return { ...window.getNormalBounds(), maximized: window.isMaximized() }
}

/** Where the window was, unless no screen is there any more. */
function onScreen(bounds: WindowBounds): Electron.Rectangle | { width: number; height: number } {
  const { x, y } = bounds
  const area = screen.getPrimaryDisplay().workAreaSize
  const size = { width: Math.min(bounds.width, area.width), height: Math.min(bounds.height, area.height) }
  if (x === undefined || y === undefined) return size
  const { workArea } = screen.getDisplayMatching({ x, y, ...size })
  const visible =
    x < workArea.x + workArea.width - 80 &&
    x + size.width > workArea.x + 80 &&
    y >= workArea.y &&
    y < workArea.y + workArea.height - 40
  return visible ? { x, y, ...size } : size
}
