import { type FormEvent, Fragment, useState } from 'react'
import type { ProviderStatus } from '../../../preload/contract/provider'
import { bridge } from '../../bridge'
import { Button } from '../../components/button'
import { Icon } from '../../components/icon'
import { type MarkState, StateMark } from '../../components/state-mark'
import { formatClock, plural } from '../../lib/format'
import { discoverModels, loadModels, useModels } from '../../store/models-store'
import { useSessions } from '../../store/sessions-store'
import { reportActFailure, showToast } from '../../store/ui-store'

const apiNames: Readonly<Record<ProviderStatus['type'], string>> = {
  'openai-responses': 'Responses',
  'anthropic-messages': 'Messages',
  'openai-chat': 'chat completions',
  scripted: 'script, no model',
}

interface ProviderProps {
  readonly provider: ProviderStatus
}

function KeyState({ provider }: ProviderProps) {
  switch (provider.key) {
    case 'keychain':
      return (
        <span className="tag ok">
          <Icon name="lock" small />
          keychain
        </span>
      )
    case 'memory':
      return (
        <>
          <span className="tag pending">memory only</span> <span className="dim">until quit</span>
        </>
      )
    case 'environment':
      return (
        <>
          <span className="tag info">environment</span> <span className="mono xs dim">{provider.keyName}</span>
        </>
      )
    case 'none-needed':
      return <span className="dim">none needed</span>
    case 'missing':
      return <span className="tag">no key</span>
  }
}

interface TestResult {
  readonly ok: boolean
  readonly message: string
  readonly at: number
}

function markOf(provider: ProviderStatus, result: TestResult | null): MarkState {
  if (result !== null) return result.ok ? 'done' : 'failed'
  if (provider.local) return provider.reachable === true ? 'done' : 'idle'
  return provider.key === 'missing' ? 'idle' : 'done'
}

function KeyForm({ provider, onDone }: ProviderProps & { readonly onDone: (saved: boolean) => void }) {
  const [key, setKey] = useState('')
  const [testing, setTesting] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const keychain = useSessions(({ machine }) => machine?.keychain)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setTesting(true)
    setRefused(null)
    try {
      const { store } = await bridge.provider.saveKey({ provider: provider.name, key: key.trim() })
      await loadModels()
      const where = store === 'keychain' ? 'in the keychain' : 'in memory until you quit'
      showToast({ text: `${provider.label}: the key works and is kept ${where}.`, level: 'info' })
      onDone(true)
    } catch (error) {
      setTesting(false)
      setRefused(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <form className="stack key-form" onSubmit={(event) => void save(event)}>
      <div className="row wrap">
        <label className={refused === null ? 'field grow' : 'field grow bad'}>
          <Icon name="key" />
          <input
            type="password"
            autoComplete="off"
            // biome-ignore lint/a11y/noAutofocus: the person has just asked for this field
            autoFocus
            aria-label={`${provider.label} API key`}
            placeholder={`${provider.label} API key`}
            value={key}
            onChange={(event) => setKey(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return
              event.preventDefault()
              event.stopPropagation()
              onDone(false)
            }}
          />
        </label>
        <Button small kind="primary" type="submit" disabled={key.trim() === '' || testing}>
          {testing ? 'Testing' : 'Test and save'}
        </Button>
        <Button small kind="quiet" onClick={() => onDone(false)}>
          Cancel
        </Button>
      </div>
      {refused === null ? (
        <span className="xs dim">
          {keychain?.available
            ? `Goes into the system keychain (${keychain.label}). Never shown again.`
            : 'There is no keychain here: the key stays in memory only, until you quit.'}
        </span>
      ) : (
        <span className="xs t-danger" role="alert">
          {refused} The key was not kept.
        </span>
      )}
    </form>
  )
}

interface ActionsProps extends ProviderProps {
  readonly testing: boolean
  readonly onTest: () => void
  readonly onType: () => void
}

function Actions({ provider, testing, onTest, onType }: ActionsProps) {
  const remove = () =>
    bridge.provider
      .removeKey({ provider: provider.name })
      .then(loadModels)
      .then(() => showToast({ text: `${provider.label}: the key was removed.`, level: 'info' }))
      .catch(reportActFailure)
  const kept = provider.key === 'keychain' || provider.key === 'memory'
  return (
    <span className="acts">
      {provider.key !== 'missing' && (
        <Button small disabled={testing} aria-label={`Test ${provider.label}`} onClick={onTest}>
          {testing ? 'Testing' : 'Test'}
        </Button>
      )}
      {provider.key !== 'none-needed' && (
        <Button
          small
          kind={provider.key === 'missing' ? undefined : 'quiet'}
          aria-label={`${kept ? 'Replace' : 'Add'} key of ${provider.label}`}
          onClick={onType}
        >
          {kept ? 'Replace…' : 'Add key…'}
        </Button>
      )}
      {kept && (
        <Button small kind="danger-quiet" aria-label={`Remove key of ${provider.label}`} onClick={() => void remove()}>
          Remove
        </Button>
      )}
    </span>
  )
}

function ProviderRow({ provider }: ProviderProps) {
  const [typing, setTyping] = useState(false)
  const [testing, setTesting] = useState(false)
  const [result, setResult] = useState<TestResult | null>(null)
  const test = async () => {
    setTesting(true)
    try {
      const { ok, message } = await bridge.provider.test({ provider: provider.name })
      setResult({ ok, message, at: Date.now() })
      await loadModels()
    } catch (error) {
      setResult({ ok: false, message: error instanceof Error ? error.message : String(error), at: Date.now() })
    } finally {
      setTesting(false)
    }
  }
  const images = provider.models.some((model) => model.images)
  return (
    <Fragment>
      <tr className={typing || result !== null ? 'joined' : undefined}>
        <td>
          <StateMark state={testing ? 'running' : markOf(provider, result)} />
        </td>
        <td className="med">{provider.label}</td>
        <td className="mid">
          <span className="mono">{provider.baseUrl.replace(/^https?:\/\//, '')}</span>
          <br />
          <span className="xs dim">{apiNames[provider.type]}</span>
        </td>
        <td>
          <KeyState provider={provider} />
        </td>
        <td className="mid">
          {provider.models.length === 0 ? (
            <span className="dim">{provider.local && !provider.reachable ? 'nothing answers' : 'none listed'}</span>
          ) : (
            `${provider.models.length}${images ? ', images' : ''}`
          )}
        </td>
        <td>
          <Actions provider={provider} testing={testing} onTest={() => void test()} onType={() => setTyping(true)} />
        </td>
      </tr>
      {(typing || result !== null) && (
        <tr>
          <td />
          <td colSpan={5}>
            {result !== null && (
              <div className={result.ok ? 'xs t-ok' : 'xs t-danger'} role="status">
                {formatClock(result.at)} {result.message || (result.ok ? 'It answers.' : 'It did not answer.')}
              </div>
            )}
            {typing && (
              <KeyForm
                provider={provider}
                onDone={(saved) => {
                  setTyping(false)
                  if (saved) setResult(null)
                }}
              />
            )}
          </td>
        </tr>
      )}
    </Fragment>
  )
}

function Keychain() {
  const keychain = useSessions(({ machine }) => machine?.keychain)
  if (keychain === undefined) return null
  return (
    <span className="row grow">
      <Icon name="lock" className={keychain.available ? 't-ok' : 't-warn'} />
      <span className="mid">{keychain.available ? `Keychain: ${keychain.label}` : keychain.label}</span>
    </span>
  )
}

/** Where models come from, and their keys: tested, replaced and removed here, never shown. */
export function Providers() {
  const providers = useModels((models) => models.providers)
  const checking = useModels((models) => models.checking)
  const shown = providers.filter((provider) => provider.type !== 'scripted')
  return (
    <section>
      <h2 id="settings-providers" tabIndex={-1}>
        Providers
      </h2>
      <p className="sm mid">
        A key can be tested, replaced and removed here, and is never shown again. {plural(shown.length, 'provider')}.
      </p>
      <div className="row sm provider-head">
        <Keychain />
        <Button small disabled={checking} onClick={() => void discoverModels().catch(reportActFailure)}>
          {checking ? 'Looking for local servers' : 'Look for local servers'}
        </Button>
      </div>
      <div className="table-frame scroll">
        <table className="tbl">
          <thead>
            <tr>
              <th>
                <span className="sr">State</span>
              </th>
              <th>Provider</th>
              <th>Endpoint</th>
              <th>Key</th>
              <th>Models</th>
              <th>Actions</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((provider) => (
              <ProviderRow key={provider.name} provider={provider} />
            ))}
          </tbody>
        </table>
      </div>
      <p className="xs dim provider-foot">
        Other endpoints that speak Responses, Messages or chat completions stand under <code>providers</code> in the
        settings file.
      </p>
    </section>
  )
}
