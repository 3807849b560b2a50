import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { app } from '../../preload/contract/app'
import { PlumblineError } from '../platform/errors'
import type { BridgeGate } from './bridge-gate'
import type { DesktopShell, ServicesSource } from './desktop-services'
import { holdBack } from './outgoing-stream'

/** Commands that wait for a busy window; older ones are dropped, since nobody presses a key 64 times ahead. */
const MAX_WAITING_COMMANDS = 64

/** The application itself: its window, its drafts, its place in the system. Most of it answers before the services do. */
export function registerApp(gate: BridgeGate, shell: DesktopShell, services: ServicesSource): void {
  gate.handle(app, {
    info: () => ({ ...shell.info(), launch: shell.takeLaunch() }),
    machine: async () => (await services()).describe(),
    commands: (_args, sink, caller) =>
      shell.onCommand(
        caller,
        holdBack(sink, (waiting, next) => [...waiting, next].slice(-MAX_WAITING_COMMANDS)),
      ),
    getLayout: (_args, caller) => shell.getLayout(caller),
    setLayout: (layout, caller) => shell.setLayout(caller, layout),
    getDraft: (session) => shell.getDraft(session),
    setDraft: ({ session, text }) => shell.setDraft(session, text),
    openExternal: ({ url }) => shell.openExternal(url),
    revealPath: async ({ session, path: asked }) => {
      const { cwd } = (await (await services()).sessions.open(session)).state
      shell.reveal(await insideProject(cwd, asked))
    },
    windowControl: (action, caller) => shell.control(caller, action),
    copyText: (text) => shell.copyText(text),
    reportFailure: (failure, caller) => shell.reportFailure(caller, failure),
  })
}

/** The real path of `asked`, which must lie in the project once links are resolved. */
async function insideProject(cwd: string, asked: string): Promise<string> {
  const root = await realpath(cwd)
  const target = await realpath(path.resolve(root, asked))
  const relative = path.relative(root, target)
  if (relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative)) {
    throw new PlumblineError('outside_roots', `${asked} lies outside the project.`)
  }
  return target
}
