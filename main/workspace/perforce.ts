import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { type PathRules, pathRules } from './path-rules'

/** Largest settings file that is read, in bytes: 64 KiB. */
const MAX_SETTINGS_BYTES = 64 * 1024

/** Rule files taken from one `P4IGNORE`. */
const MAX_RULE_FILES = 32

/** How long an answer of the Windows registry counts, and how long it may take, in milliseconds. */
const REGISTRY_TTL_MS = 60_000
const REGISTRY_TIMEOUT_MS = 2_000

/** Rule files where `P4IGNORE` is not set, in order. */
const DEFAULT_RULE_FILES = ['.p4ignore', 'p4ignore.txt']

/** What Perforce's settings say about a folder (FIND-13 to FIND-15). */
export interface PerforceSettings {
  /** Rule files looked for in each folder, relative, in order; later ones go before. */
  readonly relative: readonly string[]
  /** Rule files for everything, absolute, in order. */
  readonly absolute: readonly string[]
  /** The topmost folder whose relative rule files count: where the configuration or `.p4root` lies. */
  readonly top: string | undefined
  /** Names that are never shown. */
  readonly neverShown: ReadonlySet<string>
}

export interface PerforceMachine {
  readonly environment: NodeJS.ProcessEnv
  readonly platform?: NodeJS.Platform
  readonly home?: string
  /** A value of the registry, the user's before the system's. */
  readonly registry?: (name: string) => string | undefined
}

/**
 * Finds Perforce's settings for a folder: the configuration file, then the environment file, then the environment, then
 * the Windows registry; the first that names a variable decides. Reads little and starts nothing, except the registry's
 * own program on Windows.
 */
export function perforceSettings(root: string, machine: PerforceMachine): PerforceSettings {
  const platform = machine.platform ?? process.platform
  const rules = pathRules(platform)
  const registry = machine.registry ?? (platform === 'win32' ? windowsRegistry : () => undefined)
  const outside = (name: string) => nonEmpty(machine.environment[name]) ?? nonEmpty(registry(name))
  const enviro = readSettings(enviroFile(outside('P4ENVIRO'), machine, platform, rules))
  const configName = nonEmpty(enviro.get('P4CONFIG')) ?? outside('P4CONFIG')
  const config = configName === undefined ? undefined : findUpwards(root, configName, rules)
  const own = config === undefined ? new Map<string, string>() : readSettings(config)
  const list = nonEmpty(own.get('P4IGNORE')) ?? nonEmpty(enviro.get('P4IGNORE')) ?? outside('P4IGNORE')
  const configFolder = config === undefined ? undefined : rules.path.dirname(config)
  const files = ruleFiles(list, configFolder)
  const marker = findUpwards(root, '.p4root', rules)
  return {
    relative: files.filter((file) => !rules.path.isAbsolute(file)),
    absolute: files.filter((file) => rules.path.isAbsolute(file)),
    top: configFolder ?? (marker === undefined ? undefined : rules.path.dirname(marker)),
    neverShown: new Set(
      configName === undefined ? ['.p4root'] : ['.p4root', '.p4config', rules.path.basename(configName)],
    ),
  }
}

function ruleFiles(list: string | undefined, configFolder: string | undefined): string[] {
  const given = list
    ?.split(';')
    .map((file) => file.trim())
    .filter((file) => file !== '')
    .map((file) => (configFolder === undefined ? file : file.replaceAll('$configdir', configFolder)))
  return given === undefined || given.length === 0 ? DEFAULT_RULE_FILES : given.slice(0, MAX_RULE_FILES)
}

/** Windows and macOS have no default place. */
function enviroFile(
  given: string | undefined,
  machine: PerforceMachine,
  platform: NodeJS.Platform,
  rules: PathRules,
): string | undefined {
  if (given !== undefined) return rules.path.isAbsolute(given) ? given : undefined
  if (platform === 'win32' || platform === 'darwin') return undefined
  return rules.path.join(machine.home ?? machine.environment.HOME ?? homedir(), '.p4enviro')
}

/** The nearest file of that name in a folder or above; a path with folders is taken below each of them. */
function findUpwards(from: string, name: string, rules: PathRules): string | undefined {
  if (rules.path.isAbsolute(name)) return exists(name) ? name : undefined
  for (let folder = from; ; folder = rules.path.dirname(folder)) {
    const file = rules.path.join(folder, name)
    if (exists(file)) return file
    if (rules.path.dirname(folder) === folder) return undefined
  }
}

function exists(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/** `NAME=value` lines; `#` begins a comment. */
function readSettings(file: string | undefined): Map<string, string> {
  const settings = new Map<string, string>()
  for (const line of (file === undefined ? '' : readBounded(file)).split(/\r?\n/)) {
    const found = /^\s*([A-Za-z0-9_]+)\s*=\s*(.*?)\s*$/.exec(line)
    if (found?.[1] !== undefined && found[2] !== undefined) settings.set(found[1].toUpperCase(), found[2])
  }
  return settings
}

function readBounded(file: string): string {
  try {
    const stats = statSync(file)
    return stats.isFile() && stats.size <= MAX_SETTINGS_BYTES ? readFileSync(file, 'utf8') : ''
  } catch {
    return ''
  }
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim()
}

const asked = new Map<string, { value: string | undefined; until: number }>()

/** Where `p4 set` keeps its values: the user's, then the system's. */
function windowsRegistry(name: string): string | undefined {
  const known = asked.get(name)
  if (known !== undefined && known.until > Date.now()) return known.value
  const value =
    queryRegistry('HKCU\\Software\\Perforce\\environment', name) ??
    queryRegistry('HKLM\\Software\\Perforce\\environment', name)
  asked.set(name, { value, until: Date.now() + REGISTRY_TTL_MS })
  return value
}

function queryRegistry(key: string, name: string): string | undefined {
  try {
    const program = `${process.env.SystemRoot ?? 'C:\\Windows'}\\System32\\reg.exe`
    const output = execFileSync(program, ['query', key, '/v', name], {
      encoding: 'utf8',
      timeout: REGISTRY_TIMEOUT_MS,
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return registryValue(output, name)
  } catch {
    return undefined
  }
}

/** The value in what the registry's program prints. */
export function registryValue(output: string, name: string): string | undefined {
  const line = output.split(/\r?\n/).find((text) => text.trim().toUpperCase().startsWith(`${name.toUpperCase()} `))
  return nonEmpty(line?.replace(/^\s*\S+\s+REG_(?:EXPAND_)?SZ\s+/, ''))
}
