import { lstat, readlink, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import type { Touch } from '../../preload/contract/effects'
import { isSystemError, PlumblineError } from '../platform/errors'
import { credentialLocations } from './credential-locations'
import { foldPath, isInside, type PathRules, pathRules, slashed } from './path-rules'

/** Where a session's paths start and how far they reach. A `SessionScope` fits. */
export interface PathScope {
  /** Absolute folder that relative paths start from. */
  readonly cwd: string
  /** The project folder and the added folders, absolute. Empty and relative entries contain nothing. */
  readonly roots: readonly string[]
  /** Only the roots, without the home folder. */
  readonly narrowed: boolean
  /** The session's own folders; they can be reached in every session. */
  readonly toolResultsFolder?: string
  readonly temporaryFolder?: string
}

export interface ResolvedPath {
  /** Absolute and normalised, links not followed. */
  readonly absolute: string
  /** Every link followed, also where only a parent exists and where the last part is a link to nothing. */
  readonly real: string
  readonly exists: boolean
  /** Of what `real` names. A link that leads to nothing is `missing`. */
  readonly kind: 'file' | 'directory' | 'other' | 'missing'
  /** The last part of the path as given is a symbolic link. */
  readonly symlink: boolean
  /** Inside the project or an added folder. */
  readonly insideRoots: boolean
  /** Beyond the project, the added folders and the home folder: the person is asked. */
  readonly outside: boolean
  readonly credential: boolean
  /** Relative to the working folder with `/` where it lies inside, else absolute. */
  readonly display: string
}

export interface ResolveOptions {
  /** False where a relative path must stay in the working folder, by its text and by its links (PERM-13). Default true. */
  relativeMayEscape?: boolean
}

export interface PathAuthorityOptions {
  platform?: NodeJS.Platform
  home?: string
  /** The folder with the program's own settings, when it is not `~/.plumbline`. */
  ownFolder?: string
}

/** Longest path that is accepted, in UTF-16 units; systems stop at 4,096 bytes or below. */
const MAX_PATH_LENGTH = 4096

/** As many links as Linux follows before it gives up. */
const MAX_LINKS = 40

/** Resolved folders that are remembered; a session has a handful. */
const MAX_REMEMBERED = 256

/** How long a resolved root or credential location is trusted, in milliseconds: they hardly ever move. */
const REMEMBER_MS = 5000

/**
 * Resolves what tools are given as paths, and refuses what no session may touch (PERM-13, PERM-15, PERM-16; decision 2).
 * Checks are made on the real path, so links and other spellings gain nothing.
 */
export class PathAuthority {
  readonly rules: PathRules
  readonly #home: string
  readonly #credentials: readonly string[]
  readonly #remembered = new Map<string, { real: string; until: number }>()

  constructor(options: PathAuthorityOptions = {}) {
    const platform = options.platform ?? process.platform
    this.rules = pathRules(platform)
    this.#home = options.home ?? homedir()
    this.#credentials = credentialLocations(this.#home, platform, this.rules, options.ownFolder)
  }

  /**
   * Resolves a relative, absolute or `~/` path and refuses what the scope can't reach.
   * Throws `PlumblineError`: `invalid_arguments` for what is no path, `credential_path`, `outside_roots` where the
   * session is narrowed or a relative path leaves the working folder against `relativeMayEscape`, `access_denied`.
   */
  async resolve(given: string, scope: PathScope, options: ResolveOptions = {}): Promise<ResolvedPath> {
    const resolved = await this.inspect(given, scope)
    if (resolved.credential) {
      throw new PlumblineError(
        'credential_path',
        `${resolved.display} is a credential location. Tools never read or write it.`,
      )
    }
    if (resolved.outside && scope.narrowed) {
      throw new PlumblineError(
        'outside_roots',
        `${resolved.display} is outside the working folder and the added folders, and this session is limited to them.`,
      )
    }
    if (options.relativeMayEscape === false && this.#isRelative(given)) {
      await this.#requireInsideCwd(given, resolved, scope)
    }
    return resolved
  }

  /** As `resolve`, but only tells: `credential` and `outside` are for the caller to judge. */
  async inspect(given: string, scope: PathScope): Promise<ResolvedPath> {
    const absolute = this.absolute(given, scope.cwd)
    const found = await this.#follow(absolute)
    const insideRoots = await this.#insideAny(found.real, scope.roots)
    const reachable =
      insideRoots ||
      (await this.#insideAny(found.real, [scope.toolResultsFolder ?? '', scope.temporaryFolder ?? ''])) ||
      (!scope.narrowed && (await this.#insideAny(found.real, [this.#usableHome()])))
    return {
      absolute,
      ...found,
      insideRoots,
      outside: !reachable,
      credential: await this.#touchesCredentials(absolute, found.real),
      display: await this.#display(absolute, found.real, scope.cwd),
    }
  }

  /** The absolute, normalised form of a path, without looking at the disk. Throws `invalid_arguments`. */
  absolute(given: string, cwd: string): string {
    const { path } = this.rules
    if (given.trim() === '') throw new PlumblineError('invalid_arguments', 'The path is empty.')
    if (given.includes('\0')) throw new PlumblineError('invalid_arguments', 'The path contains a NUL character.')
    if (given.length > MAX_PATH_LENGTH) {
      throw new PlumblineError('invalid_arguments', `The path is longer than ${MAX_PATH_LENGTH} characters.`)
    }
    const absolute = path.resolve(cwd, this.#expandHome(given))
    if (this.rules.hasStreams && absolute.slice(path.parse(absolute).root.length).includes(':')) {
      throw new PlumblineError('invalid_arguments', `${given} names a stream of a file; only files can be used.`)
    }
    return absolute
  }

  /** Whether a real path lies in a credential location. For walkers, which check every entry they meet. */
  async isCredential(real: string): Promise<boolean> {
    return this.#touchesCredentials(real, real)
  }

  /** The credential locations, each as spelled and with links followed, absolute. For workers, which can't ask. */
  async credentialLocations(): Promise<string[]> {
    const real = await Promise.all(this.#credentials.map((location) => this.#remember(location)))
    return [...new Set([...this.#credentials, ...real])]
  }

  async #requireInsideCwd(given: string, resolved: ResolvedPath, scope: PathScope): Promise<void> {
    const cwd = await this.#remember(scope.cwd)
    const lexically = isInside(resolved.absolute, this.rules.path.resolve(scope.cwd), this.rules)
    if (lexically && isInside(resolved.real, cwd, this.rules)) return
    throw new PlumblineError(
      'outside_roots',
      `${given} leaves the working folder. Relative paths stay inside it; use an absolute path instead.`,
    )
  }

  #isRelative(given: string): boolean {
    return !this.rules.path.isAbsolute(this.#expandHome(given))
  }

  #expandHome(given: string): string {
    if (given === '~') return this.#home
    if (given.startsWith('~/') || (this.rules.hasStreams && given.startsWith('~\\'))) {
      return this.rules.path.join(this.#home, given.slice(2))
    }
    return given
  }

  /** A home folder that is the root of a file system would reach everything, so it gives nothing. */
  #usableHome(): string {
    const { path } = this.rules
    const home = this.#home === '' ? '' : path.resolve(this.#home)
    return home === '' || path.dirname(home) === home ? '' : home
  }

  async #insideAny(real: string, folders: readonly string[]): Promise<boolean> {
    for (const folder of folders) {
      if (folder === '' || !this.rules.path.isAbsolute(folder)) continue
      if (isInside(real, await this.#remember(folder), this.rules)) return true
    }
    return false
  }

  async #touchesCredentials(absolute: string, real: string): Promise<boolean> {
    for (const location of this.#credentials) {
      if (isInside(absolute, location, this.rules) || isInside(real, location, this.rules)) return true
      const followed = await this.#remember(location)
      if (followed !== location && isInside(real, followed, this.rules)) return true
    }
    return false
  }

  async #display(absolute: string, real: string, cwd: string): Promise<string> {
    const { path } = this.rules
    const base = path.resolve(cwd)
    if (isInside(absolute, base, this.rules)) return slashed(path.relative(base, absolute), this.rules) || '.'
    const realBase = await this.#remember(base)
    if (isInside(real, realBase, this.rules)) return slashed(path.relative(realBase, real), this.rules) || '.'
    return slashed(absolute, this.rules)
  }

  async #remember(folder: string): Promise<string> {
    const key = foldPath(folder, this.rules)
    const known = this.#remembered.get(key)
    if (known !== undefined && known.until > Date.now()) return known.real
    const real = await followParents(this.rules.path.resolve(folder), this.rules, 0).catch(() => folder)
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear()
    this.#remembered.set(key, { real, until: Date.now() + REMEMBER_MS })
    return real
  }

  async #follow(absolute: string): Promise<Pick<ResolvedPath, 'real' | 'exists' | 'kind' | 'symlink'>> {
    const entry = await lstat(absolute).catch(missing)
    const symlink = entry?.isSymbolicLink() ?? false
    const real = await followParents(absolute, this.rules, 0)
    const target = entry === undefined ? undefined : await stat(absolute).catch(missing)
    if (target === undefined) return { real, exists: false, kind: 'missing', symlink }
    const kind = target.isFile() ? 'file' : target.isDirectory() ? 'directory' : 'other'
    return { real, exists: true, kind, symlink }
  }
}

/** What a call does to a path, for the rules. */
export function touch(kind: 'read' | 'write' | 'delete', resolved: ResolvedPath): Touch {
  return {
    kind,
    target: resolved.real,
    ...(resolved.absolute === resolved.real ? {} : { given: resolved.absolute }),
    ...(resolved.outside ? { outside: true } : {}),
  }
}

/** `realpath` that goes on where the path does not exist, and through a last link that leads to nothing. */
async function followParents(absolute: string, rules: PathRules, links: number): Promise<string> {
  try {
    return await realpath(absolute)
  } catch (failure) {
    if (!isSystemError(failure)) throw failure
    if (failure.code === 'EACCES' || failure.code === 'EPERM') {
      throw new PlumblineError('access_denied', `${absolute} can't be accessed.`, { cause: failure })
    }
    const { path } = rules
    const parent = path.dirname(absolute)
    if (parent === absolute) return absolute
    const realParent = await followParents(parent, rules, links)
    const target = await readlink(absolute).catch(() => undefined)
    const here = path.join(realParent, path.basename(absolute))
    if (target === undefined || links >= MAX_LINKS) return here
    const next = path.resolve(realParent, target)
    return next === here ? here : followParents(next, rules, links + 1)
  }
}

function missing(failure: unknown): undefined {
  if (isSystemError(failure)) {
    if (failure.code === 'ENOENT' || failure.code === 'ENOTDIR' || failure.code === 'ELOOP') return undefined
    if (failure.code === 'EACCES' || failure.code === 'EPERM') {
      throw new PlumblineError('access_denied', failure.message, { cause: failure })
    }
    if (failure.code === 'ENAMETOOLONG') {
      throw new PlumblineError('invalid_arguments', 'A part of the path is too long for the file system.', {
        cause: failure,
      })
    }
  }
  throw failure
}
