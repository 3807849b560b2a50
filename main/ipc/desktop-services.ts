import type { AppCommand, AppInfo, LayoutState, MachineInfo } from '../../preload/contract/app'
import type { ModelRef, SessionId } from '../../preload/contract/ids'
import type { PermissionEntry } from '../../preload/contract/permissions'
import type { RecentProject } from '../../preload/contract/project'
import type { ModelInfo, ProviderStatus } from '../../preload/contract/provider'
import type { SettingsIssue, VisibleSettings } from '../../preload/contract/settings'
import type { TerminalInfo, TerminalOutput } from '../../preload/contract/terminal'
import type { Sessions } from '../agent/types'
import type { ReviewEngine } from '../editing/review-engine'
import type { UndoJournal } from '../editing/undo-journal'
import type { Disposer } from '../platform/disposer'
import type { Caller } from './bridge-gate'

/**
 * The services behind the window, as the bridge's handlers need them. `services.ts` builds them, after the window is
 * on screen; what the window needs before that is in `DesktopShell`.
 */
export interface DesktopServices {
  readonly sessions: Sessions
  readonly providers: DesktopProviders
  readonly settings: DesktopSettings
  readonly trust: DesktopTrust
  readonly terminals: DesktopTerminals
  readonly permissions: DesktopPermissions
  readonly review: ReviewEngine
  readonly undo: UndoJournal
  /** What this machine offers, in words for people. */
  describe(): Promise<MachineInfo>
  /** Copies the sample project to a temporary folder, opens a session with the script in it and starts its turn. */
  startDemo(): Promise<{ path: string; session: SessionId }>
  /** Stops all turns and ends everything that was started; no child process is left when it resolves. */
  dispose(): Promise<void>
}

export interface DesktopProviders {
  list(): Promise<ProviderStatus[]>
  discover(): Promise<ProviderStatus[]>
  /** Throws `provider_auth` when the provider refused the key in the test; nothing is stored then. */
  saveKey(request: { provider: string; key: string; test: boolean }): Promise<{ store: 'keychain' | 'memory' }>
  removeKey(provider: string): Promise<void>
  test(provider: string): Promise<{ ok: boolean; message: string; models: ModelInfo[] }>
  getDefault(): Promise<ModelRef | null>
  setDefault(model: ModelRef): Promise<void>
}

export interface DesktopSettings {
  read(): Promise<{ values: VisibleSettings; issues: SettingsIssue[]; file: string }>
  update(patch: Partial<VisibleSettings>): Promise<VisibleSettings>
  /** Also called when the file was changed from outside. */
  onChange(listener: (values: VisibleSettings) => void): Disposer
}

export interface DesktopTrust {
  isTrusted(path: string): Promise<boolean>
  setTrusted(path: string, trusted: boolean): Promise<void>
}

export interface DesktopTerminals {
  create(options: { session: SessionId; cwd: string; columns: number; rows: number }): Promise<TerminalInfo>
  list(session: SessionId): TerminalInfo[]
  /**
   * Calls the listener with what the terminal has kept, then with what comes. Throws `not_found`. The process is
   * held up while more than a mark of characters is handed out and not yet acknowledged.
   */
  attach(id: string, listener: (output: TerminalOutput) => void): Disposer
  /** The window has drawn this many characters of `data`. */
  acknowledge(id: string, characters: number): void
  write(id: string, data: string): void
  resize(id: string, columns: number, rows: number): void
  close(id: string): Promise<void>
}

export interface DesktopPermissions {
  list(session: SessionId): Promise<PermissionEntry[]>
  remove(session: SessionId, entry: PermissionEntry): Promise<void>
}

/** What the application's shell gives the handlers: windows, dialogs, the little state that belongs to windows. */
export interface DesktopShell {
  info(): Pick<AppInfo, 'version' | 'platform' | 'electron' | 'home'>
  /** What the command line asked for; a second call answers nothing, so that a reload does not send the prompt again. */
  takeLaunch(): AppInfo['launch']
  onCommand(caller: Caller, listener: (command: AppCommand) => void): Disposer
  getLayout(caller: Caller): LayoutState
  setLayout(caller: Caller, layout: LayoutState): void
  getDraft(session: string): string
  setDraft(session: string, text: string): void
  openExternal(url: string): Promise<void>
  /** Shows the file in the system's file manager; `path` is absolute and was checked. */
  reveal(path: string): void
  control(caller: Caller, action: 'minimize' | 'maximize' | 'close'): void
  copyText(text: string): void
  reportFailure(caller: Caller, failure: { message: string; stack?: string | undefined }): void
  /** The system's folder dialog over the caller's window; null when it was cancelled. */
  pickFolder(caller: Caller): Promise<string | null>
  readonly recents: RecentFolders
}

/** Folders that the person has chosen before, newest first; outlives the run. */
export interface RecentFolders {
  list(): Promise<RecentProject[]>
  /** Puts an absolute real path at the top. */
  add(path: string): void
  has(path: string): boolean
}

/** The handlers ask for the services at each call, since the window is there before they are. */
export type ServicesSource = () => Promise<DesktopServices>
