/** What a child process gets of this process's environment. `inherit` still loses secret-shaped names. */
export type EnvironmentProfile = 'core' | 'inherit' | 'none'

export interface EnvironmentOptions {
  profile?: EnvironmentProfile
  /** Names that pass although they look like secrets or are not in the profile. */
  allow?: readonly string[]
  /** Names that never pass. */
  deny?: readonly string[]
  platform?: NodeJS.Platform
  /** Where names come from; this process by default. */
  from?: Readonly<Record<string, string | undefined>>
}

const CORE_NAMES: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'LANG',
  'TERM',
  'TMPDIR',
  'USER',
  'LOGNAME',
  'SHELL',
  'TZ',
])

/** Without these hardly any Windows program starts. */
const CORE_NAMES_WINDOWS: ReadonlySet<string> = new Set([
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'TEMP',
  'TMP',
  'USERPROFILE',
  'USERNAME',
  'HOMEDRIVE',
  'HOMEPATH',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'PROGRAMW6432',
  'OS',
  'NUMBER_OF_PROCESSORS',
  'PROCESSOR_ARCHITECTURE',
])

const SECRET_SHAPED =
  /(^|_)(API_?KEYS?|KEYS?|TOKENS?|SECRETS?|CREDENTIALS?|PASSPHRASE|AUTH|COOKIE|DSN)$|KEY$|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|PRIVATE_?KEY/i

/** No program may wait for a person: pagers print, editors and prompts refuse. */
const QUIET: Readonly<Record<string, string>> = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  AWS_PAGER: '',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'false',
  GIT_SEQUENCE_EDITOR: 'false',
  EDITOR: 'false',
  VISUAL: 'false',
  GIT_ASKPASS: 'false',
  SSH_ASKPASS: 'false',
  GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
  DEBIAN_FRONTEND: 'noninteractive',
  TERM: 'dumb',
}

/** A name that secrets are usually kept under (SHELL-07). */
export function isSecretShaped(name: string): boolean {
  return SECRET_SHAPED.test(name)
}

/**
 * The environment of a child process: the profile's names, without anything that looks like a secret, with pagers,
 * editors and prompts switched off, and `overlay` (what the call itself asked for) on top.
 */
export function childEnvironment(
  overlay: Readonly<Record<string, string>> = {},
  options: EnvironmentOptions = {},
): Record<string, string> {
  const from = options.from ?? process.env
  const result: Record<string, string> = {}
  for (const [name, value] of Object.entries(from)) {
    if (value !== undefined && passes(name, options)) result[name] = value
  }
  return { ...result, ...QUIET, ...overlay }
}

/** The environment of a terminal that a person types into: as theirs, without secret-shaped names, nothing silenced. */
export function terminalEnvironment(options: EnvironmentOptions = {}): Record<string, string> {
  const from = options.from ?? process.env
  const result: Record<string, string> = {}
  for (const [name, value] of Object.entries(from)) {
    if (value === undefined || name.startsWith('ELECTRON_') || name === 'NODE_OPTIONS') continue
    if (passes(name, { ...options, profile: 'inherit' })) result[name] = value
  }
  return { ...result, TERM: 'xterm-256color', COLORTERM: 'truecolor' }
}

function passes(name: string, options: EnvironmentOptions): boolean {
  if (options.deny?.includes(name) === true) return false
  if (options.allow?.includes(name) === true) return true
  if (isSecretShaped(name)) return false
  const profile = options.profile ?? 'core'
  if (profile === 'inherit') return true
  if (profile === 'none') return false
  const upper = name.toUpperCase()
  const windows = (options.platform ?? process.platform) === 'win32'
  if (windows) return CORE_NAMES.has(upper) || CORE_NAMES_WINDOWS.has(upper)
  return CORE_NAMES.has(name) || name.startsWith('LC_')
}
