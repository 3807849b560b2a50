import { existsSync } from 'node:fs'
import { PlumblineError } from '../platform/errors'

/** What keeps secrets for the person's account. */
export interface Keychain {
  get(account: string): Promise<string | null>
  set(account: string, secret: string): Promise<void>
  /** Deleting what is not there is no error. */
  delete(account: string): Promise<void>
}

/** The functions of keytar that are used. */
export interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, password: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
}

/** Under this name the entries stand in the system's own key management. */
export const KEYCHAIN_SERVICE = 'plumbline'

/**
 * Loads the native module. It is optional: its build may have failed, or its library may be missing. Throws
 * `keychain_unavailable` with the reason.
 */
export async function loadSystemKeychain(
  platform: NodeJS.Platform = process.platform,
  env: Readonly<Record<string, string | undefined>> = process.env,
  load: () => Promise<Keytar> = loadKeytar,
): Promise<Keychain> {
  if (platform === 'linux' && !hasSessionBus(env)) {
    // Without this the library starts a bus of its own, which nobody ends.
    throw new PlumblineError('keychain_unavailable', 'This session has no D-Bus, so there is no secret service.')
  }
  let keytar: Keytar
  try {
    keytar = await load()
  } catch (thrown) {
    const reason = thrown instanceof Error ? (thrown.message.split('\n')[0] ?? '') : String(thrown)
    throw new PlumblineError('keychain_unavailable', `The keychain module can't be loaded: ${reason}`, {
      cause: thrown,
    })
  }
  return {
    get: (account) => keytar.getPassword(KEYCHAIN_SERVICE, account),
    set: (account, secret) => keytar.setPassword(KEYCHAIN_SERVICE, account, secret),
    delete: async (account) => {
      await keytar.deletePassword(KEYCHAIN_SERVICE, account)
    },
  }
}

async function loadKeytar(): Promise<Keytar> {
  return (await import('keytar')).default
}

function hasSessionBus(env: Readonly<Record<string, string | undefined>>): boolean {
  const address = env.DBUS_SESSION_BUS_ADDRESS
  // Chromium writes `disabled:` there when it finds none.
  if (address) return !address.startsWith('disabled:')
  return env.XDG_RUNTIME_DIR !== undefined && existsSync(`${env.XDG_RUNTIME_DIR}/bus`)
}

/** How people know the place. */
export function keychainLabel(platform: NodeJS.Platform = process.platform): string {
  if (platform === 'darwin') return 'macOS Keychain'
  if (platform === 'win32') return 'Windows Credential Manager'
  return 'Secret Service'
}
