import { statSync } from 'node:fs'
import path from 'node:path'
import { type DeniedPaths, DeniedRules } from './denied-paths'
import { DirectoryCache, type Listed } from './directory-cache'
import { type IgnoreOptions, IgnoreRules } from './ignore-files'
import { foldPath, isInside, type PathRules, pathRules, slashed } from './path-rules'

/** What a walk visits. Plain data: it is sent to worker threads. */
export interface WalkOptions {
  /** Absolute real path of the folder to walk. */
  readonly root: string
  /** Names that begin with a dot. */
  readonly hidden: boolean
  /** Leave out what ignore files exclude. */
  readonly ignoreFiles: boolean
  /** Take `.gitignore` also where there is no Git checkout. */
  readonly outsideGit: boolean
  /** Folders with these names are never opened. */
  readonly prune: readonly string[]
  /** Entries looked at, the root included. */
  readonly maxEntries: number
  /** Milliseconds since the epoch at which the walk stops. */
  readonly deadlineAt: number
  /** Absolute real paths that are left out: credential locations, files that a rule denies. */
  readonly excluded: readonly string[]
  /** Patterns of rules that deny reading: what they cover is left out as well. */
  readonly denied?: readonly DeniedPaths[]
  /** For Git's and Perforce's own settings; the program's by default. */
  readonly environment?: NodeJS.ProcessEnv
  readonly platform?: NodeJS.Platform
}

export interface WalkEntry {
  /** Below the root, with `/`. */
  readonly relative: string
  readonly name: string
  readonly kind: 'file' | 'directory'
  readonly link: boolean
  /** The relative path as bytes, where it is no UTF-8 and `relative` only shows it. */
  readonly bytes?: Buffer
}

/** Where an entry of a walk lies, to open it. */
export function absoluteOf(root: string, entry: Pick<WalkEntry, 'relative' | 'bytes'>): string | Buffer {
  if (entry.bytes !== undefined) return Buffer.concat([Buffer.from(`${root}${path.sep}`), entry.bytes])
  return path.sep === '/' ? `${root}/${entry.relative}` : path.join(root, entry.relative)
}

/** How far a walk came; complete while nothing cut it short (FIND-07). */
export interface WalkReport {
  entriesScanned: number
  entryLimitReached: boolean
  timedOut: boolean
  cancelled: boolean
  /** Folders that could not be read. */
  walkErrors: number
  /** Entries left out by ignore rules, as hidden, by name or as excluded; what lies below them is not counted. */
  entriesOmitted: number
}

/** Entries between looks at the clock. */
const CLOCK_EVERY = 256

interface Folder {
  relative: string
  bytes: Buffer | undefined
  rules: IgnoreRules | undefined
}

/**
 * Walks a folder in a fixed order: by name within a folder, files and folders mixed, each folder before what it holds.
 * Links to folders are named, never followed, so every folder is visited once and nothing goes round (S18).
 * Blocks its thread: for worker threads.
 */
export class Walker {
  readonly report: WalkReport = {
    entriesScanned: 1,
    entryLimitReached: false,
    timedOut: false,
    cancelled: false,
    walkErrors: 0,
    entriesOmitted: 0,
  }
  readonly #options: WalkOptions
  readonly #cancelled: () => boolean
  readonly #prune: ReadonlySet<string>
  readonly #rules: PathRules
  /** The excluded paths that lie below the root, relative to it; the walk never gets below those. */
  readonly #excluded: ReadonlySet<string>
  readonly #denied: DeniedRules
  readonly #listings: DirectoryCache
  #untilClock = CLOCK_EVERY

  constructor(
    options: WalkOptions,
    cancelled: () => boolean = () => false,
    listings: DirectoryCache = new DirectoryCache(),
  ) {
    this.#listings = listings
    this.#options = options
    this.#cancelled = cancelled
    this.#prune = new Set(options.prune)
    const rules = pathRules(options.platform)
    this.#rules = rules
    this.#denied = new DeniedRules(options.root, options.denied ?? [], rules)
    this.#excluded = new Set(
      options.excluded
        .filter((location) => isInside(location, options.root, rules))
        .map((location) => foldPath(slashed(rules.path.relative(options.root, location), rules), rules)),
    )
  }

  /** Whether everything was seen. */
  get complete(): boolean {
    const { entryLimitReached, timedOut, cancelled, walkErrors } = this.report
    return !entryLimitReached && !timedOut && !cancelled && walkErrors === 0
  }

  *walk(): Generator<WalkEntry> {
    const { root, ignoreFiles } = this.#options
    const rules = ignoreFiles ? IgnoreRules.forRoot(root, this.#ignoreOptions()) : undefined
    const stack: Folder[] = [{ relative: '', bytes: undefined, rules }]
    for (let folder = stack.pop(); folder !== undefined; folder = stack.pop()) {
      const entries = this.#read(folder)
      if (entries === undefined) continue
      const inside = this.#rulesInside(folder, entries)
      const below: Folder[] = []
      for (const entry of entries) {
        if (this.#stop()) return
        this.report.entriesScanned += 1
        const found = this.#judge(entry, folder, inside)
        if (found === undefined) continue
        yield found
        if (found.kind === 'directory' && !found.link) {
          below.push({ relative: found.relative, bytes: found.bytes, rules: inside })
        }
      }
      for (let at = below.length - 1; at >= 0; at -= 1) {
        const next = below[at]
        if (next !== undefined) stack.push(next)
      }
    }
  }

  #ignoreOptions(): IgnoreOptions {
    const { outsideGit, environment, platform } = this.#options
    return {
      outsideGit,
      ignoresCase: this.#rules.ignoresCase,
      ...(environment === undefined ? {} : { environment }),
      ...(platform === undefined ? {} : { platform }),
    }
  }

  #rulesInside(folder: Folder, entries: readonly Listed[]): IgnoreRules | undefined {
    const { rules } = folder
    if (rules === undefined || folder.relative === '') return rules
    const names = new Set<string>()
    for (const entry of entries) if (rules.ruleNames.has(entry.name)) names.add(entry.name)
    return rules.enter(this.#absolute(folder), folder.relative, names)
  }

  #judge(entry: Listed, folder: Folder, rules: IgnoreRules | undefined): WalkEntry | undefined {
    const { name } = entry
    const relative = folder.relative === '' ? name : `${folder.relative}/${name}`
    const bytes = bytesOf(entry, folder)
    const link = entry.kind === 'link'
    const kind = link ? this.#linkKind({ relative, bytes }) : entry.kind === 'other' ? undefined : entry.kind
    const omitted =
      kind === undefined ||
      (this.#prune.has(name) && kind === 'directory') ||
      this.#isIgnored(relative, name, kind === 'directory' && !link, rules) ||
      this.#isExcluded(relative) ||
      this.#denied.covers(relative, name)
    if (!omitted) return bytes === undefined ? { relative, name, kind, link } : { relative, name, kind, link, bytes }
    this.report.entriesOmitted += 1
    return undefined
  }

  /** Hidden entries are left out unless a rule takes them in. A link counts as a file to rules, as in Git. */
  #isIgnored(relative: string, name: string, isDirectory: boolean, rules: IgnoreRules | undefined): boolean {
    const verdict = rules?.ignores(relative, name, isDirectory)
    return verdict ?? (!this.#options.hidden && name.startsWith('.'))
  }

  #isExcluded(relative: string): boolean {
    return this.#excluded.size > 0 && this.#excluded.has(foldPath(relative, this.#rules))
  }

  #linkKind(entry: { relative: string; bytes: Buffer | undefined }): WalkEntry['kind'] | undefined {
    try {
      const target = statSync(this.#absolute(entry))
      return target.isDirectory() ? 'directory' : target.isFile() ? 'file' : undefined
    } catch {
      return undefined
    }
  }

  #read(folder: Folder): readonly Listed[] | undefined {
    try {
      return this.#listings.list(folder.relative === '' ? this.#options.root : this.#absolute(folder))
    } catch {
      this.report.walkErrors += 1
      return undefined
    }
  }

  #absolute(entry: { relative: string; bytes: Buffer | undefined }): string | Buffer {
    const { relative, bytes } = entry
    return absoluteOf(this.#options.root, bytes === undefined ? { relative } : { relative, bytes })
  }

  #stop(): boolean {
    if (this.report.entriesScanned >= this.#options.maxEntries) {
      this.report.entryLimitReached = true
      return true
    }
    this.#untilClock -= 1
    if (this.#untilClock > 0) return false
    this.#untilClock = CLOCK_EVERY
    if (this.#cancelled()) this.report.cancelled = true
    else if (Date.now() >= this.#options.deadlineAt) this.report.timedOut = true
    return this.report.cancelled || this.report.timedOut
  }
}

/** The relative path as bytes, where a part of it is no UTF-8. */
function bytesOf(entry: Listed, folder: Folder): Buffer | undefined {
  if (entry.bytes === undefined && folder.bytes === undefined) return undefined
  const name = entry.bytes ?? Buffer.from(entry.name)
  if (folder.relative === '') return name
  return Buffer.concat([folder.bytes ?? Buffer.from(folder.relative), Buffer.from('/'), name])
}
