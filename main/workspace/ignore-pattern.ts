/** One rule of an ignore file, compiled. */
export interface IgnoreRule {
  readonly negated: boolean
  readonly directoriesOnly: boolean
  /** Tests the name alone; otherwise the path below the folder of the file. */
  readonly byName: boolean
  matches(subject: string): boolean
}

/** Longest line taken from an ignore file, in characters; longer ones are ignored. */
const MAX_PATTERN_LENGTH = 4096

/** Most rules taken from one ignore file. */
const MAX_RULES = 20_000

/** As `parseIgnoreRules`, with Perforce's spelling: `...` for any path, and on Windows `\\` between folders. */
export function parsePerforceRules(text: string, ignoresCase: boolean, backslashes: boolean): IgnoreRule[] {
  const spelled = backslashes ? text.replaceAll('\\', '/') : text
  return parseIgnoreRules(spelled.replaceAll('...', '**'), ignoresCase)
}

/**
 * Compiles the lines of a `.gitignore`-like file by Git's rules: comments, `!`, trailing `/`, anchoring by `/`, `*`, `**`,
 * `?`, classes, backslash. Lines that can match nothing are left out.
 */
export function parseIgnoreRules(text: string, ignoresCase: boolean): IgnoreRule[] {
  const rules: IgnoreRule[] = []
  for (const line of text.replace(/^\uFEFF/, '').split('\n')) {
    if (rules.length >= MAX_RULES) break
    const rule = parseLine(line.replace(/\r$/, ''), ignoresCase)
    if (rule !== undefined) rules.push(rule)
  }
  return rules
}

function parseLine(line: string, ignoresCase: boolean): IgnoreRule | undefined {
  if (line.startsWith('#') || line.length > MAX_PATTERN_LENGTH) return undefined
  let pattern = trimTrailingSpaces(line)
  const negated = pattern.startsWith('!')
  if (negated) pattern = pattern.slice(1)
  if (pattern === '' || pattern === '/') return undefined
  const directoriesOnly = pattern.endsWith('/')
  if (directoriesOnly) pattern = pattern.slice(0, -1)
  const byName = !pattern.includes('/')
  if (pattern.startsWith('/')) pattern = pattern.slice(1)
  const matches = compile(pattern, byName, ignoresCase)
  return matches && { negated, directoriesOnly, byName, matches }
}

/** Spaces at the end don't count, unless a backslash stands before them. */
function trimTrailingSpaces(line: string): string {
  let end = line.length
  while (end > 0 && line[end - 1] === ' ') end -= 1
  if (end === line.length) return line
  let slashes = 0
  while (line[end - 1 - slashes] === '\\') slashes += 1
  return slashes % 2 === 1 ? line.slice(0, end + 1) : line.slice(0, end)
}

/** Most patterns are a plain name or a suffix; those need no regular expression. */
function compile(pattern: string, byName: boolean, ignoresCase: boolean): IgnoreRule['matches'] | undefined {
  if (!ignoresCase) {
    if (!/[*?[\\]/.test(pattern)) return (subject) => subject === pattern
    const suffix = pattern.slice(1)
    if (byName && pattern.startsWith('*') && !/[*?[\\/]/.test(suffix)) return (subject) => subject.endsWith(suffix)
  }
  const source = wildcardSource(asBytes(pattern))
  if (source === undefined) return undefined
  const expression = new RegExp(`^${source}$`, ignoresCase ? 'is' : 's')
  return (subject) => expression.test(asBytes(subject))
}

/** Git compares bytes: `?` is one byte, not one character. One code unit a byte; ASCII text stays as it is. */
function asBytes(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1')
}

/** A wildcard pattern with Git's path rules as the source of a regular expression; undefined when it can't match. */
function wildcardSource(pattern: string): string | undefined {
  let source = ''
  let at = 0
  while (at < pattern.length) {
    const character = pattern.charAt(at)
    if (character === '*') {
      let end = at
      while (pattern[end] === '*') end += 1
      const isWholePart =
        end - at === 2 && (at === 0 || pattern[at - 1] === '/') && (end === pattern.length || pattern[end] === '/')
      if (!isWholePart) source += '[^/]*'
      else if (end === pattern.length) source += '.*'
      else {
        source += '(?:.*/)?'
        end += 1
      }
      at = end
    } else if (character === '?') {
      source += '[^/]'
      at += 1
    } else if (character === '[') {
      const group = classSource(pattern, at)
      if (group === undefined) return undefined
      source += group.source
      at = group.end
    } else {
      const escaped = character === '\\'
      if (escaped && at + 1 >= pattern.length) return undefined
      source += escapeCharacter(escaped ? pattern.charAt(at + 1) : character)
      at += escaped ? 2 : 1
    }
  }
  return source
}

const POSIX_CLASSES: Readonly<Record<string, string>> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  blank: ' \\t',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '\\x21-\\x7e',
  lower: 'a-z',
  print: '\\x20-\\x7e',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\s',
  upper: 'A-Z',
  xdigit: '0-9A-Fa-f',
}

function classSource(pattern: string, start: number): { source: string; end: number } | undefined {
  let at = start + 1
  const negated = pattern[at] === '!' || pattern[at] === '^'
  if (negated) at += 1
  let inside = ''
  let first = true
  for (;;) {
    const character = pattern[at]
    if (character === undefined) return undefined
    if (character === ']' && !first) break
    first = false
    const posix = /^\[:([a-z]+):\]/.exec(pattern.slice(at, at + 12))
    if (posix?.[1] !== undefined) {
      const members = POSIX_CLASSES[posix[1]]
      if (members === undefined) return undefined
      inside += members
      at += posix[0].length
      continue
    }
    const low = classMember(pattern, at)
    if (low === undefined) return undefined
    at = low.end
    const high = pattern[at] === '-' && pattern[at + 1] !== ']' ? classMember(pattern, at + 1) : undefined
    if (high === undefined) inside += escapeCharacter(low.character)
    else {
      at = high.end
      if (low.character <= high.character)
        inside += `${escapeCharacter(low.character)}-${escapeCharacter(high.character)}`
    }
  }
  // A class never matches the separator.
  if (inside === '') return negated ? { source: '[^/]', end: at + 1 } : { source: '(?!)', end: at + 1 }
  return { source: negated ? `[^/${inside}]` : `(?!/)[${inside}]`, end: at + 1 }
}

function classMember(pattern: string, at: number): { character: string; end: number } | undefined {
  const character = pattern[at]
  if (character !== '\\') return character === undefined ? undefined : { character, end: at + 1 }
  const next = pattern[at + 1]
  return next === undefined ? undefined : { character: next, end: at + 2 }
}

function escapeCharacter(character: string): string {
  return /[\\^$.*+?()[\]{}|/-]/.test(character) ? `\\${character}` : character
}
