import { type ReactNode, useState } from 'react'
import type { ProviderStatus } from '../../../preload/contract/provider'
import { bridge } from '../../bridge'
import { Button } from '../../components/button'
import { Icon } from '../../components/icon'
import { StateMark } from '../../components/state-mark'
import { formatClock, plural } from '../../lib/format'
import { chooseDefaultModel, discoverModels, loadModels, useModels } from '../../store/models-store'
import { useSessions } from '../../store/sessions-store'
import { reportActFailure, useUi } from '../../store/ui-store'
import { ModelSelect } from './model-select'

const attempt = (act: Promise<unknown>) => void act.catch(reportActFailure)

function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/.*$/, '')
}

interface ProviderRowProps {
  readonly provider: ProviderStatus
}

/** The button that takes a provider's first model, or the list of its models once one of them is chosen. */
function UseModel({ provider }: ProviderRowProps) {
  const chosen = useModels((models) => models.defaultModel)
  const [first] = provider.models
  if (first === undefined) return null
  const isChosen = provider.models.some((model) => model.ref === chosen)
  if (isChosen) return <ModelSelect provider={provider} chosen={chosen} />
  return <Button onClick={() => attempt(chooseDefaultModel(first.ref))}>Use</Button>
}

function ChosenTag({ provider }: ProviderRowProps) {
  const chosen = useModels((models) => models.defaultModel)
  return provider.models.some((model) => model.ref === chosen) ? <span className="tag accent">chosen</span> : null
}

function LocalServer({ provider }: ProviderRowProps) {
  const address = <span className="mono">{withoutScheme(provider.baseUrl)}</span>
  return (
    <div className="opt">
      <StateMark state={provider.reachable ? 'done' : 'idle'} />
      <div>
        <div className="row">
          <span className="med">{provider.label}</span>
          <ChosenTag provider={provider} />
        </div>
        <div className="d">
          {provider.reachable ? (
            <>
              {address}, {plural(provider.models.length, 'model')}
            </>
          ) : (
            <>Nothing answers at {address}</>
          )}
        </div>
      </div>
      {provider.reachable && <UseModel provider={provider} />}
    </div>
  )
}

/** The servers on this machine, with when they were last looked for. */
function LocalServers() {
  const servers = useModels((models) => models.providers).filter((provider) => provider.local)
  const checkedAt = useModels((models) => models.checkedAt)
  const checking = useModels((models) => models.checking)
  return (
    <section>
      <h2>
        <Icon name="cpu" />
        Model servers on this machine
        <button type="button" className="pick right" disabled={checking} onClick={() => attempt(discoverModels())}>
          <Icon name="refresh" small spin={checking} />
          {checking ? 'checking' : checkedAt === null ? 'Check again' : `checked ${formatClock(checkedAt)}`}
        </button>
      </h2>
      <div className="card">
        {servers.map((provider) => (
          <LocalServer key={provider.name} provider={provider} />
        ))}
        {servers.length === 0 && (
          <div className="opt wide">
            <Icon name="cpu" />
            <div className="d">
              None found. Ollama, LM Studio and llama.cpp are looked for at their usual addresses.
            </div>
          </div>
        )}
      </div>
    </section>
  )
}

const keyWords: Readonly<Record<ProviderStatus['key'], (provider: ProviderStatus) => ReactNode>> = {
  keychain: () => 'Key kept in the system keychain.',
  memory: () => 'Key kept in memory only, until you quit.',
  environment: (provider) => (
    <>
      Key found in <span className="mono">{provider.keyName ?? 'the environment'}</span>. Not copied anywhere.
    </>
  ),
  'none-needed': () => 'Needs no key.',
  missing: () => 'No key yet.',
}

function KeyField({ provider, onDone }: ProviderRowProps & { readonly onDone: () => void }) {
  const [key, setKey] = useState('')
  const [state, setState] = useState<{ readonly testing: boolean; readonly refused: string | null }>({
    testing: false,
    refused: null,
  })
  const keychain = useSessions(({ machine }) => machine?.keychain)
  const save = async () => {
    setState({ testing: true, refused: null })
    try {
      await bridge.provider.saveKey({ provider: provider.name, key: key.trim() })
      await loadModels()
      const first = useModels.getState().providers.find((found) => found.name === provider.name)?.models[0]
      if (useModels.getState().defaultModel === null && first !== undefined) await chooseDefaultModel(first.ref)
      onDone()
    } catch (error) {
      setState({ testing: false, refused: error instanceof Error ? error.message : String(error) })
    }
  }
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <div className="d">
        {keychain?.available
          ? `Goes into the system keychain (${keychain.label}). Never shown again.`
          : 'There is no keychain here: the key stays in memory only, until you quit.'}
      </div>
      <div className="row">
        <label className={state.refused === null ? 'field grow' : 'field grow bad'}>
          <Icon name="key" />
          <input
            type="password"
            autoComplete="off"
            aria-label={`${provider.label} API key`}
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        </label>
        <Button kind="primary" type="submit" disabled={key.trim() === '' || state.testing}>
          {state.testing ? 'Testing' : 'Test and save'}
        </Button>
      </div>
      {state.refused !== null && (
        <div className="d t-danger" role="alert">
          {state.refused} The key was not kept.
        </div>
      )}
    </form>
  )
}

function RemoteProvider({ provider }: ProviderRowProps) {
  const [typing, setTyping] = useState(provider.key === 'missing')
  const open = typing || provider.key === 'missing'
  return (
    <div className={open ? 'opt wide' : 'opt'}>
      <StateMark state={provider.key === 'missing' ? 'idle' : 'done'} />
      <div className={open ? 'stack' : undefined}>
        <div className="row">
          <span className="med">{provider.label}</span>
          <ChosenTag provider={provider} />
        </div>
        {open ? (
          <KeyField provider={provider} onDone={() => setTyping(false)} />
        ) : (
          <div className="d">{keyWords[provider.key](provider)}</div>
        )}
      </div>
      {!open && (
        <span className="row">
          {provider.key !== 'none-needed' && (
            <Button kind="quiet" onClick={() => setTyping(true)}>
              Replace key…
            </Button>
          )}
          <UseModel provider={provider} />
        </span>
      )}
    </div>
  )
}

/** Where a model comes from: servers found on this machine, or a provider with a key. */
export function ConnectModel() {
  const providers = useModels((models) => models.providers)
  const remote = providers.filter((provider) => !provider.local && provider.type !== 'scripted')
  return (
    <div className="connect">
      <LocalServers />
      <section>
        <h2>
          <Icon name="key" />
          Or connect a provider
        </h2>
        <div className="card">
          {remote.map((provider) => (
            <RemoteProvider key={provider.name} provider={provider} />
          ))}
          <div className="opt">
            <Icon name="plus" />
            <div>
              <div className="med">Other endpoint</div>
              <div className="d">
                Anything that speaks Responses, Messages or chat completions, under{' '}
                <span className="mono">providers</span> in the settings file.
              </div>
            </div>
            <Button onClick={() => useUi.setState({ overlay: 'settings' })}>Settings…</Button>
          </div>
        </div>
      </section>
    </div>
  )
}
