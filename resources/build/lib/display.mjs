import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { capture } from './processes.mjs'
import { onPath } from './system.mjs'

/** @typedef {{ env: Record<string, string>, dispose: () => Promise<void> }} Surroundings */

const START_MS = 20_000

/**
 * Starts a server that lives as long as our run, and never longer.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, input?: string, answers?: boolean }} [options] `answers`: it tells where it can be
 *   reached in a line on its fourth stream
 */
async function startServer(command, args, { env, input, answers = false } = {}) {
  const server = spawn(command, args, {
    env,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'ignore', 'pipe', 'pipe'],
  })
  let said = ''
  server.stderr?.setEncoding('utf8').on('data', (text) => {
    said = (said + text).slice(-4000)
  })
  server.stdin?.on('error', () => undefined).end(input)
  const gone = new Promise((resolve) => {
    server.once('close', resolve)
    server.once('error', resolve)
  })
  const kill = () => {
    server.kill('SIGKILL')
  }
  process.once('exit', kill)
  const dispose = async () => {
    process.off('exit', kill)
    server.kill('SIGTERM')
    const timer = setTimeout(kill, 3000)
    await gone
    clearTimeout(timer)
  }
  if (!answers) return { answer: '', dispose }
  try {
    /** @type {string} */
    const answer = await new Promise((resolve, reject) => {
      const fail = (/** @type {string} */ why) => reject(new Error(`${command} did not start: ${why}`))
      const timer = setTimeout(() => fail(`it said nothing within ${START_MS / 1000} s`), START_MS)
      server.once('error', (error) => fail(error.message))
      server.once('close', () => fail(said.trim() || 'it ended at once'))
      const stream = /** @type {import('node:stream').Readable} */ (server.stdio[3])
      let text = ''
      stream.setEncoding('utf8').on('data', (part) => {
        text += part
        if (!text.includes('\n')) return
        clearTimeout(timer)
        resolve(text.trim())
      })
    })
    return { answer, dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

/**
 * A virtual display of our own, so that tests neither disturb a person's screen nor depend on it.
 * @returns {Promise<Surroundings | undefined>} nothing where there is no Xvfb
 */
export async function startVirtualDisplay() {
  if (process.platform !== 'linux' || !onPath('Xvfb')) return undefined
  // X needs this folder and makes it only as root.
  await mkdir('/tmp/.X11-unix', { mode: 0o1777 }).catch(() => undefined)
  // It picks a free number itself and tells it: no race for a number between two runs.
  const { answer, dispose } = await startServer(
    'Xvfb',
    ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp', '-noreset'],
    { answers: true },
  )
  return { env: { DISPLAY: `:${answer}` }, dispose }
}

/**
 * A message bus and a keychain of our own, where the programs for it exist.
 * @returns {Promise<Surroundings | undefined>}
 */
export async function startPrivateSession() {
  if (process.platform !== 'linux' || !['dbus-daemon', 'dbus-send', 'gnome-keyring-daemon'].every(onPath)) {
    return undefined
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'plumbline-session-'))
  /** @type {(() => Promise<void>)[]} */
  const disposers = [() => rm(folder, { recursive: true, force: true })]
  const dispose = async () => {
    for (const next of disposers.splice(0).reverse()) await next()
  }
  try {
    const bus = await startServer('dbus-daemon', ['--session', '--nofork', '--print-address=3'], { answers: true })
    disposers.push(bus.dispose)
    const env = { DBUS_SESSION_BUS_ADDRESS: bus.answer }
    // Files and socket are the test's own: the person's keyring is locked with a password that we don't have.
    await mkdir(path.join(folder, 'data'))
    await mkdir(path.join(folder, 'run'), { mode: 0o700 })
    const keyring = await startServer('gnome-keyring-daemon', ['--unlock', '--foreground', '--components=secrets'], {
      env: {
        ...process.env,
        ...env,
        XDG_DATA_HOME: path.join(folder, 'data'),
        XDG_RUNTIME_DIR: path.join(folder, 'run'),
      },
      input: 'plumbline',
    })
    disposers.push(keyring.dispose)
    if (await answersSecrets({ ...process.env, ...env })) return { env, dispose }
  } catch (error) {
    console.log(`No private session: ${error instanceof Error ? error.message : error}`)
  }
  await dispose()
  return undefined
}

/** @param {NodeJS.ProcessEnv} env */
async function answersSecrets(env) {
  const question = [
    '--session',
    '--print-reply',
    '--dest=org.freedesktop.DBus',
    '/',
    'org.freedesktop.DBus.GetNameOwner',
    'string:org.freedesktop.secrets',
  ]
  for (let attempt = 0; attempt < 50; attempt++) {
    if ((await capture('dbus-send', question, { env, timeoutMs: 5000 })).code === 0) return true
    await delay(100)
  }
  return false
}
