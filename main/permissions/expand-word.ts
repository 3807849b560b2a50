import path from 'node:path'
import picomatch from 'picomatch'
import type { LossProbe } from './loss-probe'
import type { Word } from './shell-word'

/** Paths that one word may expand to before it counts as too many to list. */
const MAX_PATHS = 2_000

export interface Expansion {
  /** The folder relative words start from; undefined when it is not known. */
  readonly cwd: string | undefined
  readonly home: string
  /** Values of variables; null is unknown, absent is not set, which a shell takes as empty. */
  readonly variables: ReadonlyMap<string, string | null>
  /** Variables may be set where nobody looked: absent is unknown then. */
  readonly hiddenVariables?: boolean
}

/** Absolute paths a word stands for, or undefined where only running it can tell. */
export async function expandWord(word: Word, where: Expansion, probe: LossProbe): Promise<string[] | undefined> {
  const pattern = patternOf(word, where)
  if (pattern === undefined || pattern.text === '') return pattern === undefined ? undefined : []
  if (!path.isAbsolute(pattern.text) && where.cwd === undefined) return undefined
  const absolute = path.isAbsolute(pattern.text) ? pattern.text : `${where.cwd ?? ''}/${pattern.text}`
  if (!pattern.globs) return [path.resolve(unescapeGlob(absolute))]
  return expandGlob(absolute, probe)
}

/** The word as one glob pattern in which quoted glob characters are escaped. */
function patternOf(word: Word, where: Expansion): { text: string; globs: boolean } | undefined {
  let text = ''
  let globs = false
  for (const [index, part] of word.parts.entries()) {
    if (part.kind === 'unknown') return undefined
    if (part.kind === 'variable') {
      const value = variableValue(part.name, where)
      // Outside quotes a value may be split into several words or be a pattern itself.
      if (value === null || (!part.quoted && /[\s*?[]/.test(value))) return undefined
      text += escapeGlob(value)
      continue
    }
    if (part.quoted) text += escapeGlob(part.text)
    else {
      const body = index === 0 ? tilde(part.text, where.home) : part.text
      if (body === undefined || /[{}]/.test(part.text)) return undefined
      globs ||= /[*?[]/.test(part.text)
      text += body
    }
  }
  return { text, globs }
}

function variableValue(name: string, where: Expansion): string | null {
  const known = where.variables.get(name)
  if (known !== undefined) return known
  if (name === 'HOME') return where.home
  if (name === 'PWD') return where.cwd ?? null
  if (name === 'OLDPWD' || where.hiddenVariables === true) return null
  return ''
}

function tilde(text: string, home: string): string | undefined {
  if (!text.startsWith('~')) return text
  if (text === '~' || text.startsWith('~/')) return `${escapeGlob(home)}${text.slice(1)}`
  return undefined
}

async function expandGlob(pattern: string, probe: LossProbe): Promise<string[] | undefined> {
  let folders = ['/']
  for (const part of pattern.split('/').filter((piece) => piece !== '')) {
    const next: string[] = []
    for (const folder of folders) {
      if (!/(^|[^\\])[*?[]/.test(part)) next.push(path.join(folder, unescapeGlob(part)))
      else for (const name of await matching(folder, part, probe)) next.push(path.join(folder, name))
      if (next.length > MAX_PATHS) return undefined
    }
    folders = next
  }
  return folders
}

async function matching(folder: string, part: string, probe: LossProbe): Promise<string[]> {
  // Shells don't match a leading dot unless it is written, and never `.` and `..`.
  const matches = picomatch(part, {
    dot: part.startsWith('.'),
    nobrace: true,
    noextglob: true,
    noglobstar: true,
    nonegate: true,
  })
  const names = await probe.names(folder)
  return names.filter((name) => matches(name) && (part.startsWith('.') || !name.startsWith('.')))
}

function escapeGlob(text: string): string {
  return text.replaceAll(/[*?[\]\\{}()!]/g, '\\$&')
}

function unescapeGlob(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1')
}
