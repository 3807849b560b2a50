import { execFile } from 'node:child_process'
import { PlumblineError } from '../platform/errors'

/** Output that is kept of one git command, in bytes: 4 MiB; more is cut and said. */
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024

/** Longest run of one git command, in milliseconds. */
const TIMEOUT_MS = 30_000

/** Settings that keep a repository from choosing programs to run (S36), and output plain. */
const SAFE_SETTINGS: readonly string[] = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.quotePath=false',
  'color.ui=false',
  'diff.external=',
  'diff.submodule=short',
  'log.showSignature=false',
  'protocol.allow=never',
  'submodule.recurse=false',
  'status.submoduleSummary=false',
]

export interface GitQuery {
  readonly subcommand: 'status' | 'diff' | 'log'
  /** A revision or a range; never begins with a dash (S39). */
  readonly ref?: string
  /** Absolute path that a diff is limited to. */
  readonly path?: string
  /** Commits of a log. */
  readonly count?: number
}

export interface GitAnswer {
  readonly text: string
  readonly truncated: boolean
}

/** Reads what git knows: no pager, no locks, no external programs, bounded. Never changes the repository (SEARCH-19). */
export class GitReader {
  readonly #program: string
  readonly #platform: NodeJS.Platform

  constructor(options: { program?: string; platform?: NodeJS.Platform } = {}) {
    this.#program = options.program ?? 'git'
    this.#platform = options.platform ?? process.platform
  }

  /**
   * Runs one query in a folder. Throws `invalid_arguments` for refs that are none, `not_found` outside a repository or
   * without git, `command_failed` with git's own words, `timeout`; rejects with an AbortError after an abort.
   */
  async query(cwd: string, query: GitQuery, signal: AbortSignal): Promise<GitAnswer> {
    if (query.ref !== undefined) await this.#requireRevision(cwd, query.ref, signal)
    return this.#run(cwd, argumentsOf(query), signal)
  }

  async #requireRevision(cwd: string, ref: string, signal: AbortSignal): Promise<void> {
    if (ref.trim() === '' || ref.startsWith('-') || /[\s\0]/.test(ref) || ref.length > 1024) {
      throw new PlumblineError('invalid_arguments', `${JSON.stringify(ref)} is not a revision or a range.`)
    }
    const ends = ref.split(/\.{2,3}/).filter((end) => end !== '')
    if (ends.some((end) => end.startsWith('-'))) {
      throw new PlumblineError('invalid_arguments', `${JSON.stringify(ref)} is not a revision or a range.`)
    }
    for (const end of ends) {
      await this.#run(cwd, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${end}^{object}`], signal).catch(
        (failure: unknown) => {
          if (!(failure instanceof PlumblineError) || failure.code !== 'command_failed') throw failure
          throw new PlumblineError('invalid_arguments', `${end} is no revision of this repository.`, { cause: failure })
        },
      )
    }
  }

  async #run(cwd: string, args: readonly string[], signal: AbortSignal): Promise<GitAnswer> {
    const filters = await this.#repositoryFilters(cwd, signal)
    return this.#start(cwd, filters, args, signal)
  }

  /** Filters that the repository's own settings define would run while git compares files; they are switched off. */
  async #repositoryFilters(cwd: string, signal: AbortSignal): Promise<string[]> {
    const query = [
      'config',
      '--show-scope',
      '--includes',
      '--name-only',
      '--get-regexp',
      '^filter\\..*\\.(clean|smudge|process)$',
    ]
    const answer = await this.#start(cwd, [], query, signal).catch((failure: unknown) => {
      if (failure instanceof PlumblineError && failure.code === 'command_failed') return undefined
      throw failure
    })
    const rows = (answer?.text ?? '').split('\n').map((row) => row.split('\t'))
    const own = rows.flatMap(([scope, name]) =>
      name !== undefined && (scope === 'local' || scope === 'worktree') ? [name] : [],
    )
    return own.flatMap((name) => [`${name}=`, `${name.replace(/\.[^.]+$/, '')}.required=false`])
  }

  #start(cwd: string, extra: readonly string[], args: readonly string[], signal: AbortSignal): Promise<GitAnswer> {
    const settings = [...SAFE_SETTINGS, ...extra].flatMap((setting) => ['-c', this.#forPlatform(setting)])
    const options = {
      cwd,
      signal,
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL' as const,
      maxBuffer: MAX_OUTPUT_BYTES,
      windowsHide: true,
      env: safeEnvironment(process.env),
    }
    return new Promise((resolve, reject) => {
      execFile(
        this.#program,
        ['--no-pager', '--no-optional-locks', ...settings, ...args],
        options,
        (failure, stdout, stderr) => {
          if (failure === null) resolve({ text: stdout, truncated: false })
          else if (failure.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
            resolve({ text: wholeLines(stdout), truncated: true })
          else reject(inWords(failure, stderr))
        },
      )
    })
  }

  #forPlatform(setting: string): string {
    return this.#platform === 'win32' ? setting.replace('/dev/null', 'NUL') : setting
  }
}

function argumentsOf(query: GitQuery): string[] {
  const path = query.path === undefined ? [] : [query.path]
  switch (query.subcommand) {
    case 'status':
      return ['status', '--short', '--branch', '--untracked-files=normal', '--ignore-submodules=dirty']
    case 'diff':
      return [
        'diff',
        '--no-ext-diff',
        '--no-textconv',
        '--no-color',
        '--ignore-submodules=dirty',
        ...(query.ref === undefined ? [] : ['--end-of-options', query.ref]),
        '--',
        ...path,
      ]
    case 'log':
      return [
        'log',
        `--max-count=${query.count ?? 10}`,
        '--no-ext-diff',
        '--no-textconv',
        '--no-color',
        '--no-show-signature',
        '--date=iso-strict',
        '--decorate=short',
        ...(query.ref === undefined ? [] : ['--end-of-options', query.ref]),
        '--',
      ]
  }
}

/** Variables that would make git run programs, write, or read another repository are left out. */
function safeEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => !name.toUpperCase().startsWith('GIT_'))
  return {
    ...Object.fromEntries(kept),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NO_LAZY_FETCH: '1',
    LC_ALL: 'C',
  }
}

function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1)
}

function inWords(failure: Error & { code?: unknown; killed?: boolean }, stderr: string): Error {
  if (failure.name === 'AbortError') return failure
  if (failure.code === 'ENOENT')
    return new PlumblineError('not_found', 'git is not installed here.', { cause: failure })
  if (failure.killed === true) {
    return new PlumblineError('timeout', `git took longer than ${TIMEOUT_MS / 1000} seconds.`, { cause: failure })
  }
  const words = stderr.trim().split('\n')[0] ?? ''
  if (/not a git repository/i.test(words)) {
    return new PlumblineError('not_found', 'This folder is not inside a git repository.', { cause: failure })
  }
  return new PlumblineError('command_failed', words === '' ? 'git failed.' : words, { cause: failure })
}
