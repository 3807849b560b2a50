import type { Dispatcher } from 'undici'
import type { Usage } from '../../preload/contract/content'
import type { ModelRef, SessionId } from '../../preload/contract/ids'
import type { ModelInfo, ProviderStatus } from '../../preload/contract/provider'
import type { Credentials, SecretStore } from '../credentials/credentials'
import { type Clock, systemClock } from '../platform/clock'
import { PlumblineError, toFailure } from '../platform/errors'
import type { Settings } from '../settings/settings'
import { costOf, describeModel, knownModelIds } from './catalogue'
import { HttpProvider, type ProviderKey } from './http-provider'
import { RefusedImages, withImageFallback } from './image-fallback'
import { DEFAULT_LIMITS } from './limits'
import { probeLocal } from './local-servers'
import { type ProviderEntry, providerEntries, rootOf, SCRIPTED } from './provider-entries'
import { withRetry } from './retry'
import { SCRIPTED_LABEL, ScriptedProvider, scriptedModel } from './scripted'
import type { Provider } from './types'
import { withWatchdog } from './watchdog'
import { dispatcherFor } from './wire'

/** Scripts whose place is remembered; a session that comes back later finds its place by its messages. */
const MAX_SCRIPTS = 256

export interface RegistryOptions {
  settings: Pick<Settings, 'values' | 'update'>
  credentials: Credentials
  env?: Readonly<Record<string, string | undefined>>
  clock?: Clock
}

/** What a provider has to know of the session that it serves. */
export interface ProviderSession {
  id: SessionId
  cwd: string
  /** The newest tag of a file; the path is relative to `cwd` or absolute. */
  tagOf(path: string): string | undefined
}

/**
 * All model providers: the built-in ones, those of the settings, and the servers found on this machine. Settings are
 * read at each question, so a change counts at once. Keys stay inside.
 */
export class ProviderRegistry {
  readonly #options: RegistryOptions
  readonly #env: Readonly<Record<string, string | undefined>>
  readonly #clock: Clock
  readonly #dispatchers = new Map<string, Promise<Dispatcher>>()
  readonly #providers = new Map<string, Promise<HttpProvider>>()
  readonly #scripts = new Map<string, ScriptedProvider>()
  readonly #refused = new Map<ModelRef, RefusedImages>()
  /** The models of each server on this machine that answered. */
  #found: Map<string, string[]> | undefined
  #probing: Promise<void> | undefined

  constructor(options: RegistryOptions) {
    this.#options = options
    this.#env = options.env ?? process.env
    this.#clock = options.clock ?? systemClock
  }

  /** All providers with the models that are known; looks for local servers the first time. */
  async list(): Promise<ProviderStatus[]> {
    if (this.#found === undefined) await this.#probe()
    const statuses = await Promise.all(this.#entries().map((entry) => this.#status(entry)))
    return [...statuses, scriptedStatus]
  }

  /** Looks again for servers on this machine. Takes half a second at most. */
  async discover(): Promise<ProviderStatus[]> {
    await this.#probe()
    return this.list()
  }

  /**
   * A provider for one session, with retries, watchdog and image fallback around it. Throws `key_missing`, and
   * `invalid_arguments` for a provider that does not exist.
   */
  async resolve(ref: ModelRef, session: ProviderSession): Promise<Provider> {
    const { name, model } = split(ref)
    if (name === SCRIPTED) return this.#script(model, ref, session)
    const entry = this.#entry(name)
    if (entry.needsKey && (await this.#key(entry)) === undefined) throw missingKey(entry)
    const guarded = withWatchdog(await this.#http(entry), { limits: entry.limits, clock: this.#clock })
    const retried = withRetry(guarded, { maxRetries: entry.limits.maxRetries, clock: this.#clock })
    let refused = this.#refused.get(ref)
    if (refused === undefined) {
      refused = new RefusedImages()
      this.#refused.set(ref, refused)
    }
    return withImageFallback(retried, { takesImages: this.info(ref).images, refused })
  }

  /** What is known of a model, without asking anybody. */
  info(ref: ModelRef): ModelInfo {
    const { name, model } = split(ref)
    if (name === SCRIPTED) return scriptedModel(model)
    const entry = this.#entries().find((candidate) => candidate.name === name)
    return describeModel(name, model, entry?.config.models, entry?.vendor)
  }

  /** US dollars, or undefined when the prices are unknown. */
  cost(ref: ModelRef, usage: Usage): number | undefined {
    return costOf(this.info(ref).cost, usage)
  }

  /** Asks the provider for its models, with `key` or the one in use. Never throws for what the provider did. */
  async test(name: string, key?: string): Promise<{ ok: boolean; message: string; models: ModelInfo[] }> {
    if (name === SCRIPTED) return { ok: true, message: SCRIPTED_LABEL, models: [] }
    const entry = this.#entry(name)
    try {
      const models = await this.#ask(entry, key)
      return { ok: true, message: `${name} answers and lists ${models.length} models.`, models }
    } catch (thrown) {
      return { ok: false, message: toFailure(thrown).message, models: [] }
    }
  }

  /** Keeps a key. With `test` it is tried first; a refused one is not kept (`provider_auth`). Says where it is kept. */
  async saveKey(request: { provider: string; key: string; test: boolean }): Promise<{ store: SecretStore }> {
    const entry = this.#entry(request.provider)
    const key = request.key.trim()
    if (key === '') throw new PlumblineError('invalid_arguments', 'The key is empty.')
    this.#options.credentials.redactor.remember(key)
    if (request.test) {
      try {
        await this.#ask(entry, key)
      } catch (thrown) {
        // A server without a list of models can't tell a good key from a bad one.
        if (!(thrown instanceof PlumblineError) || thrown.context.status !== 404) throw thrown
      }
    }
    return { store: await this.#options.credentials.set(request.provider, key) }
  }

  /** Forgets the key of a provider; without one nothing happens. Environment variables are not ours to remove. */
  async removeKey(provider: string): Promise<void> {
    await this.#options.credentials.remove(provider)
  }

  /** The model of new sessions; null until one was chosen. */
  async getDefault(): Promise<ModelRef | null> {
    return this.#options.settings.values.model ?? null
  }

  /** Writes the choice to the person's settings. A script is played once and never a default. */
  async setDefault(ref: ModelRef): Promise<void> {
    if (split(ref).name === SCRIPTED)
      throw new PlumblineError('invalid_arguments', 'A script can not be the default model.')
    await this.#options.settings.update([{ path: ['model'], value: ref }])
  }

  /** Closes all connections. */
  async dispose(): Promise<void> {
    const dispatchers = [...this.#dispatchers.values()]
    this.#dispatchers.clear()
    this.#providers.clear()
    this.#scripts.clear()
    await Promise.all(dispatchers.map(async (dispatcher) => (await dispatcher).destroy()))
  }

  #entries(): ProviderEntry[] {
    return providerEntries(this.#options.settings.values, this.#env)
  }

  #entry(name: string): ProviderEntry {
    const entries = this.#entries()
    const entry = entries.find((candidate) => candidate.name === name)
    if (entry !== undefined) return entry
    const half = Object.hasOwn(this.#options.settings.values.providers, name)
    throw new PlumblineError(
      'invalid_arguments',
      half
        ? `The provider ${name} needs type and baseUrl in the settings.`
        : `There is no provider ${name}. There are ${[...entries.map((known) => known.name), SCRIPTED].join(', ')}.`,
    )
  }

  #script(file: string, ref: ModelRef, session: ProviderSession): Provider {
    const id = `${session.id} ${ref}`
    const known = this.#scripts.get(id)
    const script =
      known ??
      new ScriptedProvider({ file, cwd: session.cwd, tagOf: (path) => session.tagOf(path), clock: this.#clock })
    this.#scripts.delete(id)
    this.#scripts.set(id, script)
    const [oldest] = this.#scripts.keys()
    if (this.#scripts.size > MAX_SCRIPTS && oldest !== undefined) this.#scripts.delete(oldest)
    const limits = { ...DEFAULT_LIMITS, ...this.#options.settings.values.providers[SCRIPTED]?.limits }
    return withRetry(script, { maxRetries: limits.maxRetries, clock: this.#clock })
  }

  /** One instance for as long as nothing about it changes: it keeps its connections and what it learnt. */
  #http(entry: ProviderEntry): Promise<HttpProvider> {
    const id = JSON.stringify([entry.name, entry.type, entry.baseUrl, entry.config])
    const known = this.#providers.get(id)
    if (known !== undefined) return known
    const provider = this.#build(entry, () => this.#key(entry))
    this.#providers.set(id, provider)
    return provider
  }

  async #build(entry: ProviderEntry, key: () => Promise<ProviderKey | undefined>): Promise<HttpProvider> {
    return new HttpProvider({
      name: entry.name,
      type: entry.type,
      baseUrl: entry.baseUrl,
      headers: entry.config.headers ?? {},
      key,
      dispatcher: await this.#dispatcher(entry.baseUrl, entry.limits.connectMs),
      clock: this.#clock,
      effort: (id) => entry.config.models?.find((model) => model.id === id)?.reasoning,
      describe: (id) => describeModel(entry.name, id, entry.config.models, entry.vendor),
    })
  }

  #dispatcher(baseUrl: string, connectMs: number): Promise<Dispatcher> {
    const id = `${baseUrl} ${connectMs}`
    const known = this.#dispatchers.get(id)
    if (known !== undefined) return known
    const dispatcher = dispatcherFor(baseUrl, connectMs)
    this.#dispatchers.set(id, dispatcher)
    return dispatcher
  }

  async #ask(entry: ProviderEntry, key: string | undefined): Promise<ModelInfo[]> {
    if (key !== undefined) {
      const provider = await this.#build(entry, async () => ({ value: key, origin: '' }))
      return provider.models()
    }
    if (entry.needsKey && (await this.#key(entry)) === undefined) throw missingKey(entry)
    return (await this.#http(entry)).models()
  }

  async #key(entry: ProviderEntry): Promise<(ProviderKey & { store: SecretStore | 'environment' }) | undefined> {
    const variable = entry.keyName === undefined ? undefined : this.#env[entry.keyName]?.trim()
    const fromEnvironment = () => {
      if (!variable) return undefined
      this.#options.credentials.redactor.remember(variable)
      return { value: variable, origin: `It came from ${entry.keyName}.`, store: 'environment' as const }
    }
    if (entry.environmentFirst && variable && !this.#options.credentials.isOverridden(entry.name))
      return fromEnvironment()
    const kept = await this.#options.credentials.get(entry.name)
    if (kept === undefined) return fromEnvironment()
    const origin = kept.store === 'keychain' ? 'It came from the keychain.' : 'It was entered for this run.'
    return { value: kept.value, origin, store: kept.store }
  }

  async #status(entry: ProviderEntry): Promise<ProviderStatus> {
    const key = await this.#key(entry)
    const found = this.#found?.get(entry.name)
    const configured = (entry.config.models ?? []).map((model) => model.id)
    const ids = new Set([
      ...configured,
      ...(found ?? []),
      ...(entry.vendor === undefined ? [] : knownModelIds(entry.vendor)),
    ])
    return {
      name: entry.name,
      label: entry.label,
      type: entry.type,
      baseUrl: entry.baseUrl,
      key: key?.store ?? (entry.needsKey || entry.keyName !== undefined ? 'missing' : 'none-needed'),
      ...(entry.keyName === undefined ? {} : { keyName: entry.keyName }),
      local: entry.local,
      ...(entry.local ? { reachable: found !== undefined } : {}),
      models: [...ids].map((id) => describeModel(entry.name, id, entry.config.models, entry.vendor)),
    }
  }

  /** Questions that come while one is under way share its answer. */
  #probe(): Promise<void> {
    this.#probing ??= this.#probeOnce().finally(() => {
      this.#probing = undefined
    })
    return this.#probing
  }

  async #probeOnce(): Promise<void> {
    const { Agent } = await import('undici')
    const agent = new Agent({ keepAliveTimeout: 1 })
    try {
      const targets = this.#entries().filter((entry) => entry.local)
      this.#found = await probeLocal(
        targets.map((entry) => ({ name: entry.name, root: rootOf(entry), configured: entry.configured })),
        agent,
      )
    } finally {
      await agent.destroy()
    }
  }
}

const scriptedStatus: ProviderStatus = {
  name: SCRIPTED,
  label: SCRIPTED_LABEL,
  type: 'scripted',
  baseUrl: '',
  key: 'none-needed',
  local: true,
  reachable: true,
  models: [],
}

function split(ref: ModelRef): { name: string; model: string } {
  const colon = ref.indexOf(':')
  if (colon < 1 || colon === ref.length - 1) {
    throw new PlumblineError('invalid_arguments', `${ref} is not a model. Models are written PROVIDER:MODEL.`)
  }
  return { name: ref.slice(0, colon), model: ref.slice(colon + 1) }
}

function missingKey(entry: ProviderEntry): PlumblineError {
  const variable = entry.keyName === undefined ? '' : `, or set ${entry.keyName}`
  return new PlumblineError(
    'key_missing',
    `${entry.name} needs a key and there is none. Add one under Settings, Models${variable}.`,
  )
}
