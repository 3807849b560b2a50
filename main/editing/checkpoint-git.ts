import { execFile } from 'node:child_process'
import path from 'node:path'
import { PlumblineError } from '../platform/errors'
import type { GitReader } from '../workspace/git-reader'

/** Longest run of `git tag`, in milliseconds. */
const TIMEOUT_MS = 30_000

/** What checkpoints ask of Git. */
export interface CheckpointGit {
  /** Absolute paths with changes that are not committed, or undefined where the folder is in no repository. */
  uncommitted(root: string, signal: AbortSignal): Promise<{ has(file: string): boolean } | undefined>
  /** Tags the current commit; undefined where there is none to tag. */
  tag(root: string, name: string, signal: AbortSignal): Promise<string | undefined>
}

/** Git as it is installed: reads through `GitReader`, and makes lightweight tags without running what a repository chose. */
export class SystemCheckpointGit implements CheckpointGit {
  readonly #reader: GitReader
  readonly #program: string

  constructor(options: { reader: GitReader; program?: string }) {
    this.#reader = options.reader
    this.#program = options.program ?? 'git'
  }

  async uncommitted(root: string, signal: AbortSignal): Promise<{ has(file: string): boolean } | undefined> {
    const status = await this.#reader.query(root, { subcommand: 'status' }, signal).catch((failure: unknown) => {
      if (failure instanceof PlumblineError && failure.code === 'not_found') return undefined
      throw failure
    })
    if (status === undefined) return undefined
    const named = status.text.split('\n').flatMap(changedPaths)
    const files = new Set(named.map((name) => path.resolve(root, name)))
    const folders = named.filter((name) => name.endsWith('/')).map((name) => path.resolve(root, name) + path.sep)
    return {
      has: (file) => status.truncated || files.has(file) || folders.some((folder) => file.startsWith(folder)),
    }
  }

  tag(root: string, name: string, signal: AbortSignal): Promise<string | undefined> {
    const nowhere = process.platform === 'win32' ? 'NUL' : '/dev/null'
    const settings = ['-c', `core.hooksPath=${nowhere}`, '-c', 'tag.gpgSign=false', '-c', 'core.fsmonitor=false']
    const kept = Object.entries(process.env).filter(([key]) => !key.toUpperCase().startsWith('GIT_'))
    const env = { ...Object.fromEntries(kept), GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' }
    return new Promise((resolve, reject) => {
      execFile(
        this.#program,
        [...settings, 'tag', '--no-sign', '--end-of-options', name, 'HEAD'],
        { cwd: root, env, signal, timeout: TIMEOUT_MS, killSignal: 'SIGKILL', windowsHide: true },
        (failure) => {
          if (failure?.name === 'AbortError') reject(failure)
          else resolve(failure === null ? name : undefined)
        },
      )
    })
  }
}

/** The paths of one line of `git status --short`; a branch line has none, a rename has two. */
function changedPaths(line: string): string[] {
  if (line.startsWith('##') || line.length < 4) return []
  return line
    .slice(3)
    .split(' -> ')
    .map((name) => (name.startsWith('"') ? unquoted(name) : name))
}

function unquoted(name: string): string {
  const escapes: Readonly<Record<string, string>> = {
    n: '\n',
    t: '\t',
    r: '\r',
    a: '\u0007',
    b: '\b',
    f: '\f',
    v: '\v',
  }
  return name.slice(1, -1).replace(/\\(.)/g, (_all, letter: string) => escapes[letter] ?? letter)
}
