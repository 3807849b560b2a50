import { bridge } from '../bridge'
import { runCommand } from '../commands/registry'
import { flushDrafts } from './composer-store'
import { flushLayout, loadLayout } from './layout-store'
import { discoverModels, loadModels } from './models-store'
import { enterProject } from './project-actions'
import { sendText } from './session-actions'
import { showSession } from './session-store'
import { changeChoices, useSessions } from './sessions-store'
import { reportActFailure } from './ui-store'

/** Fills the stores from the main process and keeps them up to date. Runs once for a window. */
export async function startStores(): Promise<void> {
  keepOnLeaving()
  const [info, sessions, recent] = await Promise.all([
    bridge.app.info(),
    bridge.session.list(),
    bridge.project.recent(),
    loadLayout().catch(reportActFailure),
    loadModels().catch(reportActFailure),
    loadSettings().catch(reportActFailure),
  ])
  useSessions.setState({ info, sessions, recent })
  bridge.session.summaries(undefined, (list) => useSessions.setState({ sessions: list }))
  bridge.app.commands(undefined, ({ command, argument }) => runCommand(command, argument))
  await openLaunched()
  useSessions.setState({ ready: true })
  if (useSessions.getState().project === null) void discoverModels().catch(reportActFailure)
}

async function loadSettings(): Promise<void> {
  const { values } = await bridge.settings.get()
  changeChoices({ mode: values.mode, toolset: values.toolset })
}

/** The project of the command line, else the one that was open last, so that work goes on where it stopped. */
async function openLaunched(): Promise<void> {
  const { info, recent } = useSessions.getState()
  const launch = info?.launch ?? {}
  const path = launch.project ?? recent.find((project) => project.exists)?.path
  if (path === undefined) return
  try {
    enterProject(await bridge.project.open({ path }))
  } catch (error) {
    reportActFailure(error)
    return
  }
  if (launch.model !== undefined) changeChoices({ model: launch.model })
  if (launch.toolset !== undefined) changeChoices({ toolset: launch.toolset })
  if (launch.mode !== undefined && launch.mode !== 'bypass') changeChoices({ mode: launch.mode })
  const asked = launch.model ?? launch.toolset ?? launch.mode ?? launch.prompt
  if (asked !== undefined) showSession(null)
  if (launch.prompt !== undefined) await sendText(launch.prompt).catch(reportActFailure)
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
