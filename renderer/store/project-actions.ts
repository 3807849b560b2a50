import type { Project } from '../../preload/contract/project'
import { bridge, openDroppedFolder } from '../bridge'
import { showSession } from './session-store'
import { changeChoices, useSessions } from './sessions-store'
import { useUi } from './ui-store'

/** Shows a project with its newest session, or with an empty composer when it has none. */
export function enterProject(project: Project): void {
  const newest = useSessions
    .getState()
    .sessions.filter((summary) => summary.project === project.path && !summary.archived)
    .sort((left, right) => right.updatedAt - left.updatedAt)
    .at(0)
  useSessions.setState({ project })
  useUi.setState({ overlay: null })
  showSession(newest?.id ?? null)
}

/** Asks for a folder with the system's dialog and opens it. */
export async function pickProject(): Promise<void> {
  const project = await bridge.project.pick()
  if (project !== null) enterProject(project)
}

/** Opens a folder by its path: from the recent list, the command line or another session. */
export async function openProject(path: string): Promise<void> {
  enterProject(await bridge.project.open({ path }))
}

/** Opens the folder that was dropped on the window. */
export async function dropProject(file: File): Promise<void> {
  enterProject(await openDroppedFolder(file))
}

/** Starts the scripted demo in a copy of the sample project and shows it. */
export async function startDemo(): Promise<void> {
  const { project, session } = await bridge.project.startDemo()
  useSessions.setState({ project })
  useUi.setState({ overlay: null })
  showSession(session)
}

/** Trusts the open folder, or takes that back. */
export async function setProjectTrusted(trusted: boolean): Promise<void> {
  const { project } = useSessions.getState()
  if (project === null) return
  useSessions.setState({ project: await bridge.project.trust({ path: project.path, trusted }) })
}

/** Shows the empty composer of a new session in the open project. */
export function startNewSession(): void {
  changeChoices({ confirmation: null, mode: initialMode() })
  useUi.setState({ overlay: null })
  showSession(null)
}

function initialMode() {
  const { choices } = useSessions.getState()
  // A confirmed bypass belongs to one session; the next asks again.
  return choices.mode === 'bypass' ? ('ask' as const) : choices.mode
}
