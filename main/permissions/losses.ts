import path from 'node:path'
import type { Touch } from '../../preload/contract/effects'
import { type Expansion, expandWord } from './expand-word'
import { gitLosses } from './git-losses'
import type { Doomed, LossProbe } from './loss-probe'
import { parseShellLine, type ShellLine, type SimpleCommand } from './shell-line'
import { type Word, wordPattern } from './shell-word'
import { commandName, innerCommands } from './unwrap'

/** Targets that are listed; more are counted. */
const MAX_LISTED = 200

export interface LossPlaces {
  readonly cwd: string
  /** The project and the added folders, absolute real paths. */
  readonly roots: readonly string[]
  readonly home: string
  /** What is lost below it is nobody's loss: the session's own temporary folder. */
  readonly temporaryFolder?: string
}

export interface Losses {
  /** What would be lost, resolved; a target that only running can tell stands as it was written. */
  readonly loses: Touch[]
  /** How many in all. */
  readonly total: number
  /** Why this is never run, in no mode (decision 3). */
  readonly refuse?: string
}

/**
 * What a command line would delete or overwrite, found without running it: deletes, `git clean` and its like,
 * redirects and copies over existing files, disk tools. Refuses the deletion of a file-system root, a mount, a home
 * folder or a root of the project, also by way of links, variables that are not set and `*` (decision 3).
 */
export async function findLosses(commandLine: string, places: LossPlaces, probe: LossProbe): Promise<Losses> {
  const line = parseShellLine(commandLine)
  const doomed = await collect(line, places, probe)
  const refuse = await refusal(doomed, places, probe)
  const loses: Touch[] = []
  const seen = new Set<string>()
  for (const each of doomed) {
    if (seen.has(each.target) || (await isNobodysLoss(each, places, probe))) continue
    seen.add(each.target)
    if (loses.length < MAX_LISTED) loses.push({ kind: 'delete', target: each.target })
  }
  return { loses, total: seen.size, ...(refuse !== undefined && { refuse }) }
}

async function collect(line: ShellLine, places: LossPlaces, probe: LossProbe): Promise<Doomed[]> {
  const found: Doomed[] = []
  if (line.overlong)
    found.push({ target: 'whatever this very long command deletes', recursive: false, unresolved: true })
  let cwd: string | undefined = places.cwd
  const variables = new Map([...line.variables].map(([name, word]) => [name, word?.text ?? null]))
  for (const command of line.commands) {
    const where: Expansion = { cwd, home: places.home, variables }
    found.push(...(await lossesOf(command, false, where, probe)))
    found.push(...(await innerLosses(command, where, probe)))
    if (!command.nested) cwd = await followFolder(command, where, probe)
    else if (commandName(command.words[0]) === 'cd') cwd = undefined
  }
  return found
}

/** Behind wrappers and in scripts; a script moves about and sets variables of its own. */
async function innerLosses(command: SimpleCommand, outer: Expansion, probe: LossProbe): Promise<Doomed[]> {
  const found: Doomed[] = []
  const variables = new Map(outer.variables)
  let cwd = outer.cwd
  for (const inner of innerCommands(command)) {
    const where: Expansion = { ...outer, cwd, variables, hiddenVariables: inner.scripted }
    found.push(...(await lossesOf(inner.command, inner.feeds, where, probe)))
    if (!inner.scripted) continue
    if (inner.command.words.length === 0) {
      for (const { name, value } of inner.command.assignments) variables.set(name, value?.text ?? null)
    }
    cwd = await followFolder(inner.command, where, probe)
  }
  return found
}

async function followFolder(command: SimpleCommand, where: Expansion, probe: LossProbe): Promise<string | undefined> {
  const name = commandName(command.words[0])
  if (name !== 'cd' && name !== 'pushd' && name !== 'popd') return where.cwd
  const target = command.words.slice(1).find((word) => !/^-[LPe@]+$/.test(word.raw) && word.raw !== '--')
  if (name === 'popd' || target?.raw === '-') return undefined
  if (target === undefined) return where.home
  const [folder, second] = (await expandWord(target, where, probe)) ?? []
  if (folder === undefined || second !== undefined) return undefined
  // Where `cd` fails the next command runs in the folder before it.
  const kind = (await probe.entry(folder))?.kind
  return kind === 'directory' || kind === 'link' ? folder : undefined
}

async function lossesOf(command: SimpleCommand, feeds: boolean, where: Expansion, probe: LossProbe): Promise<Doomed[]> {
  const overwritten = command.redirects
    .filter(({ operator }) => /^(>|>\||&>|>&)$/.test(operator))
    .map(({ target }) => target)
  const found = await existingFiles(overwritten, where, probe)
  const name = commandName(command.words[0])
  if (name === undefined) return found
  const words = command.words.slice(1)
  if (name === 'git') return [...found, ...(await gitLosses(words.map(wordPattern), where.cwd, probe))]
  const judge = JUDGES[name] ?? (/^(mkfs|mke2fs|newfs)/.test(name) ? disk : undefined)
  if (judge === undefined) return found
  return [...found, ...(await judge({ words, feeds, where, probe }))]
}

interface Asked {
  readonly words: readonly Word[]
  /** More arguments come from elsewhere. */
  readonly feeds: boolean
  readonly where: Expansion
  readonly probe: LossProbe
}

type Judge = (asked: Asked) => Promise<Doomed[]>

const JUDGES: Readonly<Record<string, Judge>> = {
  rm: (asked) => remove(asked, flags(asked.words, /^-[a-zA-Z]*[rR]|^--recursive$/)),
  rmdir: (asked) => remove(asked, false),
  unlink: (asked) => remove(asked, false),
  shred: (asked) => remove(asked, false),
  trash: (asked) => remove(asked, true),
  del: (asked) => remove(asked, false),
  rimraf: (asked) => remove(asked, true),
  find: findDelete,
  mv: overwriteByCopy,
  cp: overwriteByCopy,
  tee: async (asked) =>
    flags(asked.words, /^-[a-z]*a|^--append$/) ? [] : existingFiles(operands(asked.words), asked.where, asked.probe),
  truncate: (asked) =>
    existingFiles(operands(asked.words, ['-s', '--size', '-r', '--reference']), asked.where, asked.probe),
  dd: writeDisk,
  wipefs: disk,
  fdisk: disk,
  sfdisk: disk,
  cfdisk: disk,
  gdisk: disk,
  sgdisk: disk,
  parted: disk,
  mkswap: disk,
  blkdiscard: disk,
  diskutil: disk,
  rsync: async (asked) =>
    flags(asked.words, /^--(delete|del)/) ? remove({ ...asked, words: operands(asked.words).slice(-1) }, true) : [],
}

async function remove(asked: Asked, recursive: boolean): Promise<Doomed[]> {
  const found: Doomed[] = asked.feeds
    ? [{ target: 'whatever the command is given at run time', recursive, unresolved: true }]
    : []
  found.push(...(await resolveAll(operands(asked.words), recursive, asked)))
  return found
}

async function resolveAll(words: readonly Word[], recursive: boolean, asked: Asked): Promise<Doomed[]> {
  const found: Doomed[] = []
  for (const word of words) {
    const paths = await expandWord(word, asked.where, asked.probe)
    // With a slash at its end a link is what it leads to.
    const slashed = joinedPattern(word).endsWith('/')
    if (paths === undefined) found.push({ target: word.raw, recursive, unresolved: true })
    else for (const each of paths) found.push({ target: slashed ? await asked.probe.real(each) : each, recursive })
    // All of a folder's contents is as good as the folder.
    const whole = /^(.*\/)?(\*|\.\*|\.\[!\.\]\*)$/.test(joinedPattern(word))
    if (whole && recursive) found.push(...(await wholeFolder(word, asked)))
  }
  return found
}

function joinedPattern(word: Word): string {
  return word.parts.map((part) => (part.kind === 'text' ? part.text : '$')).join('')
}

/** `FOLDER/*` counts as the folder where that is one which is never deleted; only the refusal looks at these. */
async function wholeFolder(word: Word, asked: Asked): Promise<Doomed[]> {
  const parts = [...word.parts]
  const last = parts.pop()
  if (last?.kind !== 'text') return []
  const trimmed = { ...last, text: last.text.replace(/[^/]*$/, '.') }
  const paths =
    (await expandWord({ raw: word.raw, text: undefined, parts: [...parts, trimmed] }, asked.where, asked.probe)) ?? []
  return paths.map((each) => ({ target: `${each}${each.endsWith('/') ? '' : '/'}*`, recursive: true }))
}

async function findDelete(asked: Asked): Promise<Doomed[]> {
  const texts = asked.words.map(wordPattern)
  const runs = texts.findIndex((text) => /^-(exec|execdir|ok|okdir)$/.test(text))
  const deletes =
    texts.includes('-delete') || (runs >= 0 && /(^|\/)(rm|rmdir|unlink|shred)$/.test(texts[runs + 1] ?? ''))
  if (!deletes) return []
  const firstTest = texts.findIndex((text) => /^[-(!]/.test(text) && !/^-[HLPDO]/.test(text))
  const starts = asked.words.slice(0, firstTest < 0 ? undefined : firstTest).filter((word) => !word.raw.startsWith('-'))
  const selective = texts.some((text) =>
    /^-(i?name|i?path|i?regex|[acm](time|min)|newer|size|empty|user|group|perm|maxdepth|type)$/.test(text),
  )
  const found =
    starts.length > 0
      ? await resolveAll(starts, true, asked)
      : asked.where.cwd === undefined
        ? []
        : [{ target: asked.where.cwd, recursive: true }]
  // With a condition only a part of the folder goes: listed as the folder's contents, and not the folder itself.
  return selective
    ? found.map((each) => ({ ...each, target: `${each.target} (what find matches)`, unresolved: true }))
    : found
}

/** `mv` and `cp` onto files that exist. */
async function overwriteByCopy(asked: Asked): Promise<Doomed[]> {
  if (flags(asked.words, /^-[a-zA-Z]*[n]|^--no-clobber$|^-[a-zA-Z]*b|^--backup/)) return []
  const all = operands(asked.words, ['-t', '--target-directory', '-S', '--suffix'])
  const target = all.at(-1)
  if (all.length < 2 || target === undefined) return []
  const [destination] = (await expandWord(target, asked.where, asked.probe)) ?? []
  if (destination === undefined) return []
  const entry = await asked.probe.entry(await asked.probe.real(destination))
  if (entry?.kind === 'file') return entry.bytes > 0 ? [{ target: destination, recursive: false }] : []
  if (entry?.kind !== 'directory') return []
  const sources = await resolveAll(all.slice(0, -1), false, asked)
  const found: Doomed[] = []
  for (const source of sources) {
    const over = path.join(destination, path.basename(source.target))
    if (source.unresolved !== true && (await asked.probe.entry(over))?.kind === 'file')
      found.push({ target: over, recursive: false })
  }
  return found
}

async function writeDisk(asked: Asked): Promise<Doomed[]> {
  const output = asked.words
    .map(wordPattern)
    .find((text) => text.startsWith('of='))
    ?.slice(3)
  if (output === undefined || /^\/dev\/(null|zero|stdout|stderr)$/.test(output)) return []
  const target = path.resolve(asked.where.cwd ?? '/', output)
  return (await asked.probe.entry(target)) === undefined ? [] : [{ target, recursive: false }]
}

async function disk(asked: Asked): Promise<Doomed[]> {
  if (flags(asked.words, /^(-l|--list|-n|--no-act|--help|--version|print|list|info)$/)) return []
  return operands(asked.words)
    .map(wordPattern)
    .filter((text) => text.startsWith('/dev/'))
    .map((target) => ({ target, recursive: true, unresolved: true }))
}

async function existingFiles(words: readonly Word[], where: Expansion, probe: LossProbe): Promise<Doomed[]> {
  const found: Doomed[] = []
  for (const word of words) {
    if (/^\/dev\/(null|stdout|stderr|tty|fd\/\d+)$/.test(word.raw)) continue
    const paths = await expandWord(word, where, probe)
    if (paths === undefined) continue
    for (const each of paths) {
      const entry = await probe.entry(await probe.real(each))
      if (entry?.kind === 'file' && entry.bytes > 0) found.push({ target: each, recursive: false })
    }
  }
  return found
}

function flags(words: readonly Word[], expression: RegExp): boolean {
  const end = words.findIndex((word) => word.text === '--')
  return words.slice(0, end < 0 ? undefined : end).some((word) => expression.test(word.text ?? word.raw))
}

function operands(words: readonly Word[], valueOptions: readonly string[] = []): Word[] {
  const found: Word[] = []
  let only = false
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]
    if (word === undefined) break
    if (only) found.push(word)
    else if (word.text === '--') only = true
    else if (valueOptions.includes(word.raw)) at += 1
    else if (!word.raw.startsWith('-') || word.raw === '-') found.push(word)
  }
  return found
}

async function isNobodysLoss(each: Doomed, places: LossPlaces, probe: LossProbe): Promise<boolean> {
  if (each.target.endsWith('/*')) return true
  if (each.unresolved === true) return false
  if ((await probe.entry(each.target)) === undefined) return true
  if (places.temporaryFolder === undefined) return false
  const relative = path.relative(places.temporaryFolder, each.target)
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative)
}

async function refusal(doomed: readonly Doomed[], places: LossPlaces, probe: LossProbe): Promise<string | undefined> {
  const recursive = doomed.filter((each) => each.recursive && each.unresolved !== true)
  if (recursive.length === 0) return undefined
  const mounts = await probe.mounts()
  const homes = [places.home, await probe.real(places.home)]
  const roots = [...places.roots, ...(await Promise.all(places.roots.map((root) => probe.real(root))))]
  for (const { target } of recursive) {
    const contents = target.endsWith('/*')
    const folder = contents ? target.slice(0, -2) || '/' : target
    // A link itself may go; with a slash or its contents, what it leads to goes.
    const entry = await probe.entry(folder)
    const real =
      entry?.kind === 'link' && !contents
        ? path.join(await probe.real(path.dirname(folder)), path.basename(folder))
        : await probe.real(folder)
    const what = sacred(real, homes, contents ? [] : roots, contents ? [] : mounts)
    if (what !== undefined)
      return `This would delete ${contents ? `everything in ${real}` : real}: ${what}. That is never done, in no mode. Name the files inside it instead.`
  }
  return undefined
}

function sacred(
  real: string,
  homes: readonly string[],
  roots: readonly string[],
  mounts: readonly string[],
): string | undefined {
  const holds = (inner: string) =>
    inner === real || (path.isAbsolute(inner) && !path.relative(real, inner).startsWith('..'))
  if (path.dirname(real) === real) return 'the root of a file system'
  if (homes.some(holds)) return 'a home folder or what holds it'
  if (roots.some(holds)) return 'the project folder or what holds it'
  if (/^\/(home|Users)\/[^/]+$/.test(real)) return 'a home folder'
  if (mounts.some((mount) => mount !== '/' && holds(mount))) return 'a mounted file system or what holds it'
  return undefined
}
