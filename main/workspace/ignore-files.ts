import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { type IgnoreRule, parseIgnoreRules, parsePerforceRules } from './ignore-pattern'
import { type PerforceSettings, perforceSettings } from './perforce'

/** Largest ignore file that is read, in bytes: 1 MiB. */
const MAX_IGNORE_BYTES = 1024 * 1024

/** The rules of one folder, with where its paths start. */
interface RuleSet {
  /** Of the folder the rules belong to, relative to the walk's root, with `/` at the end unless it is the root itself. */
  readonly prefix: string
  /** For folders above the root: what leads from there to the root, with `/` at the end. */
  readonly lead: string
  readonly rules: readonly IgnoreRule[]
}

export interface IgnoreOptions {
  /** Take `.gitignore` also where there is no Git checkout. */
  readonly outsideGit: boolean
  readonly ignoresCase: boolean
  /** Environment for Git's own settings; tests pass theirs. */
  readonly environment?: NodeJS.ProcessEnv
  readonly platform?: NodeJS.Platform
}

/** Names that may change the rules of a folder, Perforce's own left aside. */
const RULE_NAMES = ['.git', '.gitignore', '.ignore']

/**
 * The ignore rules that hold in one folder of a walk: `.ignore` before `.gitignore`, inner before outer, then
 * `info/exclude` and the person's global excludes; what Perforce's rules exclude is left out besides (FIND-12). Made for the root, then `enter`ed folder by folder.
 */
export class IgnoreRules {
  readonly #options: IgnoreOptions
  /** Inner first. */
  readonly #ignoreSets: readonly RuleSet[]
  readonly #gitSets: readonly RuleSet[]
  readonly #perforceSets: readonly RuleSet[]
  readonly #inCheckout: boolean
  readonly #perforce: PerforceSettings
  /** Names of entries that `enter` must be told of. */
  readonly ruleNames: ReadonlySet<string>

  private constructor(
    options: IgnoreOptions,
    ignoreSets: readonly RuleSet[],
    gitSets: readonly RuleSet[],
    perforceSets: readonly RuleSet[],
    inCheckout: boolean,
    perforce: PerforceSettings,
  ) {
    this.#perforceSets = perforceSets
    this.#perforce = perforce
    this.ruleNames = new Set([...RULE_NAMES, ...perforce.relative.map((file) => file.split(/[\\/]/, 1)[0] ?? file)])
    this.#options = options
    this.#ignoreSets = ignoreSets
    this.#gitSets = gitSets
    this.#inCheckout = inCheckout
  }

  /** The rules for the root of a walk, with what the folders above it say up to the top of the checkout. */
  static forRoot(root: string, options: IgnoreOptions): IgnoreRules {
    const above: string[] = []
    for (let folder = path.dirname(root); folder !== above.at(-1); folder = path.dirname(folder)) above.push(folder)
    const checkout = hasGit(root) ? root : above.find(hasGit)
    const fromAbove = checkout === undefined || checkout === root ? [] : above.slice(0, above.indexOf(checkout) + 1)
    const ignoreSets: RuleSet[] = []
    const gitSets: RuleSet[] = []
    for (const folder of fromAbove) {
      const below = `${path.relative(folder, root).split(path.sep).join('/')}/`
      addSet(ignoreSets, path.join(folder, '.ignore'), '', below, options)
      addSet(gitSets, path.join(folder, '.gitignore'), '', below, options)
    }
    const lead =
      checkout === undefined || checkout === root ? '' : `${path.relative(checkout, root).split(path.sep).join('/')}/`
    if (checkout !== undefined) {
      addSet(gitSets, path.join(gitFolder(checkout), 'info/exclude'), '', lead, options)
    }
    if (checkout !== undefined || options.outsideGit) {
      const excludes = globalExcludes(checkout, options.environment ?? process.env)
      if (excludes !== undefined) addSet(gitSets, excludes, '', lead, options)
    }
    const perforce = perforceSettings(root, {
      environment: options.environment ?? process.env,
      ...(options.platform === undefined ? {} : { platform: options.platform }),
    })
    const perforceSets = perforceAbove(root, above, perforce, options)
    const inCheckout = checkout !== undefined
    return new IgnoreRules(options, ignoreSets, gitSets, perforceSets, inCheckout, perforce).#with(root, '')
  }

  /** The rules inside a folder below. `names` are its entries, so that files that are not there cost nothing. */
  enter(folder: string | Buffer, relative: string, names: ReadonlySet<string>): IgnoreRules {
    const nested = names.has('.git')
    if (names.size === 0) return this
    if (!nested) return this.#with(folder, `${relative}/`)
    // A checkout of its own: what the outer one ignores says nothing about it.
    const gitSets: RuleSet[] = []
    addSet(gitSets, path.join(gitFolder(folder.toString()), 'info/exclude'), `${relative}/`, '', this.#options)
    const excludes = globalExcludes(folder.toString(), this.#options.environment ?? process.env)
    if (excludes !== undefined) addSet(gitSets, excludes, `${relative}/`, '', this.#options)
    return new IgnoreRules(this.#options, this.#ignoreSets, gitSets, this.#perforceSets, true, this.#perforce).#with(
      folder,
      `${relative}/`,
    )
  }

  /**
   * Whether an entry is ignored, or expressly taken in (`false`); undefined where no rule speaks of it. `relative` is its
   * path below the root with `/`. Parents are known not to be ignored.
   */
  ignores(relative: string, name: string, isDirectory: boolean): boolean | undefined {
    const byIgnore = decide(this.#ignoreSets, relative, name, isDirectory)
    if (byIgnore === true || this.#perforce.neverShown.has(name)) return true
    if (this.#perforceSets.length > 0 && decide(this.#perforceSets, relative, name, isDirectory) === true) return true
    return byIgnore ?? decide(this.#gitSets, relative, name, isDirectory)
  }

  #with(folder: string | Buffer, prefix: string): IgnoreRules {
    const ignoreSets: RuleSet[] = []
    const gitSets: RuleSet[] = []
    addSet(ignoreSets, inFolder(folder, '.ignore'), prefix, '', this.#options)
    if (this.#inCheckout || this.#options.outsideGit) {
      addSet(gitSets, inFolder(folder, '.gitignore'), prefix, '', this.#options)
    }
    const perforceSets: RuleSet[] = []
    for (const file of this.#perforce.relative) addPerforce(perforceSets, folder, file, prefix, '', this.#options)
    if (ignoreSets.length + gitSets.length + perforceSets.length === 0) return this
    return new IgnoreRules(
      this.#options,
      [...ignoreSets, ...this.#ignoreSets],
      [...gitSets, ...this.#gitSets],
      [...perforceSets, ...this.#perforceSets],
      this.#inCheckout,
      this.#perforce,
    )
  }
}

/** The last rule that matches decides within a file, the innermost file that has one decides over all. */
function decide(sets: readonly RuleSet[], relative: string, name: string, isDirectory: boolean): boolean | undefined {
  for (const set of sets) {
    const below = set.lead === '' ? relative.slice(set.prefix.length) : set.lead + relative
    for (let at = set.rules.length - 1; at >= 0; at -= 1) {
      const rule = set.rules[at]
      if (rule === undefined || (rule.directoriesOnly && !isDirectory)) continue
      if (rule.matches(rule.byName ? name : below)) return !rule.negated
    }
  }
  return undefined
}

function addSet(sets: RuleSet[], file: string | Buffer, prefix: string, lead: string, options: IgnoreOptions): void {
  const text = readSmall(file)
  if (text === undefined) return
  const rules = parseIgnoreRules(text, options.ignoresCase)
  if (rules.length > 0) sets.push({ prefix, lead, rules })
}

/** Later files of one folder go before earlier ones, so each is put in front. */
function addPerforce(
  sets: RuleSet[],
  folder: string | Buffer,
  file: string,
  prefix: string,
  lead: string,
  options: IgnoreOptions,
): void {
  const text = readSmall(path.isAbsolute(file) ? file : inFolder(folder, file))
  if (text === undefined) return
  const rules = parsePerforceRules(text, options.ignoresCase, (options.platform ?? process.platform) === 'win32')
  if (rules.length > 0) sets.unshift({ prefix, lead, rules })
}

/** Perforce's rules for everything, and those of the folders above the root, outer last. */
function perforceAbove(
  root: string,
  above: readonly string[],
  perforce: PerforceSettings,
  options: IgnoreOptions,
): RuleSet[] {
  const leadFrom = (folder: string) => {
    const relative = path.relative(folder, root)
    return relative === '' || relative.startsWith('..') || path.isAbsolute(relative)
      ? ''
      : `${relative.split(path.sep).join('/')}/`
  }
  const everywhere: RuleSet[] = []
  for (const file of perforce.absolute) {
    addPerforce(everywhere, path.dirname(file), file, '', leadFrom(path.dirname(file)), options)
  }
  if (perforce.top === undefined || perforce.top === root) return everywhere
  const folders = above.slice(0, above.indexOf(perforce.top) + 1)
  const inFolders = folders.flatMap((folder) => {
    const sets: RuleSet[] = []
    for (const file of perforce.relative) addPerforce(sets, folder, file, '', leadFrom(folder), options)
    return sets
  })
  return [...inFolders, ...everywhere]
}

/** A file of a folder, whose path may be no UTF-8. */
function inFolder(folder: string | Buffer, name: string): string | Buffer {
  return typeof folder === 'string' ? path.join(folder, name) : Buffer.concat([folder, Buffer.from(`/${name}`)])
}

function readSmall(file: string | Buffer): string | undefined {
  try {
    const stats = statSync(file)
    return stats.isFile() && stats.size <= MAX_IGNORE_BYTES ? readFileSync(file, 'utf8') : undefined
  } catch {
    return undefined
  }
}

function hasGit(folder: string): boolean {
  try {
    return statSync(path.join(folder, '.git'), { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/** Where a checkout keeps what all its worktrees share. */
function gitFolder(checkout: string): string {
  const dotGit = path.join(checkout, '.git')
  const pointer = /^gitdir: (.+)$/m.exec(readSmall(dotGit) ?? '')?.[1]
  if (pointer === undefined) return dotGit
  const folder = path.resolve(checkout, pointer.trim())
  const common = readSmall(path.join(folder, 'commondir'))?.trim()
  return common === undefined || common === '' ? folder : path.resolve(folder, common)
}

/** `core.excludesFile` of the checkout or the person, else Git's default place. */
function globalExcludes(checkout: string | undefined, environment: NodeJS.ProcessEnv): string | undefined {
  const home = environment.HOME ?? environment.USERPROFILE ?? homedir()
  const settings = environment.XDG_CONFIG_HOME || path.join(home, '.config')
  const files = [path.join(home, '.gitconfig'), path.join(settings, 'git/config')]
  if (checkout !== undefined) files.unshift(path.join(gitFolder(checkout), 'config'))
  for (const file of files) {
    const value = excludesFileIn(readSmall(file) ?? '')
    if (value === undefined) continue
    return value.startsWith('~/') ? path.join(home, value.slice(2)) : path.isAbsolute(value) ? value : undefined
  }
  return path.join(settings, 'git/ignore')
}

function excludesFileIn(config: string): string | undefined {
  let inCore = false
  let found: string | undefined
  for (const line of config.split(/\r?\n/)) {
    const section = /^\s*\[\s*([^\]]*?)\s*\]/.exec(line)?.[1]
    if (section !== undefined) inCore = section.toLowerCase() === 'core'
    const value = inCore ? /^\s*excludesfile\s*=\s*(.*?)\s*$/i.exec(line)?.[1] : undefined
    if (value !== undefined) found = value.replace(/^"(.*)"$/, '$1').replaceAll('\\\\', '\\')
  }
  return found
}
