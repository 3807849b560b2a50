import { chmod, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { isSystemError, PlumblineError, toFailure } from '../platform/errors'
import { makeFolderWithParents } from '../platform/make-folder'

/** Where all state is kept: `PLUMBLINE_HOME`, else `.plumbline` in the person's folder. Absolute. */
export function plumblineHome(
  env: Readonly<Record<string, string | undefined>> = process.env,
  userHome = os.homedir(),
): string {
  const configured = env.PLUMBLINE_HOME?.trim()
  return path.resolve(configured ? configured : path.join(userHome, '.plumbline'))
}

/** Makes the folder, readable by its owner only. A folder that others could read is closed to them. */
export async function ensureHome(home: string): Promise<void> {
  try {
    await makeFolderWithParents(home, { mode: 0o700 })
  } catch (thrown) {
    const { code, message } = toFailure(thrown)
    const blocked = isSystemError(thrown) && (thrown.code === 'EEXIST' || thrown.code === 'ENOTDIR')
    throw new PlumblineError(
      code,
      `The folder for settings and sessions, ${home}, can't be made. ${blocked ? 'A file is in its way.' : message} Point PLUMBLINE_HOME to a folder that you can write.`,
      { cause: thrown },
    )
  }
  if (process.platform === 'win32') return
  const { mode, uid } = await stat(home)
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) await chmod(home, 0o700)
}

/** The policy file of the machine's administrator; it wins over everything and only they can write it. */
export function managedSettingsFile(
  platform: NodeJS.Platform = process.platform,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  if (platform === 'darwin') return '/Library/Application Support/Plumbline/settings.json'
  if (platform === 'win32') return path.win32.join(env.ProgramData ?? 'C:\\ProgramData', 'Plumbline', 'settings.json')
  return '/etc/plumbline/settings.json'
}

/** Where what can be made again is kept for all checkouts, such as the Electron runtime. Absolute. */
export function cacheFolder(
  platform: NodeJS.Platform = process.platform,
  env: Readonly<Record<string, string | undefined>> = process.env,
  userHome = os.homedir(),
): string {
  if (platform === 'darwin') return path.join(userHome, 'Library', 'Caches', 'plumbline')
  if (platform === 'win32')
    return path.join(env.LOCALAPPDATA ?? path.join(userHome, 'AppData', 'Local'), 'plumbline', 'Cache')
  return path.join(env.XDG_CACHE_HOME ?? path.join(userHome, '.cache'), 'plumbline')
}
