import type { SettingsValues } from '../settings/schema'
import { dialects, type WireType } from './dialects'
import { DEFAULT_LIMITS, LOCAL_LIMITS } from './limits'
import { baseUrlOfHost, localServers } from './local-servers'
import { isLoopback } from './loopback-address'
import type { ProviderLimits } from './types'

type Environment = Readonly<Record<string, string | undefined>>
type ProviderConfig = SettingsValues['providers'][string]

/** A provider that can be used, with everything that settings and environment say about it. */
export interface ProviderEntry {
  name: string
  label: string
  type: WireType
  baseUrl: string
  /** Whose models it serves; undefined for servers of one's own. */
  vendor: 'openai' | 'anthropic' | undefined
  /** On this machine. */
  local: boolean
  /** The address is not a default of ours. */
  configured: boolean
  /** The environment variable that may hold a key. */
  keyName: string | undefined
  /** The environment goes first: the person named the variable. */
  environmentFirst: boolean
  /** Without a key nothing is sent. */
  needsKey: boolean
  config: ProviderConfig
  limits: ProviderLimits
}

const vendors = [
  { name: 'openai', label: 'OpenAI', type: 'openai-responses', url: 'https://api.openai.com/v1', prefix: 'OPENAI' },
  {
    name: 'anthropic',
    label: 'Anthropic',
    type: 'anthropic-messages',
    url: 'https://api.anthropic.com',
    prefix: 'ANTHROPIC',
  },
] as const

/** Built-in names that settings of one's own can't take. */
export const SCRIPTED = 'scripted'

/** All providers, built-in ones first. One of the settings without `type` or `baseUrl` can't be used and is left out. */
export function providerEntries(settings: Pick<SettingsValues, 'providers'>, env: Environment): ProviderEntry[] {
  const entries: ProviderEntry[] = []
  for (const { name, label, type, url, prefix } of vendors) {
    const config = settings.providers[name] ?? {}
    const baseUrl = env[`${prefix}_BASE_URL`]?.trim() || config.baseUrl || url
    const keyName = config.apiKeyEnv ?? `${prefix}_API_KEY`
    entries.push(
      entry({
        name,
        label,
        type,
        vendor: name,
        baseUrl,
        keyName,
        config,
        needsKey: baseUrl === url,
        configured: baseUrl !== url,
      }),
    )
  }
  for (const { name, label, baseUrl, env: variable, port } of localServers) {
    const config = settings.providers[name] ?? {}
    const chosen = baseUrlOfHost(env[variable] ?? '', port) ?? config.baseUrl
    entries.push(
      entry({
        name,
        label,
        type: 'openai-chat',
        baseUrl: chosen ?? baseUrl,
        keyName: config.apiKeyEnv,
        config,
        configured: chosen !== undefined,
      }),
    )
  }
  const taken = new Set([SCRIPTED, ...entries.map((known) => known.name)])
  for (const [name, config] of Object.entries(settings.providers)) {
    if (taken.has(name) || config.type === undefined || config.baseUrl === undefined) continue
    entries.push(
      entry({ name, label: name, type: config.type, baseUrl: config.baseUrl, keyName: config.apiKeyEnv, config }),
    )
  }
  return entries
}

type EntryStart = Pick<ProviderEntry, 'name' | 'label' | 'type' | 'baseUrl' | 'keyName' | 'config'> &
  Partial<Pick<ProviderEntry, 'vendor' | 'needsKey' | 'configured'>>

function entry(start: EntryStart): ProviderEntry {
  const local = isLoopback(start.baseUrl)
  const limits: ProviderLimits = { ...(local && start.vendor === undefined ? LOCAL_LIMITS : DEFAULT_LIMITS) }
  const { connectMs, idleMs, progressMs, maxRetries, maxStreamBytes } = start.config.limits ?? {}
  if (connectMs !== undefined) limits.connectMs = connectMs
  if (idleMs !== undefined) limits.idleMs = idleMs
  if (progressMs !== undefined) limits.progressMs = progressMs
  if (maxRetries !== undefined) limits.maxRetries = maxRetries
  if (maxStreamBytes !== undefined) limits.maxStreamBytes = maxStreamBytes
  return {
    ...start,
    label: start.config.label ?? start.label,
    type: start.config.type ?? start.type,
    vendor: start.vendor,
    local,
    environmentFirst: start.vendor === undefined,
    needsKey: start.needsKey ?? false,
    configured: start.configured ?? true,
    limits,
  }
}

/** The root of the API's paths. */
export function rootOf(entry: Pick<ProviderEntry, 'type' | 'baseUrl'>): string {
  return dialects[entry.type].root(entry.baseUrl)
}
