import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { homedir, hostname } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** The checkout that these scripts belong to. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url)).replace(/[\\/]$/, '')

/** Scratch space of a checkout: on the same device as `out/`, so that a finished build can be renamed into place. */
export const CACHE = path.join(ROOT, '.cache')

/**
 * The folder for what several checkouts share.
 * @param {{ platform?: NodeJS.Platform, env?: NodeJS.ProcessEnv, home?: string }} [on]
 */
export function userCacheFolder({ platform = process.platform, env = process.env, home = homedir() } = {}) {
  if (platform === 'darwin') return path.join(home, 'Library', 'Caches', 'plumbline')
  if (platform === 'win32')
    return path.join(env.LOCALAPPDATA || path.join(home, 'AppData', 'Local'), 'plumbline', 'Cache')
  return path.join(env.XDG_CACHE_HOME || path.join(home, '.cache'), 'plumbline')
}

/**
 * A fingerprint of files and folders by name and content. What does not exist counts too, so that its appearing is a change.
 * @param {string[]} paths relative to `root`
 * @param {string} [root]
 */
export function contentHash(paths, root = ROOT) {
  const hash = createHash('sha256')
  /** @param {string} name */
  const addFile = (name) =>
    hash
      .update(`${name}\0`)
      .update(readFileSync(path.join(root, name)))
      .update('\0')
  for (const name of [...paths].sort()) {
    const full = path.join(root, name)
    if (!existsSync(full)) {
      hash.update(`${name}\0missing\0`)
      continue
    }
    /** @type {string[]} */
    const files = []
    try {
      for (const entry of readdirSync(full, { recursive: true, withFileTypes: true })) {
        if (entry.isFile())
          files.push(path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
      }
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOTDIR') throw error
      files.push(name)
    }
    for (const file of files.sort()) addFile(file)
  }
  return hash.digest('hex')
}

/**
 * What an earlier run left about itself, or nothing when there is none or it can't be read.
 * @param {string} file
 * @returns {Record<string, unknown> | undefined}
 */
export function readStamp(file) {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8'))
    return value && typeof value === 'object' && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * @param {string} file
 * @param {Record<string, unknown>} value
 */
export async function writeStamp(file, value) {
  await mkdir(path.dirname(file), { recursive: true })
  const temporary = `${file}.${process.pid}.tmp`
  await writeFile(temporary, `${JSON.stringify(value, null, 2)}\n`)
  await rename(temporary, file)
}

/**
 * True when every key of `wanted` has the same value in the stamp.
 * @param {Record<string, unknown> | undefined} stamp
 * @param {Record<string, string | number | boolean>} wanted
 */
export function stampMatches(stamp, wanted) {
  return stamp !== undefined && Object.entries(wanted).every(([key, value]) => stamp[key] === value)
}

/** @param {number} pid */
export function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

const HEARTBEAT_MS = 2000
/** A holder in another container can't be asked whether it lives; one that stays silent this long does not. */
const SILENT_MS = 20_000

/**
 * Runs `work` while no other process does so under the same lock. A holder that died is noticed and its lock taken over.
 * @template T
 * @param {string} folder becomes the lock
 * @param {() => Promise<T>} work
 * @param {{ onWait?: () => void }} [options]
 * @returns {Promise<T>}
 */
export async function withLock(folder, work, { onWait } = {}) {
  await mkdir(path.dirname(folder), { recursive: true })
  const owner = path.join(folder, 'owner.json')
  const me = { pid: process.pid, host: hostname(), at: Date.now() }
  for (let waited = false; ; ) {
    try {
      await mkdir(folder)
      break
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
    }
    if (await isAbandoned(folder, owner)) {
      // Renamed first: of two processes that see the same dead lock only one can do so.
      const grave = `${folder}.${process.pid}.dead`
      await rename(folder, grave).then(
        () => rm(grave, { recursive: true, force: true }),
        () => undefined,
      )
      continue
    }
    if (!waited) onWait?.()
    waited = true
    await delay(250)
  }
  await writeFile(owner, JSON.stringify(me))
  const heartbeat = setInterval(() => utimes(folder, new Date(), new Date()).catch(() => undefined), HEARTBEAT_MS)
  heartbeat.unref()
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * @param {string} folder
 * @param {string} owner
 */
async function isAbandoned(folder, owner) {
  const info = await stat(folder).catch(() => undefined)
  if (!info) return false
  if (Date.now() - info.mtimeMs > SILENT_MS) return true
  const holder = readStamp(owner)
  return holder !== undefined && holder.host === hostname() && typeof holder.pid === 'number' && !isAlive(holder.pid)
}
