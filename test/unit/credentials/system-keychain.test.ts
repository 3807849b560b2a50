import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KEYCHAIN_SERVICE } from '../../../main/credentials/keychain'

const run = promisify(execFile)
const needed = ['dbus-run-session', 'gnome-keyring-daemon']
const missing = needed.filter(
  (name) => !(process.env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, name))),
)

/** In a session of its own: starts the service, opens it with a password, and plays the person's deeds on keytar. */
const script = `
const keytar = require(process.argv[1])
async function main() {
  await keytar.setPassword('${KEYCHAIN_SERVICE}', 'openai', 'sk-ünïcode')
  const kept = await keytar.getPassword('${KEYCHAIN_SERVICE}', 'openai')
  const deleted = await keytar.deletePassword('${KEYCHAIN_SERVICE}', 'openai')
  const gone = await keytar.getPassword('${KEYCHAIN_SERVICE}', 'openai')
  const again = await keytar.deletePassword('${KEYCHAIN_SERVICE}', 'openai')
  console.log(JSON.stringify({ kept, deleted, gone, again }))
}
main().catch((error) => { console.error(error); process.exit(1) })
`

let home: string
beforeEach(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'plumbline-keyring-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

describe.runIf(process.platform === 'linux')('the Secret Service of Linux', () => {
  it('keeps, gives back and forgets a key', async () => {
    if (missing.length > 0) {
      expect(process.env.CI ? missing : [], 'the set-up installs these; without them keys stay in memory').toEqual([])
      return
    }
    const keytar = path.resolve('node_modules/keytar')
    const line = `printf 'test' | gnome-keyring-daemon --unlock --components=secrets >/dev/null && exec "$0" -e "$1" "$2"`
    const { stdout } = await run('dbus-run-session', ['--', 'sh', '-c', line, process.execPath, script, keytar], {
      env: { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: home, XDG_DATA_HOME: path.join(home, 'data') },
      timeout: 15_000,
    })
    expect(JSON.parse(stdout)).toEqual({ kept: 'sk-ünïcode', deleted: true, gone: null, again: false })
  })
})
