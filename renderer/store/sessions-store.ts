import { create } from 'zustand'
import type { AppInfo, MachineInfo } from '../../preload/contract/app'
import type { ModelRef, PermissionMode, SessionId, ToolsetName } from '../../preload/contract/ids'
import type { Project, RecentProject } from '../../preload/contract/project'
import type { SessionSummary } from '../../preload/contract/session'

/** What the person chose for the session that does not exist yet. */
export interface NewSessionChoices {
  readonly model: ModelRef | null
  readonly mode: PermissionMode
  readonly toolset: ToolsetName
  /** The word typed to confirm `bypass`; sent along when the session is made. */
  readonly confirmation: string | null
}

interface SessionsStore {
  readonly info: AppInfo | null
  /** Keychain and sandbox; null until they were looked for. */
  readonly machine: MachineInfo | null
  readonly project: Project | null
  readonly recent: readonly RecentProject[]
  readonly sessions: readonly SessionSummary[]
  readonly choices: NewSessionChoices
  /** The first answers of the main process are there. */
  readonly ready: boolean
  /** It is settled which session is shown and which model it has: what was typed before can be sent. */
  readonly settled: boolean
}

/** The program, the project and the list of sessions. */
export const useSessions = create<SessionsStore>(() => ({
  info: null,
  machine: null,
  project: null,
  recent: [],
  sessions: [],
  choices: { model: null, mode: 'ask', toolset: 'plumbline', confirmation: null },
  ready: false,
  settled: false,
}))

/** Resolves when it is settled what the first screen shows; at once afterwards. */
export function whenSettled(): Promise<void> {
  if (useSessions.getState().settled) return Promise.resolve()
  return new Promise((resolve) => {
    const stop = useSessions.subscribe(({ settled }) => {
      if (!settled) return
      stop()
      resolve()
    })
  })
}

/** Changes what the next new session starts with. */
export function changeChoices(change: Partial<NewSessionChoices>): void {
  useSessions.setState(({ choices }) => ({ choices: { ...choices, ...change } }))
}

/** The summary of a session in the list, or undefined. */
export function summaryOf(id: SessionId | null): SessionSummary | undefined {
  return useSessions.getState().sessions.find((summary) => summary.id === id)
}
