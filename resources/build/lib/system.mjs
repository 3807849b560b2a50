import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { CACHE, readStamp, writeStamp } from './files.mjs'
import { capture, lastLines } from './processes.mjs'
import { StepError } from './steps.mjs'

export const MINIMUM_NODE = '20.19.0'

/**
 * @param {string} version
 * @param {string} [minimum]
 */
export function nodeIsNewEnough(version, minimum = MINIMUM_NODE) {
  const have = version.replace(/^v/, '').split('.').map(Number)
  const want = minimum.split('.').map(Number)
  for (const [index, wanted] of want.entries()) {
    const found = have[index] ?? 0
    if (found !== wanted) return found > wanted
  }
  return true
}

/** @typedef {'build' | 'window' | 'display' | 'sandbox' | 'keychain' | 'keychainBuild' | 'keychainTest'} Need */

/**
 * What a need consists of on Debian and its children: names of the same package through the releases, newest first, or a program.
 * @type {Record<Need, { packages: string[][], programs: string[], for: string }>}
 */
const NEEDS = {
  build: {
    packages: [['g++'], ['make'], ['python3']],
    programs: ['g++', 'make', 'python3'],
    for: 'compiling native modules',
  },
  window: {
    packages: [
      ['libgtk-3-0t64', 'libgtk-3-0'],
      ['libnss3'],
      ['libasound2t64', 'libasound2'],
      ['libgbm1'],
      ['libxss1'],
      ['libxtst6t64', 'libxtst6'],
    ],
    programs: [],
    for: 'the window',
  },
  display: { packages: [['xvfb'], ['xauth']], programs: ['Xvfb', 'xauth'], for: 'tests of the window' },
  sandbox: { packages: [['bubblewrap']], programs: ['bwrap'], for: 'the sandbox of commands' },
  keychain: { packages: [['libsecret-1-0']], programs: [], for: 'the keychain' },
  keychainBuild: { packages: [['libsecret-1-dev']], programs: [], for: 'building the keychain module' },
  keychainTest: {
    packages: [['dbus-x11'], ['gnome-keyring']],
    programs: ['dbus-daemon', 'gnome-keyring-daemon'],
    for: 'tests of the keychain',
  },
}

/**
 * `debian` for Debian, Ubuntu and what says that it is like them.
 * @param {string} osRelease the content of /etc/os-release
 */
export function distributionFamily(osRelease) {
  const fields = new Map(
    osRelease.split('\n').flatMap((line) => {
      const match = /^([A-Z_]+)=("?)(.*?)\2\s*$/.exec(line)
      return match ? [[match[1] ?? '', match[3] ?? '']] : []
    }),
  )
  const names = `${fields.get('ID') ?? ''} ${fields.get('ID_LIKE') ?? ''}`.split(/\s+/)
  return names.includes('debian') || names.includes('ubuntu') ? 'debian' : 'other'
}

/**
 * Which packages are missing, each by its alternatives.
 * @param {Need[]} needs
 * @param {ReadonlySet<string>} installed
 * @returns {string[][]}
 */
export function missingPackages(needs, installed) {
  return needs.flatMap((need) => NEEDS[need].packages).filter((names) => !names.some((name) => installed.has(name)))
}

/**
 * The name to install: the first that this release offers, else the oldest, which apt then complains about by name.
 * @param {string[]} alternatives
 * @param {ReadonlySet<string>} offered
 */
export function choosePackage(alternatives, offered) {
  return alternatives.find((name) => offered.has(name)) ?? /** @type {string} */ (alternatives.at(-1))
}

/**
 * Names with an installation candidate in the output of `apt-cache policy`.
 * @param {string} policy
 */
export function offeredPackages(policy) {
  const offered = new Set()
  let name = ''
  for (const line of policy.split('\n')) {
    const heading = /^(\S+):$/.exec(line)
    if (heading) name = heading[1] ?? ''
    else if (/^ {2}Candidate: (?!\(none\))/.test(line)) offered.add(name)
  }
  return offered
}

/**
 * Installed names in the output of `dpkg-query -W -f '${db:Status-Status} ${Package}\n'`.
 * @param {string} listing
 */
export function installedPackages(listing) {
  return new Set(listing.split('\n').flatMap((line) => (line.startsWith('installed ') ? [line.slice(10)] : [])))
}

/** @param {string} name */
export function onPath(name) {
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => folder && existsSync(path.join(folder, name)))
}

/** Whether a window can be shown here. */
export function hasDisplay(platform = process.platform, env = process.env) {
  return platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
}

const RETRY_AFTER_MS = 24 * 60 * 60 * 1000

/**
 * Makes the system libraries and compilers present, or says how.
 * @param {{ essential: Need[], useful: Need[] }} wanted
 * @returns {Promise<string>}
 */
export async function ensureSystem({ essential, useful }) {
  if (process.platform === 'darwin') {
    if (!essential.includes('build')) return 'nothing needed'
    const tools = await capture('xcode-select', ['-p'])
    if (tools.code === 0) return 'Xcode command line tools found'
    throw new StepError(
      'The compilers for native modules are missing.',
      'run "xcode-select --install", then this again',
    )
  }
  if (process.platform === 'win32') return 'not checked on Windows (native modules have prebuilt files)'
  const family = existsSync('/etc/os-release') ? distributionFamily(readFileSync('/etc/os-release', 'utf8')) : 'other'
  if (family !== 'debian') return checkPrograms(essential, useful)

  const all = [...new Set([...essential, ...useful])]
  let missing = missingPackages(all, await listInstalled(all))
  if (missing.length === 0) return 'all present'
  const root = process.getuid?.() === 0
  if (!root) {
    const names = await chooseAll(missing)
    const command = `sudo apt-get update && sudo apt-get install -y --no-install-recommends ${names.join(' ')}`
    const blocking =
      missingPackages(essential, await listInstalled(essential)).length > 0 && !(await satisfiedOtherwise(essential))
    if (blocking) throw new StepError(`Missing: ${names.join(', ')}.`, `run: ${command}`)
    return `goes on without ${names.join(', ')}; to have it, run: ${command}`
  }
  if (!onPath('apt-get')) return checkPrograms(essential, useful)
  const blocking = missingPackages(essential, await listInstalled(essential)).length > 0
  const attempt = path.join(CACHE, 'system.json')
  const wanted = missing.flat().join(' ')
  const before = readStamp(attempt)
  if (!blocking && before?.wanted === wanted && Date.now() - Number(before.at) < RETRY_AFTER_MS) {
    return `goes on without ${missing.map((names) => names.at(-1)).join(', ')}, which could not be installed a while ago`
  }
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  // An earlier installation that was cut off would make the next one refuse.
  await capture('dpkg', ['--configure', '-a'], { env: environment })
  const update = await capture('apt-get', ['-o', 'DPkg::Lock::Timeout=300', '-q', 'update'], { env: environment })
  const names = await chooseAll(missing)
  const install = await capture(
    'apt-get',
    ['-o', 'DPkg::Lock::Timeout=300', '-q', '-y', '--no-install-recommends', 'install', ...names],
    { env: environment },
  )
  if (install.code === 0) return `installed ${names.join(', ')}`
  missing = missingPackages(essential, await listInstalled(essential))
  const said = lastLines(`${update.code ? update.output : ''}\n${install.output}`, 12)
  if (missing.length > 0 && !(await satisfiedOtherwise(essential))) {
    throw new StepError(
      `apt-get could not install ${names.join(', ')}.`,
      `mend what apt-get says, then run: apt-get update && apt-get install -y ${names.join(' ')}`,
      said,
    )
  }
  await writeStamp(attempt, { wanted, at: Date.now() })
  return `could not install all of ${names.join(', ')}, goes on without; apt-get said: ${lastLines(install.output, 1)}`
}

/**
 * Programs may come from somewhere else than the distribution's packages.
 * @param {Need[]} needs
 */
async function satisfiedOtherwise(needs) {
  return needs.every((need) => NEEDS[need].programs.length > 0 && NEEDS[need].programs.every(onPath))
}

/** @param {Need[]} needs */
async function listInstalled(needs) {
  const names = needs.flatMap((need) => NEEDS[need].packages.flat())
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholders are dpkg's own
  const format = '${db:Status-Status} ${Package}\n'
  const { stdout } = await capture('dpkg-query', ['-W', '-f', format, ...names])
  return installedPackages(stdout)
}

/** @param {string[][]} missing */
async function chooseAll(missing) {
  const { stdout } = await capture('apt-cache', ['policy', ...missing.flat()], { env: { ...process.env, LC_ALL: 'C' } })
  const offered = offeredPackages(stdout)
  return missing.map((alternatives) => choosePackage(alternatives, offered))
}

/**
 * @param {Need[]} essential
 * @param {Need[]} useful
 */
function checkPrograms(essential, useful) {
  /** @param {Need} need */
  const lacks = (need) => NEEDS[need].programs.filter((program) => !onPath(program))
  const blocking = essential.flatMap((need) => lacks(need).map((program) => `${program} (for ${NEEDS[need].for})`))
  if (blocking.length > 0) {
    throw new StepError(
      `Missing: ${blocking.join(', ')}.`,
      'install these with your system’s package manager, then run this again',
    )
  }
  const absent = useful.flatMap((need) => lacks(need).map((program) => `${program} (for ${NEEDS[need].for})`))
  const libraries = essential.includes('window')
    ? '; libraries of the window (GTK 3, NSS, ALSA, GBM) are not checked on this system'
    : ''
  return absent.length > 0 ? `goes on without ${absent.join(', ')}${libraries}` : `programs found${libraries}`
}
