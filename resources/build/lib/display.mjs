import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onPath } from './system.mjs'

/**
 * A virtual display of our own, so that tests neither disturb a person's screen nor depend on it.
 * @returns {Promise<{ env: Record<string, string>, dispose: () => Promise<void> } | undefined>} nothing where there is no Xvfb
 */
export async function startVirtualDisplay() {
  if (process.platform !== 'linux' || !onPath('Xvfb')) return undefined
  // X needs this folder and makes it only as root.
  await mkdir('/tmp/.X11-unix', { mode: 0o1777 }).catch(() => undefined)
  // It picks a free number itself and tells it on the fourth stream: no race for a number between two runs.
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp', '-noreset'], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
  let said = ''
  server.stderr?.setEncoding('utf8').on('data', (text) => {
    said = (said + text).slice(-4000)
  })
  const gone = new Promise((resolve) => server.once('close', resolve))
  const stop = () => {
    server.kill('SIGKILL')
  }
  process.once('exit', stop)
  const number = await new Promise((resolve, reject) => {
    let text = ''
    const fail = (/** @type {string} */ why) => reject(new Error(`Xvfb did not start: ${why}`))
    const timer = setTimeout(() => fail('it gave no display number within 20 s'), 20_000)
    server.once('error', (error) => fail(error.message))
    server.once('close', () => fail(said.trim() || 'it ended at once'))
    const numberStream = /** @type {import('node:stream').Readable} */ (server.stdio[3])
    numberStream.setEncoding('utf8').on('data', (part) => {
      text += part
      if (!text.includes('\n')) return
      clearTimeout(timer)
      resolve(text.trim())
    })
  }).catch((error) => {
    stop()
    throw error
  })
  return {
    env: { DISPLAY: `:${number}` },
    dispose: async () => {
      process.off('exit', stop)
      server.kill('SIGTERM')
      const timer = setTimeout(stop, 3000)
      await gone
      clearTimeout(timer)
    },
  }
}

/** The keyring's files and socket are the test's own: the person's are locked with a password that we don't have. */
const SESSION_SCRIPT = `
exec 2>&3 3>&-
keyring=$1; shift
printf 'plumbline' | XDG_DATA_HOME="$keyring/data" XDG_RUNTIME_DIR="$keyring/run" \\
  gnome-keyring-daemon --unlock --foreground --components=secrets >"$keyring/log" 2>&1 &
daemon=$!
trap 'kill $daemon 2>/dev/null' EXIT
trap 'kill -TERM $child 2>/dev/null' TERM INT HUP
tries=0
while [ $tries -lt 50 ] && ! dbus-send --session --print-reply --dest=org.freedesktop.DBus / \\
  org.freedesktop.DBus.GetNameOwner string:org.freedesktop.secrets >/dev/null 2>&1; do
  sleep 0.1; tries=$((tries + 1))
done
"$@" &
child=$!
wait $child
code=$?
while kill -0 $child 2>/dev/null; do wait $child; code=$?; done
exit $code
`

/**
 * A message bus and a keychain of our own, where the programs for it exist.
 * @returns {Promise<{ wrap: (command: string[]) => string[], dispose: () => Promise<void> } | undefined>}
 */
export async function privateSession() {
  if (
    process.platform !== 'linux' ||
    !onPath('dbus-run-session') ||
    !onPath('gnome-keyring-daemon') ||
    !onPath('dbus-send')
  ) {
    return undefined
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'plumbline-session-'))
  await mkdir(path.join(folder, 'data'))
  await mkdir(path.join(folder, 'run'), { mode: 0o700 })
  const script = path.join(folder, 'session.sh')
  await writeFile(script, SESSION_SCRIPT)
  return {
    // What the bus itself has to say is not about the tests; the command gets its own error stream back.
    wrap: (command) => [
      'sh',
      '-c',
      'exec 3>&2; exec dbus-run-session -- "$@" 2>/dev/null',
      'sh',
      'sh',
      script,
      folder,
      ...command,
    ],
    dispose: () => rm(folder, { recursive: true, force: true }),
  }
}
