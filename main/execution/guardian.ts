import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'

/** Name of the variable by which everything that this program started is found again, whatever it forked. */
export const OWNER_VARIABLE = 'PLUMBLINE_OWNER'

/**
 * Reads `+ PID` and `- PID` until the program that writes them is gone, then ends every process group that is left:
 * TERM, one second, KILL, and on Linux a sweep for the marker.
 */
const SCRIPT = `
trap '' HUP INT TERM
groups=' '
while read -r sign group; do
  case $sign in
    +) groups="$groups$group " ;;
    -) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
found() {
  if printf 'a\\0' | grep -qzxF a 2>/dev/null; then
    grep -lzxF -- "$1" /proc/[0-9]*/environ 2>/dev/null | while IFS=/ read -r _ _ process _; do echo "$process"; done
    return
  fi
  for environment in /proc/[0-9]*/environ; do
    { tr '\\0' '\\n' < "$environment" | grep -qxF -- "$1"; } 2>/dev/null || continue
    process=\${environment#/proc/}
    echo "\${process%/environ}"
  done
}
left=0
for group in $groups; do kill -TERM "-$group" 2>/dev/null && left=1; done
for process in $(found "$1"); do kill -TERM "$process" 2>/dev/null && left=1; done
[ "$left" = 1 ] || exit 0
sleep 1
for group in $groups; do kill -KILL "-$group" 2>/dev/null; done
for process in $(found "$1"); do kill -KILL "$process" 2>/dev/null; done
`

/**
 * A small shell process that outlives this one just long enough to end what it left behind, after a crash or
 * `kill -9` too. Started with the first process that no namespace holds. Not on Windows, where there is no such shell.
 */
export class Guardian {
  /** `NAME=value` for the environment of everything that is guarded. */
  readonly marker: string
  readonly #platform: NodeJS.Platform
  #child: ChildProcess | undefined

  constructor(platform: NodeJS.Platform = process.platform) {
    this.marker = `${OWNER_VARIABLE}=${process.pid}.${randomBytes(9).toString('base64url')}`
    this.#platform = platform
  }

  /** `pid` leads a process group from now on. */
  guard(pid: number): void {
    this.#write(`+ ${pid}\n`)
  }

  /** The group has ended and its number may belong to somebody else. */
  release(pid: number): void {
    if (this.#child !== undefined) this.#write(`- ${pid}\n`)
  }

  /** Lets the guardian do its sweep and go. Resolves when it has gone. */
  async dispose(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (child === undefined || child.exitCode !== null) return
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    child.ref()
    child.stdin?.end()
    await gone
  }

  #write(line: string): void {
    if (this.#platform === 'win32') return
    this.#child ??= this.#start()
    this.#child.stdin?.write(line)
  }

  #start(): ChildProcess {
    const child = spawn('/bin/sh', ['-c', SCRIPT, 'plumbline-guardian', this.marker], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    })
    child.on('error', () => undefined)
    child.stdin.on('error', () => undefined)
    child.unref()
    // The pipe to the guardian must not keep this process alive either.
    if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref()
    return child
  }
}
