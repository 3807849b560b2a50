import { runCommand } from '../../commands/registry'
import { Icon } from '../../components/icon'
import { plural } from '../../lib/format'
import { modelLabel, useModels } from '../../store/models-store'
import { useSession } from '../../store/session-store'
import { useSessions } from '../../store/sessions-store'
import { useChosenModel } from '../composer/pickers'

function NeedsYou() {
  const here = useSession(({ state }) => state.waiting.length)
  const id = useSession((state) => state.id)
  const elsewhere = useSessions(
    ({ sessions }) => sessions.filter((summary) => summary.state === 'needs-you' && summary.id !== id).length,
  )
  const count = here + elsewhere
  if (count === 0) return null
  return (
    <button type="button" className="row t-pending med inset" onClick={() => runCommand('request.next')}>
      <Icon name="need" />
      {count} {count === 1 ? 'needs' : 'need'} you
    </button>
  )
}

function Running() {
  const running = useSessions(({ sessions }) => sessions.filter((summary) => summary.state === 'running').length)
  if (running === 0) return null
  return (
    <span className="row t-accent">
      <Icon name="arc" spin />
      {plural(running, 'session')} running
    </span>
  )
}

function SandboxLabel() {
  const tier = useSession(({ id, state }) => (id === null ? null : state.sandbox))
  const sandbox = useSessions(({ machine }) => machine?.sandbox)
  if (sandbox === undefined) return null
  const words = tier === null ? `Sandbox: ${sandbox.label}` : tier === 'off' ? 'Sandbox off' : `Sandbox ${tier}`
  return (
    <span className={sandbox.available && tier !== 'off' ? 'row' : 'row t-warn'} title={sandbox.label}>
      <Icon name="shield" />
      {sandbox.available || tier === 'off' ? words : 'No sandbox here, commands are unsandboxed'}
    </span>
  )
}

function Keychain() {
  const keychain = useSessions(({ machine }) => machine?.keychain)
  if (keychain === undefined) return null
  return (
    <span className={keychain.available ? 'row t-ok' : 'row t-warn'}>
      <Icon name="lock" />
      {keychain.available ? `Keychain: ${keychain.label}` : `No keychain, keys stay in memory only (${keychain.label})`}
    </span>
  )
}

/** The last line of the window: facts about where and how work happens. */
export function StatusLine() {
  const project = useSessions((state) => state.project)
  const providers = useModels((models) => models.providers)
  const model = useChosenModel()
  if (project === null) {
    return (
      <footer className="status">
        <Keychain />
        <SandboxLabel />
        <span className="grow" />
        <span className="row hide-sm">Nothing leaves this machine until you pick a provider</span>
      </footer>
    )
  }
  return (
    <footer className="status">
      {project.branch !== null && (
        <span className="row">
          <Icon name="branch" />
          {project.branch}
        </span>
      )}
      <SandboxLabel />
      <Running />
      <NeedsYou />
      <span className="grow" />
      <span className="row hide-sm" title={project.path}>
        {project.path}
      </span>
      {model !== null && <span className="row hide-md">{modelLabel(providers, model)}</span>}
    </footer>
  )
}
