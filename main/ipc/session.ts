import { realpath } from 'node:fs/promises'
import type { SessionId } from '../../preload/contract/ids'
import { type SessionSummary, session } from '../../preload/contract/session'
import type { LiveSession } from '../agent/types'
import { PlumblineError } from '../platform/errors'
import { cutAtCharacter, decodeText } from './blob-text'
import type { BridgeGate } from './bridge-gate'
import type { DesktopServices, DesktopShell, ServicesSource } from './desktop-services'
import { latest } from './outgoing-stream'
import { requireChosenFolder } from './project'
import { SessionFeed } from './session-feed'

/** What the person types to allow everything. */
const BYPASS_WORD = 'bypass'

/** Sessions: their list, what happens in them, and what the person does to them. */
export function registerSession(gate: BridgeGate, shell: DesktopShell, services: ServicesSource): void {
  const open = async (id: SessionId) => (await services()).sessions.open(id)
  gate.handle(session, {
    list: async () => (await services()).sessions.list(),
    summaries: async (_args, sink) => {
      const { sessions } = await services()
      const send = latest(sink)
      const stop = sessions.onList(send)
      send(await sessions.list())
      return stop
    },
    create: async (request) => createSession(await services(), shell, request),
    updates: async ({ session: id }, sink) => {
      const feed = await SessionFeed.start(await open(id), sink)
      return () => feed.dispose()
    },
    page: async ({ session: id, page }) => [...(await (await open(id)).page(page))],
    prompt: async ({ session: id, content, kind }) => (await open(id)).prompt(content, kind),
    removeQueued: async ({ session: id, entry }) => (await open(id)).removeQueued(entry),
    stop: async ({ session: id }) => (await open(id)).stop(),
    answer: async ({ session: id, call, answer, rule, note }) =>
      (await open(id)).answer(call, {
        answer,
        ...(rule === undefined ? {} : { rule }),
        ...(note === undefined ? {} : { note }),
      }),
    setModel: async ({ session: id, model }) => (await open(id)).setModel(model),
    setMode: async ({ session: id, mode, confirmation }) => {
      const live = await open(id)
      if (mode === 'bypass') await confirmBypass(await services(), live, confirmation)
      live.setMode(mode)
    },
    setToolset: async ({ session: id, toolset }) => (await open(id)).setToolset(toolset),
    rename: async ({ session: id, title }) => (await open(id)).rename(title),
    setArchived: async ({ session: id, archived }) => (await services()).sessions.setArchived(id, archived),
    blobText: async ({ session: id, blob, limit }) => {
      const bytes = await (await open(id)).blob(blob)
      const text = decodeText(cutAtCharacter(bytes, limit))
      return { text: text ?? '', bytes: bytes.byteLength, binary: text === null }
    },
    blobBytes: async ({ session: id, blob }) => new Uint8Array(await (await open(id)).blob(blob)),
    sandbox: async ({ session: id }) => (await open(id)).state.sandbox,
  })
}

async function createSession(
  services: DesktopServices,
  shell: DesktopShell,
  request: {
    project: string
    toolset?: LiveSession['state']['toolset'] | undefined
    mode?: LiveSession['state']['mode'] | undefined
    model?: string | undefined
  },
): Promise<SessionSummary> {
  const cwd = await realpath(request.project)
  await requireChosenFolder(services, shell, cwd)
  const { values } = await services.settings.read()
  const mode = request.mode ?? values.mode
  const created = await services.sessions.create({
    cwd,
    toolset: request.toolset ?? values.toolset,
    // Allowing everything takes a typed word, in the session; no setting brings it.
    mode: mode === 'bypass' ? 'ask' : mode,
    sandbox: values.sandbox,
    model: request.model ?? (await services.providers.getDefault()),
    attended: true,
  })
  const summary = (await services.sessions.list()).find((row) => row.id === created.id)
  if (summary === undefined) throw new PlumblineError('session_not_found', 'The new session is not in the list.')
  return summary
}

async function confirmBypass(services: DesktopServices, live: LiveSession, confirmation?: string): Promise<void> {
  if (confirmation !== BYPASS_WORD) {
    throw new PlumblineError('permission_denied', `Mode bypass needs the word "${BYPASS_WORD}", typed by a person.`)
  }
  if (!(await services.trust.isTrusted(live.state.cwd))) {
    throw new PlumblineError('permission_denied', 'Mode bypass needs a trusted folder. Trust it first.')
  }
}
