import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'

/** Milliseconds that the system's process list may take to answer. */
const PROCESS_LIST_TIMEOUT_MS = 5_000
/** A process's own idea of its start and the system's differ by less than so many milliseconds. */
const WINDOWS_TOLERANCE_MS = 5_000

/** A process, told apart from a later one that got the same number. */
export interface ProcessIdentity {
  pid: number
  /** When it started, in the words of its system; empty where that can't be found out. */
  started: string
  host: string
}

/** How the running processes are looked up; tests put their own in its place. */
export interface ProcessTable {
  /** This process. */
  own(): Promise<ProcessIdentity>
  /** Whether the process runs on this machine. */
  runs(identity: ProcessIdentity): Promise<boolean>
}

export class SystemProcessTable implements ProcessTable {
  readonly #platform: NodeJS.Platform
  #own: Promise<ProcessIdentity> | undefined

  constructor(platform: NodeJS.Platform = process.platform) {
    this.#platform = platform
  }

  own(): Promise<ProcessIdentity> {
    this.#own ??= this.#ownStart().then((started) => ({ pid: process.pid, started, host: hostname() }))
    return this.#own
  }

  async runs(identity: ProcessIdentity): Promise<boolean> {
    if (!exists(identity.pid)) return false
    const started = await this.#started(identity.pid)
    if (identity.started === '' || started === '') return true
    if (this.#platform !== 'win32') return started === identity.started
    return Math.abs(Number(started) - Number(identity.started)) < WINDOWS_TOLERANCE_MS
  }

  /** On Windows asking for it takes half a second, which the first session of a run should not wait for. */
  async #ownStart(): Promise<string> {
    if (this.#platform !== 'win32') return this.#started(process.pid)
    return String(Math.round(Date.now() - process.uptime() * 1000))
  }

  async #started(pid: number): Promise<string> {
    if (this.#platform === 'linux') return linuxStart(pid)
    if (this.#platform === 'win32') {
      const script = `([DateTimeOffset](Get-Process -Id ${pid}).StartTime).ToUnixTimeMilliseconds()`
      return output('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script])
    }
    return output('ps', ['-o', 'lstart=', '-p', String(pid)])
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (failure) {
    // Somebody else's process can't be signalled, but it is there.
    return failure instanceof Error && 'code' in failure && failure.code === 'EPERM'
  }
}

/** Clock ticks since the start of the system, with the name of this run of the system. */
async function linuxStart(pid: number): Promise<string> {
  try {
    const [stat, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    ])
    // The name in brackets may hold spaces and brackets; the fields after it do not. A zombie holds nothing any more.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? 'ended' : `${boot.trim()}:${fields[19] ?? ''}`
  } catch {
    return 'ended'
  }
}

function output(program: string, args: string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = {
      timeout: PROCESS_LIST_TIMEOUT_MS,
      windowsHide: true,
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    }
    execFile(program, args, options, (failure, stdout) => resolve(failure ? '' : stdout.trim()))
  })
}
