import type { SettingsIssue } from '../../preload/contract/settings'
import {
  defaultSettings,
  type HookEvent,
  type HookSettings,
  hookEvents,
  type SettingsFile,
  type SettingsValues,
} from './schema'

/** Where settings come from, weakest first. */
export const settingsSources = ['user', 'project', 'settings-file', 'command-line', 'managed'] as const
export type SettingsSource = (typeof settingsSources)[number]

export interface SettingsLayer {
  source: SettingsSource
  /** Absolute; absent for the command line. */
  file?: string
  values: SettingsFile
}

/** A permission rule and where it came from. */
export interface RuleEntry {
  kind: 'allow' | 'ask' | 'deny'
  text: string
  source: 'managed' | 'command-line' | 'project' | 'user'
  file?: string
}

/** A command hook and where it came from, in the order in which hooks run. */
export interface HookEntry extends HookSettings {
  event: HookEvent
  source: SettingsSource
  file?: string
}

/** Everything that is in force somewhere. */
export interface ResolvedSettings {
  values: SettingsValues
  issues: SettingsIssue[]
  rules: RuleEntry[]
  hooks: HookEntry[]
}

/** Lists that add up over the layers; other lists replace. */
const ADDED_UP: ReadonlySet<string> = new Set([
  'permissions.allow',
  'permissions.ask',
  'permissions.deny',
  'sandbox.deny_read',
  'sandbox.denied_hosts',
])

/** What is in force once all layers are laid over the defaults, weakest first. */
export function resolveLayers(layers: readonly SettingsLayer[], issues: readonly SettingsIssue[]): ResolvedSettings {
  let merged: Record<string, unknown> = { ...defaultSettings }
  for (const layer of layers) merged = mergeObjects(merged, layer.values, '', layer.source)
  return {
    values: withDefaults(merged),
    issues: [...issues],
    rules: collectRules(layers),
    hooks: hookEvents.flatMap((event) => collectHooks(layers, event)),
  }
}

function mergeObjects(low: object, high: object, at: string, source: SettingsSource): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...low }
  for (const [key, value] of Object.entries(high)) {
    if (value === undefined) continue
    const path = at === '' ? key : `${at}.${key}`
    const below = merged[key]
    if (isObject(below) && isObject(value)) merged[key] = mergeObjects(below, value, path, source)
    else if (Array.isArray(below) && Array.isArray(value) && addsUp(path, source)) merged[key] = [...below, ...value]
    else merged[key] = value
  }
  return merged
}

/** The administrator's allow list is the only one that counts where there is one. */
function addsUp(path: string, source: SettingsSource): boolean {
  if (path === 'permissions.allow' && source === 'managed') return false
  return ADDED_UP.has(path) || path.startsWith('hooks.')
}

/** The layers were checked one by one and merging keeps their shapes; this says so to the checker. */
function withDefaults(merged: Record<string, unknown>): SettingsValues {
  return { ...defaultSettings, ...merged }
}

function collectRules(layers: readonly SettingsLayer[]): RuleEntry[] {
  const managedAllows = layers.some(
    (layer) => layer.source === 'managed' && layer.values.permissions?.allow !== undefined,
  )
  const kinds = ['deny', 'ask', 'allow'] as const
  return layers.flatMap((layer) =>
    kinds.flatMap((kind) => {
      if (kind === 'allow' && managedAllows && layer.source !== 'managed') return []
      const source = layer.source === 'settings-file' ? 'command-line' : layer.source
      return (layer.values.permissions?.[kind] ?? []).map((text) => withFile({ kind, text, source }, layer.file))
    }),
  )
}

function collectHooks(layers: readonly SettingsLayer[], event: HookEvent): HookEntry[] {
  return layers.flatMap((layer) =>
    (layer.values.hooks?.[event] ?? []).map((hook) => withFile({ ...hook, event, source: layer.source }, layer.file)),
  )
}

function withFile<Entry extends object>(entry: Entry, file: string | undefined): Entry & { file?: string } {
  return file === undefined ? entry : { ...entry, file }
}

/** Keys that a project's file may not set, each with the reason. Gives what is left. */
export function restrictProject(values: SettingsFile, say: (key: string, message: string) => void): SettingsFile {
  const left = structuredClone(values)
  const ownOnly = (key: string) =>
    say(key, `"${key}" counts in your own settings only. It is ignored, the rest of the file counts.`)
  for (const key of ['providers', 'trust', 'network'] as const) {
    if (left[key] === undefined) continue
    ownOnly(key)
    delete left[key]
  }
  if (left.sandbox?.tier === 'off') {
    ownOnly('sandbox.tier')
    delete left.sandbox.tier
  }
  if (left.mode === 'bypass' || left.mode === 'auto') {
    ownOnly('mode')
    delete left.mode
  }
  if (left.environment?.env_allow !== undefined) {
    ownOnly('environment.env_allow')
    delete left.environment.env_allow
  }
  for (const event of hookEvents) {
    for (const hook of left.hooks?.[event] ?? []) {
      if (hook.trusted !== true) continue
      ownOnly(`hooks.${event}.trusted`)
      delete hook.trusted
    }
  }
  return left
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
