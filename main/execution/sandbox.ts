import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, lstat, mkdir, readFile, realpath } from 'node:fs/promises'
import path from 'node:path'
import type { SandboxTier } from '../../preload/contract/ids'
import { PlumblineError } from '../platform/errors'
import { Placeholders } from './sandbox-placeholders'

/** What this machine can enforce. */
export interface SandboxAvailability {
  /** The bubblewrap program, where it exists and works. */
  readonly program: string | undefined
  /** Processes can be held in a namespace that ends with its call. */
  readonly processes: boolean
  /** Files and network can be held. */
  readonly files: boolean
  readonly network: boolean
  /** Why something is missing, in words for people. */
  readonly reason: string | undefined
}

/** What a command runs under: the session's folders, all absolute real paths. */
export interface SandboxScope {
  readonly tier: SandboxTier
  readonly roots: readonly string[]
  /** Stands for `/tmp` inside. */
  readonly temporaryFolder: string
}

/** A command line ready to be started, and the truth about what holds it. */
export interface SandboxedCommand {
  readonly file: string
  readonly args: readonly string[]
  /** The environment of `file`; what runs inside gets its own. */
  readonly env: Readonly<Record<string, string>>
  readonly namespaced: boolean
  readonly enforcement: Enforcement
  /** To be called once the command has ended: takes back what had to stand in the project while it ran. */
  release(): Promise<void>
}

/** For the person: exactly what is enforced, nothing more. */
export interface Enforcement {
  readonly tier: SandboxTier
  readonly files: 'enforced' | 'open'
  readonly network: 'off' | 'open'
  readonly processes: 'namespace' | 'guardian'
}

export interface Command {
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

export interface SandboxOptions {
  /** Existing or not, absolute; nothing inside can read them (PERM-16). */
  credentialLocations(): Promise<readonly string[]>
  platform?: NodeJS.Platform
  /** Runs a program to its end and tells whether it answered 0; tests inject their own. */
  probe?(file: string, args: readonly string[]): Promise<boolean>
  /** Folders where bubblewrap may be; never the project's. */
  programFolders?: readonly string[]
}

const PROGRAM_FOLDERS: readonly string[] = ['/usr/bin', '/usr/local/bin', '/bin', '/run/current-system/sw/bin']

/** Longest time that trying bubblewrap out may take, in milliseconds. */
const PROBE_TIMEOUT_MS = 5_000

/** Inside a writable project these stay as they are: what they name is run later, outside (S36). */
const PROTECTED: readonly string[] = ['.plumbline', '.o4', '.atomic', '.magi', '.vscode', '.idea', '.mcp.json']

/** Inside a repository's own folder. */
const PROTECTED_GIT: readonly string[] = ['hooks', 'config', 'config.worktree', 'info/attributes']

/** Of `/run`, which is hidden for its sockets, what name resolution and some systems need. */
const RUN_KEPT: readonly string[] = [
  '/run/systemd/resolve',
  '/run/NetworkManager',
  '/run/resolvconf',
  '/run/current-system',
  '/run/opengl-driver',
]

/**
 * Turns a command into one that its tier holds (SHELL-14, PERM-19, decision 4). Where bubblewrap works every tier,
 * `off` included, runs in a process namespace.
 */
export class Sandbox {
  readonly #options: SandboxOptions
  readonly #platform: NodeJS.Platform
  readonly #placeholders = new Placeholders()
  #availability: Promise<SandboxAvailability> | undefined

  constructor(options: SandboxOptions) {
    this.#options = options
    this.#platform = options.platform ?? process.platform
  }

  /** Found out once, by trying. */
  availability(): Promise<SandboxAvailability> {
    this.#availability ??= this.#detect()
    return this.#availability
  }

  /**
   * Whether the tier is enforced here. Throws `sandbox_unavailable` for `read-only` and `workspace-write` where it is
   * not: they are refused rather than pretended. False means: label it unsandboxed, and in `guarded` ask.
   */
  async enforces(tier: SandboxTier): Promise<boolean> {
    if (tier === 'off') return false
    const { files, network, reason } = await this.availability()
    const enough = files && (tier === 'guarded' || network)
    if (!enough && tier !== 'guarded') {
      throw new PlumblineError(
        'sandbox_unavailable',
        `The sandbox tier ${tier} can't be enforced on this machine (${reason ?? 'unknown reason'}), so nothing is run in it. \`plumbline doctor\` says what is missing.`,
      )
    }
    return enough
  }

  /** The command line to start. Throws as `enforces`. */
  async wrap(command: Command, scope: SandboxScope): Promise<SandboxedCommand> {
    const [enforced, found] = await Promise.all([this.enforces(scope.tier), this.availability()])
    const enforcement: Enforcement = {
      tier: scope.tier,
      files: enforced ? 'enforced' : 'open',
      network: enforced && scope.tier !== 'guarded' ? 'off' : 'open',
      processes: found.processes ? 'namespace' : 'guardian',
    }
    if (found.program === undefined || !found.processes) {
      const { file, args, env: open } = command
      return { file, args, env: open, namespaced: false, enforcement, release: async () => undefined }
    }
    const env = enforced ? { ...command.env, ...INSIDE } : command.env
    const missing =
      enforced && scope.tier !== 'read-only' ? await this.#placeholders.take(scope.roots.filter(isUsableRoot)) : []
    const holding = enforced ? await this.#enforcedArguments(scope, missing) : openArguments(found.files)
    const variables = Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value])
    return {
      file: found.program,
      // Variables are given as arguments: bubblewrap itself must not be steered by what a call asks for.
      args: [...holding, '--chdir', command.cwd, '--clearenv', ...variables, '--', command.file, ...command.args],
      env: { PATH: '/usr/bin:/bin' },
      namespaced: true,
      enforcement,
      release: () => this.#placeholders.release(missing),
    }
  }

  async #enforcedArguments(scope: SandboxScope, placeholders: readonly string[]): Promise<string[]> {
    await mkdir(scope.temporaryFolder, { recursive: true, mode: 0o700 })
    const writable = scope.tier === 'read-only' ? [] : await existing(scope.roots.filter(isUsableRoot))
    const credentials = await this.#options.credentialLocations()
    return [
      '--unshare-pid',
      '--unshare-ipc',
      '--unshare-uts',
      '--unshare-cgroup-try',
      '--die-with-parent',
      '--new-session',
      ...(scope.tier === 'guarded' ? [] : ['--unshare-net']),
      '--cap-drop',
      'ALL',
      '--ro-bind',
      '/',
      '/',
      '--dev',
      '/dev',
      '--proc',
      '/proc',
      '--tmpfs',
      '/run',
      ...RUN_KEPT.flatMap((folder) => ['--ro-bind-try', folder, folder]),
      '--bind',
      scope.temporaryFolder,
      '/tmp',
      ...(scope.tier === 'read-only' ? (await existing(scope.roots)).flatMap((root) => ['--ro-bind', root, root]) : []),
      ...writable.flatMap((root) => ['--bind', root, root]),
      ...placeholders.flatMap((folder) => ['--perms', '0500', '--tmpfs', folder, '--remount-ro', folder]),
      ...(await protectedArguments(writable, placeholders)),
      ...(await maskArguments(credentials)),
    ]
  }

  async #detect(): Promise<SandboxAvailability> {
    const nothing = { program: undefined, processes: false, files: false, network: false }
    if (this.#platform !== 'linux') return { ...nothing, reason: `no sandbox is built in for ${this.#platform} yet` }
    const program = await this.#find()
    if (program === undefined) return { ...nothing, reason: 'bubblewrap (bwrap) is not installed' }
    const probe = this.#options.probe ?? answersZero
    const base = ['--unshare-pid', '--die-with-parent', '--new-session']
    const files = [
      ...base,
      '--cap-drop',
      'ALL',
      '--ro-bind',
      '/',
      '/',
      '--dev',
      '/dev',
      '--proc',
      '/proc',
      '--tmpfs',
      '/run',
      '--',
      '/bin/sh',
      '-c',
      ':',
    ]
    if (await probe(program, files)) {
      const network = await probe(program, ['--unshare-net', ...files])
      return {
        program,
        processes: true,
        files: true,
        network,
        reason: network ? undefined : 'no network namespace can be made',
      }
    }
    const processes = await probe(program, [...base, '--dev-bind', '/', '/', '--', '/bin/sh', '-c', ':'])
    return {
      program,
      processes,
      files: false,
      network: false,
      reason: 'bubblewrap is installed, but the system does not let it make namespaces',
    }
  }

  async #find(): Promise<string | undefined> {
    for (const folder of this.#options.programFolders ?? PROGRAM_FOLDERS) {
      const program = path.join(folder, 'bwrap')
      const usable = await access(program, constants.X_OK).then(
        () => true,
        () => false,
      )
      if (usable) return program
    }
    return undefined
  }
}

/** Inside, `/tmp` is private and the home folder can't be written: caches go to the one from the other. */
const INSIDE: Readonly<Record<string, string>> = {
  TMPDIR: '/tmp',
  XDG_CACHE_HOME: '/tmp/.cache',
  npm_config_cache: '/tmp/.cache/npm',
}

/** The tier `off`: the machine as it is, in a process namespace of its own. */
function openArguments(ownProc: boolean): string[] {
  return [
    '--unshare-pid',
    '--die-with-parent',
    '--new-session',
    '--dev-bind',
    '/',
    '/',
    ...(ownProc ? ['--proc', '/proc'] : []),
  ]
}

/** A file-system root is never made writable as a whole. */
function isUsableRoot(root: string): boolean {
  return path.isAbsolute(root) && path.dirname(root) !== root
}

async function existing(paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const each of paths) {
    if (
      await lstat(each).then(
        () => true,
        () => false,
      )
    )
      found.push(each)
  }
  return found
}

async function protectedArguments(roots: readonly string[], placeholders: readonly string[]): Promise<string[]> {
  const result: string[] = []
  for (const root of roots) {
    const kept = await existing(PROTECTED.map((name) => path.join(root, name)))
    for (const each of kept) if (!placeholders.includes(each)) result.push(...readOnly(await realpath(each)))
    result.push(...(await gitArguments(root)))
  }
  return result
}

/** Commits work, also in a linked worktree; hooks, configuration and attributes can't be changed (S36). */
async function gitArguments(root: string): Promise<string[]> {
  const dotGit = path.join(root, '.git')
  const found = await lstat(dotGit).catch(() => undefined)
  if (found === undefined) return []
  if (found.isDirectory()) return gitFolderArguments(dotGit)
  if (!found.isFile()) return []
  const own = await linkedFolder(dotGit, /^gitdir: (.+)$/m, root)
  const common = own === undefined ? undefined : await linkedFolder(path.join(own, 'commondir'), /^(.+)$/m, own)
  if (own === undefined || common === undefined || !(await pointsBack(own, dotGit))) return readOnly(dotGit)
  return [
    '--bind',
    common,
    common,
    ...(await gitFolderArguments(common)),
    ...(await gitFolderArguments(own)),
    ...readOnly(dotGit),
  ]
}

/** A worktree's folder names the `.git` file that uses it; anything else is a file that only says so. */
async function pointsBack(own: string, dotGit: string): Promise<boolean> {
  const text = await readFile(path.join(own, 'gitdir'), 'utf8').catch(() => '')
  return text.trim() !== '' && path.resolve(own, text.trim()) === dotGit
}

async function linkedFolder(file: string, pattern: RegExp, from: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const given = pattern.exec(text)?.[1]?.trim()
  return given === undefined ? undefined : realpath(path.resolve(from, given)).catch(() => undefined)
}

async function gitFolderArguments(folder: string): Promise<string[]> {
  // A folder that is missing could be made inside; Git keeps an empty one here anyway.
  const hooks = path.join(folder, 'hooks')
  if ((await existing([path.join(folder, 'objects')])).length > 0)
    await mkdir(hooks, { recursive: true }).catch(() => undefined)
  const kept = await existing(PROTECTED_GIT.map((name) => path.join(folder, ...name.split('/'))))
  const result = kept.flatMap(readOnly)
  const info = path.join(folder, 'info')
  const attributes = path.join(info, 'attributes')
  if (!kept.includes(attributes) && (await existing([info])).length > 0) result.push(...readOnly(info))
  return result
}

function readOnly(location: string): string[] {
  return ['--ro-bind', location, location]
}

/** Folders become empty, files become empty. */
async function maskArguments(locations: readonly string[]): Promise<string[]> {
  const real = await Promise.all(locations.map((location) => realpath(location).catch(() => undefined)))
  const result: string[] = []
  for (const location of new Set(real)) {
    const found = location === undefined ? undefined : await lstat(location).catch(() => undefined)
    if (location === undefined || found === undefined) continue
    if (found.isDirectory()) result.push('--perms', '0500', '--tmpfs', location, '--remount-ro', location)
    else result.push('--ro-bind', '/dev/null', location)
  }
  return result
}

function answersZero(file: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(file, [...args], { timeout: PROBE_TIMEOUT_MS, env: { PATH: '/usr/bin:/bin' } }, (failure) =>
      resolve(failure === null),
    )
  })
}
