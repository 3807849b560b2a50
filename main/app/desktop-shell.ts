import { BrowserWindow, clipboard, dialog, shell } from 'electron'
import type { AppCommand, AppInfo } from '../../preload/contract/app'
import type { BridgeLog, Caller } from '../ipc/bridge-gate'
import type { DesktopShell } from '../ipc/desktop-services'
import type { WindowStore } from '../settings/window-store'
import type { ChosenFolders } from './chosen-folders'
import type { LaunchRequest } from './launch-arguments'
import type { Windows } from './windows'

/** Commands kept for a window that has not loaded its page yet. */
const MAX_EARLY_COMMANDS = 16

export interface DesktopShellOptions {
  store: WindowStore
  folders: ChosenFolders
  windows: Windows
  info: Pick<AppInfo, 'version' | 'platform' | 'electron' | 'home'>
  log: BridgeLog
}

/** Windows, dialogs and the system, as the bridge's handlers see them. */
export class ElectronShell implements DesktopShell {
  readonly #options: DesktopShellOptions
  readonly #listeners = new Map<number, (command: AppCommand) => void>()
  #early: AppCommand[] = []
  #launch: LaunchRequest = {}

  constructor(options: DesktopShellOptions) {
    this.#options = options
  }

  get recents(): ChosenFolders {
    return this.#options.folders
  }

  info() {
    return this.#options.info
  }

  /** What the command line asked for; its folder may be opened by the window from now on. */
  launch(request: LaunchRequest): void {
    this.#launch = request
    if (request.project !== undefined) this.#options.folders.name(request.project)
  }

  takeLaunch(): LaunchRequest {
    const request = this.#launch
    this.#launch = {}
    return request
  }

  /** Sends a command to the window that the person used last, or to the first one that asks. */
  send(command: AppCommand): void {
    const current = this.#options.windows.current
    const listener = current && this.#listeners.get(current.webContents.id)
    if (command.command === 'project.open' && command.argument !== undefined)
      this.#options.folders.name(command.argument)
    if (listener) listener(command)
    else this.#early = [...this.#early, command].slice(-MAX_EARLY_COMMANDS)
  }

  onCommand(caller: Caller, listener: (command: AppCommand) => void) {
    this.#listeners.set(caller.window, listener)
    for (const command of this.#early.splice(0)) listener(command)
    return () => {
      if (this.#listeners.get(caller.window) === listener) this.#listeners.delete(caller.window)
    }
  }

  getLayout() {
    return this.#options.store.getLayout()
  }

  setLayout(_caller: Caller, layout: ReturnType<ElectronShell['getLayout']>): void {
    const themeChanged = layout.theme !== this.#options.store.getLayout().theme
    this.#options.store.setLayout(layout)
    if (themeChanged) this.#options.windows.setTheme(layout.theme)
  }

  getDraft(session: string): string {
    return this.#options.store.getDraft(session)
  }

  setDraft(session: string, text: string): void {
    this.#options.store.setDraft(session, text)
  }

  openExternal(url: string): Promise<void> {
    return shell.openExternal(url)
  }

  reveal(path: string): void {
    shell.showItemInFolder(path)
  }

  control(caller: Caller, action: 'minimize' | 'maximize' | 'close'): void {
    const window = this.#options.windows.byContents(caller.window)
    if (action === 'minimize') window?.minimize()
    else if (action === 'close') window?.close()
    else if (window?.isMaximized()) window.unmaximize()
    else window?.maximize()
  }

  copyText(text: string): void {
    clipboard.writeText(text)
  }

  reportFailure(caller: Caller, failure: { message: string; stack?: string | undefined }): void {
    this.#options.log.warn('failure in the window', { window: caller.window, ...failure })
  }

  async pickFolder(caller: Caller): Promise<string | null> {
    const window = this.#options.windows.byContents(caller.window) ?? BrowserWindow.getFocusedWindow()
    const options: Electron.OpenDialogOptions = {
      title: 'Open folder',
      properties: ['openDirectory', 'createDirectory'],
    }
    const result = await (window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options))
    return result.canceled ? null : (result.filePaths[0] ?? null)
  }
}
