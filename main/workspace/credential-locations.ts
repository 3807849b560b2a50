import type { PathRules } from './path-rules'

/** Below the home folder, with `/`: files and folders that no tool reads or writes (PERM-16). */
const IN_HOME: readonly string[] = [
  '.ssh',
  '.aws',
  '.config/gh',
  '.netrc',
  '_netrc',
  '.o4/settings.json',
  '.gnupg',
  '.kube',
  '.docker/config.json',
  '.config/gcloud',
  '.azure',
  '.npmrc',
  '.pypirc',
  '.git-credentials',
  '.config/git/credentials',
  '.config/hub',
  '.config/op',
  '.password-store',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.local/share/keyrings',
  '.atomic/agent/auth.json',
  '.atomic/agent/mcp-auth.json',
  '.pi/agent/auth.json',
  '.codex/auth.json',
  '.claude/.credentials.json',
  '.plumbline/settings.json',
  '.plumbline/trust.json',
  '.mozilla',
  '.config/google-chrome',
  '.config/chromium',
  '.config/BraveSoftware',
  '.config/microsoft-edge',
]

const IN_HOME_DARWIN: readonly string[] = [
  'Library/Keychains',
  'Library/Application Support/Firefox',
  'Library/Application Support/Google/Chrome',
  'Library/Application Support/BraveSoftware',
  'Library/Application Support/Microsoft Edge',
  'Library/Cookies',
]

const IN_HOME_WINDOWS: readonly string[] = [
  'AppData/Roaming/Mozilla',
  'AppData/Local/Google/Chrome/User Data',
  'AppData/Local/BraveSoftware',
  'AppData/Local/Microsoft/Edge/User Data',
  'AppData/Roaming/Microsoft/Credentials',
  'AppData/Local/Microsoft/Credentials',
  'AppData/Roaming/Microsoft/Protect',
  'AppData/Roaming/gcloud',
  'AppData/Roaming/GitHub CLI',
]

/**
 * The credential locations of a machine as absolute paths: the list above under `home`, and the program's own settings
 * and trust files under `ownFolder` when that was moved.
 */
export function credentialLocations(
  home: string,
  platform: NodeJS.Platform,
  rules: PathRules,
  ownFolder?: string,
): string[] {
  const names = [
    ...IN_HOME,
    ...(platform === 'darwin' ? IN_HOME_DARWIN : []),
    ...(platform === 'win32' ? IN_HOME_WINDOWS : []),
  ]
  const inHome = home === '' ? [] : names.map((name) => rules.path.join(home, ...name.split('/')))
  const own =
    ownFolder === undefined ? [] : ['settings.json', 'trust.json'].map((name) => rules.path.join(ownFolder, name))
  return [...inHome, ...own]
}
