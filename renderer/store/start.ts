import type { AppInfo } from '../../preload/contract/app'
import type { Project, RecentProject } from '../../preload/contract/project'
import { bridge } from '../bridge'
import { runCommand } from '../commands/registry'
import { flushDrafts, moveDraft, restoreDraft } from './composer-store'
import { flushLayout, loadLayout } from './layout-store'
import { discoverModels, loadModels } from './models-store'
import { enterProject } from './project-actions'
import { sendText } from './session-actions'
import { showSession, useSession } from './session-store'
import { changeChoices, useSessions } from './sessions-store'
import { followSettings } from './settings-store'
import { reportActFailure, useUi } from './ui-store'

let models: Promise<void> = Promise.resolve()

/**
 * Fills the stores from the main process and keeps them up to date. Runs once for a window. What the first screen needs
 * comes first and waits for no service, so that a person can type at once.
 */
export async function startStores(): Promise<void> {
  keepOnLeaving()
  const layout = loadLayout().catch(reportActFailure)
  const [info, recent] = await Promise.all([bridge.app.info(), bridge.project.recent()])
  const expected = expectedProject(info.launch, recent)
  useSessions.setState({ info, recent, project: expected, ready: expected === null })
  // Providers may be slow to answer; only a prompt that is sent at once has to wait for them.
  models = loadModels().catch(reportActFailure)
  void bridge.app
    .machine()
    .then((machine) => useSessions.setState({ machine }))
    .catch(reportActFailure)
  bridge.app.commands(undefined, ({ command, argument }) => runCommand(command, argument))
  try {
    const [sessions] = await Promise.all([bridge.session.list(), layout.then(loadSettings).catch(reportActFailure)])
    useSessions.setState({ sessions })
    bridge.session.summaries(undefined, (list) => useSessions.setState({ sessions: list }))
    await openAtStart(expected, info.launch)
    await models
  } finally {
    useSessions.setState({ ready: true, settled: true })
  }
  if (useSessions.getState().project === null) void discoverModels().catch(reportActFailure)
}

/**
 * The project of the command line, else the one that was open last, so that work goes on where it stopped. It is shown
 * before it was looked at; trust and branch follow.
 */
function expectedProject(launch: AppInfo['launch'], recent: readonly RecentProject[]): Project | null {
  const path = launch.project ?? recent.find((project) => project.exists)?.path
  if (path === undefined) return null
  return { path, name: path.split(/[\\/]/).at(-1) ?? path, branch: null, trusted: true }
}

async function loadSettings(): Promise<void> {
  const { mode, toolset } = await followSettings()
  // Bypass is never a beginning: it is confirmed for one session at a time.
  changeChoices({ mode: mode === 'bypass' ? 'ask' : mode, toolset })
}

async function openAtStart(expected: Project | null, launch: AppInfo['launch']): Promise<void> {
  if (expected === null) return
  try {
    enterProject(await bridge.project.open({ path: expected.path }))
  } catch (error) {
    useSessions.setState({ project: null })
    reportActFailure(error)
    return
  }
  // What was typed before it was known which session would be shown goes where the person sees it.
  moveDraft('new', useSession.getState().id)
  await applyChoices(launch)
}

/** Does what a second start asked for; the main process says that there is something new. */
export async function applyLaunch(): Promise<void> {
  const info = await bridge.app.info()
  useSessions.setState({ info })
  if (info.launch.project !== undefined) enterProject(await bridge.project.open({ path: info.launch.project }))
  await applyChoices(info.launch)
}

async function applyChoices(launch: AppInfo['launch']): Promise<void> {
  const { model, toolset, mode, prompt } = launch
  if (model !== undefined) changeChoices({ model })
  if (toolset !== undefined) changeChoices({ toolset })
  if (mode === 'bypass') useUi.setState({ confirmingBypass: true })
  else if (mode !== undefined) changeChoices({ mode })
  if ((model ?? toolset ?? mode ?? prompt) !== undefined) showSession(null)
  if (prompt === undefined) return
  await models
  // A prompt that waits for a typed confirmation stays in the composer.
  if (mode === 'bypass') restoreDraft('new', prompt)
  else await sendText(prompt).catch(reportActFailure)
}

function keepOnLeaving(): void {
  const flush = () => {
    flushDrafts()
    flushLayout()
  }
  window.addEventListener('pagehide', flush)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') flush()
  })
}
