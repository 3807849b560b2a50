import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { CACHE, contentHash, ROOT, readStamp, stampMatches, writeStamp } from './files.mjs'
import { capture, lastLines } from './processes.mjs'
import { StepError } from './steps.mjs'

const MODULES = path.join(ROOT, 'node_modules')
/** Inside node_modules, so that whatever removes the packages removes the claim that they are there. */
const STAMP = path.join(MODULES, '.plumbline', 'packages.json')
const RUNNING = path.join(CACHE, 'npm.json')
const NATIVE_STAMP = path.join(MODULES, '.plumbline', 'native.json')

const npmEnvironment = () => {
  const environment = /** @type {NodeJS.ProcessEnv} */ ({
    ...process.env,
    // The runtime is a step of its own, which knows what to do where the download site can't be reached.
    ELECTRON_SKIP_BINARY_DOWNLOAD: '1',
  })
  const prefix = path.dirname(path.dirname(process.execPath))
  // With headers beside this Node nothing has to be fetched to compile against it.
  if (!environment.npm_config_nodedir && existsSync(path.join(prefix, 'include', 'node', 'node_api.h'))) {
    environment.npm_config_nodedir = prefix
  }
  return environment
}

/**
 * Whether the tree that npm says it installed is the one that the lock file asks for. npm writes its own record last, so
 * an installation that was cut off has none or an older one.
 * @param {Record<string, { version?: string, optional?: boolean }> | undefined} wanted `packages` of package-lock.json
 * @param {Record<string, { version?: string }> | undefined} installed `packages` of node_modules/.package-lock.json
 */
export function treeMatchesLock(wanted, installed) {
  if (!wanted || !installed) return false
  for (const [name, entry] of Object.entries(wanted)) {
    if (name === '') continue
    const found = installed[name]
    if (!found && entry.optional) continue
    if (found?.version !== entry.version) return false
  }
  return Object.keys(installed).every((name) => name in wanted)
}

/** @param {string} file */
function lockedPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}

const hasSecretHeaders = () =>
  process.platform !== 'linux' ||
  ['/usr/include/libsecret-1', '/usr/local/include/libsecret-1'].some((folder) => existsSync(folder))

/** @returns {Promise<string>} */
export async function ensurePackages() {
  const lock = contentHash(['package-lock.json'])
  const stamp = readStamp(STAMP)
  const keytar = existsSync(path.join(MODULES, 'keytar', 'package.json'))
  // npm removes an optional package that did not build; it may build now.
  const worthAnotherTry = !keytar && stamp?.secretHeaders === false && hasSecretHeaders()
  const matches = () =>
    treeMatchesLock(
      lockedPackages(path.join(ROOT, 'package-lock.json')),
      lockedPackages(path.join(MODULES, '.package-lock.json')),
    )
  const record = () => writeStamp(STAMP, { lock, secretHeaders: hasSecretHeaders() })
  if (!worthAnotherTry && stampMatches(stamp, { lock })) return 'up to date'
  if (!worthAnotherTry && matches()) {
    await record()
    return 'up to date'
  }
  await rm(STAMP, { force: true })
  await waitForOrphan()
  const ci = await capture('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: ROOT,
    env: npmEnvironment(),
    onStart: (pid) => writeFileSync(RUNNING, JSON.stringify({ pid })),
  })
  await rm(RUNNING, { force: true })
  if (ci.code !== 0) {
    // Half a tree would be taken for a whole one by everything that only looks whether a package is there.
    await rm(MODULES, { recursive: true, force: true })
    throw new StepError(
      'npm could not install the packages.',
      'check the network and the registry that npm uses ("npm ping"), then run this again; nothing half-installed was left',
      lastLines(ci.output),
    )
  }
  await record()
  return `installed with npm ci${existsSync(path.join(MODULES, 'keytar')) ? '' : '; the keychain module did not build'}`
}

/** Where set-up was killed outright its npm goes on alone, and two of them would take each other's packages away. */
async function waitForOrphan() {
  const pid = Number(readStamp(RUNNING)?.pid)
  const isNpm = () => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('npm')
    } catch {
      return false
    }
  }
  while (pid && isNpm()) await delay(250)
}

/** Loads each in a process of its own: a broken native module may take its process with it. */
const PROBE = `
const [required, optional] = JSON.parse(process.argv[1])
const failures = {}
for (const name of [...required, ...optional]) {
  try {
    const loaded = require(name)
    if (name.startsWith('@ast-grep/lang-')) process.dlopen({ exports: {} }, loaded.libraryPath)
  } catch (error) {
    // A grammar is a plain library: it opens, and only then turns out not to be a module of Node.
    if (!/did not self-register/.test(String(error.message))) failures[name] = String(error.message).split('\\n')[0]
  }
}
process.stdout.write(JSON.stringify(failures))
process.exit(0)
`

/** @returns {Promise<string>} */
export async function ensureNativeModules() {
  const wanted = {
    lock: contentHash(['package-lock.json']),
    abi: process.versions.modules,
    arch: `${process.platform}-${process.arch}`,
    keytar: existsSync(path.join(MODULES, 'keytar', 'package.json')),
    ptyBuilt: existsSync(path.join(MODULES, 'node-pty', 'build', 'Release', 'pty.node')),
  }
  const stamp = readStamp(NATIVE_STAMP)
  if (stampMatches(stamp, wanted)) return String(stamp?.summary)

  const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
  const grammars = Object.keys(manifest.dependencies).filter((name) => name.startsWith('@ast-grep/'))
  const required = ['node-pty', ...grammars]
  let failures = await probe(required)
  const broken = required.filter((name) => name in failures)
  if (broken.length > 0) {
    const rebuild = await capture('npm', ['rebuild', ...broken, '--loglevel=error'], {
      cwd: ROOT,
      env: npmEnvironment(),
    })
    failures = await probe(required)
    const still = required.filter((name) => name in failures)
    if (still.length > 0) {
      throw new StepError(
        still.map((name) => `${name} does not load: ${failures[name]}`).join('; '),
        process.platform === 'linux'
          ? 'see that g++, make and python3 work here, then run this again'
          : 'see that the compilers of this system work, then run this again',
        lastLines(rebuild.output),
      )
    }
  }
  const summary = failures.keytar
    ? `load; keychain: not available (${keychainProblem(wanted.keytar, failures.keytar)}), keys stay in memory`
    : 'load, the one for the keychain too'
  const ptyBuilt = existsSync(path.join(MODULES, 'node-pty', 'build', 'Release', 'pty.node'))
  // A module that is there but does not load may do so as soon as its library is installed, so it is tried again.
  if (!failures.keytar || !wanted.keytar) await writeStamp(NATIVE_STAMP, { ...wanted, ptyBuilt, summary })
  return broken.length > 0 ? `rebuilt ${broken.join(', ')}; ${summary}` : summary
}

/**
 * @param {boolean} installed
 * @param {string} failure
 */
function keychainProblem(installed, failure) {
  if (installed) return failure
  return hasSecretHeaders() ? 'its module did not compile' : 'the headers of libsecret are missing'
}

/**
 * @param {string[]} required
 * @returns {Promise<Record<string, string>>}
 */
async function probe(required) {
  const names = JSON.stringify([required, ['keytar']])
  const { code, stdout, stderr, timedOut } = await capture(process.execPath, ['-e', PROBE, names], {
    cwd: ROOT,
    timeoutMs: 60_000,
  })
  if (code === 0) {
    try {
      return JSON.parse(stdout)
    } catch {
      // Told below, as what the process printed.
    }
  }
  const reason = timedOut ? 'loading took more than a minute' : lastLines(stderr, 1) || `the process ended with ${code}`
  return Object.fromEntries(required.map((name) => [name, reason]))
}

/** Packages of this checkout, found from its root. Only after `ensurePackages`. */
export const requireFromRoot = createRequire(path.join(ROOT, 'package.json'))
