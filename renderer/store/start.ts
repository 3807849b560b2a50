import type { AppInfo } from '../../preload/contract/app'
import { bridge } from '../bridge'
import { runCommand } from '../commands/registry'
import { flushDrafts, restoreDraft } from './composer-store'
import { flushLayout, loadLayout } from './layout-store'
import { discoverModels, loadModels } from './models-store'
import { enterProject } from './project-actions'
import { sendText } from './session-actions'
import { showSession } from './session-store'
import { changeChoices, useSessions } from './sessions-store'
import { followSettings } from './settings-store'
import { reportActFailure, useUi } from './ui-store'

let models: Promise<void> = Promise.resolve()

/** Fills the stores from the main process and keeps them up to date. Runs once for a window. */
export async function startStores(): Promise<void> {
  keepOnLeaving()
  // Providers may be slow to answer; only a prompt that is sent at once has to wait for them.
  models = loadModels().catch(reportActFailure)
  const [info, sessions, recent] = await Promise.all([
    bridge.app.info(),
    bridge.session.list(),
    bridge.project.recent(),
    loadLayout().then(loadSettings).catch(reportActFailure),
  ])
  useSessions.setState({ info, sessions, recent })
  bridge.session.summaries(undefined, (list) => useSessions.setState({ sessions: list }))
  bridge.app.commands(undefined, ({ command, argument }) => runCommand(command, argument))
  await openAtStart(info.launch)
  useSessions.setState({ ready: true })
  if (useSessions.getState().project === null) void discoverModels().catch(reportActFailure)
}

async function loadSettings(): Promise<void> {
  const { mode, toolset } = await followSettings()
  // Bypass is never a beginning: it is confirmed for one session at a time.
  changeChoices({ mode: mode === 'bypass' ? 'ask' : mode, toolset })
}

/** The project of the command line, else the one that was open last, so that work goes on where it stopped. */
async function openAtStart(launch: AppInfo['launch']): Promise<void> {
  const path = launch.project ?? useSessions.getState().recent.find((project) => project.exists)?.path
  if (path === undefined) return
  try {
    enterProject(await bridge.project.open({ path }))
  } catch (error) {
    reportActFailure(error)
    return
  }
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
