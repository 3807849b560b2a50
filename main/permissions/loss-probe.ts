import { execFile } from 'node:child_process'
import { lstat, readdir, readFile, realpath } from 'node:fs/promises'

/** Longest time for one question to Git, in milliseconds. */
const GIT_TIMEOUT_MS = 3_000

/** Bytes of Git's answer that are read. */
const GIT_BYTES = 4 * 1024 * 1024

export interface FoundEntry {
  readonly kind: 'file' | 'directory' | 'link' | 'other'
  readonly bytes: number
}

/** A thing that a command would destroy. `recursive` takes whatever is below with it. */
export interface Doomed {
  readonly target: string
  readonly recursive: boolean
  /** `target` is text that could not be resolved. */
  readonly unresolved?: boolean
}

/** What the search for losses asks of the machine; it only reads. Tests inject their own. */
export interface LossProbe {
  entry(path: string): Promise<FoundEntry | undefined>
  /** Names in a folder, or an empty list. */
  names(folder: string): Promise<readonly string[]>
  /** With all links followed; the path itself where it does not exist. */
  real(path: string): Promise<string>
  /** Folders on which file systems are mounted. */
  mounts(): Promise<readonly string[]>
  /** Git's answer, or undefined when there is none. No program that the repository names is run. */
  git(args: readonly string[], cwd: string): Promise<string | undefined>
}

export const systemLossProbe: LossProbe = {
  async entry(path) {
    const found = await lstat(path).catch(() => undefined)
    if (found === undefined) return undefined
    const kind = found.isSymbolicLink() ? 'link' : found.isDirectory() ? 'directory' : found.isFile() ? 'file' : 'other'
    return { kind, bytes: found.size }
  },
  names: (folder) => readdir(folder).catch(() => []),
  real: (path) => realpath(path).catch(() => path),
  async mounts() {
    if (process.platform !== 'linux') return process.platform === 'darwin' ? ['/', '/System/Volumes/Data'] : []
    return parseMounts(await readFile('/proc/self/mountinfo', 'utf8').catch(() => ''))
  },
  git: (args, cwd) =>
    new Promise((resolve) => {
      const safe = [
        '--no-optional-locks',
        '-c',
        'core.fsmonitor=false',
        '-c',
        'core.hooksPath=/dev/null',
        '-c',
        'core.quotePath=false',
      ]
      const options = { cwd, timeout: GIT_TIMEOUT_MS, maxBuffer: GIT_BYTES, windowsHide: true, env: gitEnvironment() }
      execFile('git', [...safe, ...args], options, (failure, stdout) => resolve(failure ? undefined : stdout))
    }),
}

/** Reads `/proc/self/mountinfo`: the fifth field of each line, with its octal escapes. */
export function parseMounts(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const place = line.split(' ')[4]
    return place === undefined
      ? []
      : [place.replaceAll(/\\(\d{3})/g, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))]
  })
}

function gitEnvironment(): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  }
}
