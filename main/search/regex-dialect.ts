import { PlumblineError } from '../platform/errors'

/** How a pattern came to be an expression (SEARCH-04). */
export type MatcherKind = 'regex' | 'repaired' | 'literal'

export interface CompiledPattern {
  /** As it was given. */
  readonly pattern: string
  /** JavaScript source, to be matched against one line. */
  readonly source: string
  readonly ignoreCase: boolean
  readonly unicode: boolean
  readonly kind: MatcherKind
}

/** Longest pattern, in characters. */
export const MAX_PATTERN_LENGTH = 4096

interface Flags {
  readonly i: boolean
  readonly x: boolean
}

/**
 * Compiles a pattern in JavaScript's dialect, with inline flags `(?i) (?m) (?s) (?x)`, leading or scoped, translated, and
 * a few spellings of other dialects (`(?P<name>…)`, `\A`, `\z`). Lines are matched one by one, so `m` and `s` change
 * nothing (decision 10). Throws `invalid_arguments` for blank patterns (SEARCH-15) and what is no expression.
 */
export function compilePattern(pattern: string, ignoreCase: boolean): CompiledPattern {
  requireUsable(pattern)
  const translated = translate(pattern, ignoreCase)
  const failure = check(translated)
  if (failure !== undefined) {
    throw new PlumblineError('invalid_arguments', `The pattern ${JSON.stringify(pattern)} is not valid: ${failure}`)
  }
  return { pattern, ...translated, kind: 'regex' }
}

/** As `compilePattern`, but mends unbalanced brackets and otherwise takes the pattern as plain text (SEARCH-04). */
export function compileForgiving(pattern: string, ignoreCase: boolean): CompiledPattern {
  requireUsable(pattern)
  const direct = translate(pattern, ignoreCase)
  if (check(direct) === undefined) return { pattern, ...direct, kind: 'regex' }
  const repaired = translate(escapeUnbalanced(pattern), ignoreCase)
  if (check(repaired) === undefined) return { pattern, ...repaired, kind: 'repaired' }
  return { pattern, source: escapeRegex(pattern), ignoreCase, unicode: false, kind: 'literal' }
}

/** The source of an expression that matches this text and nothing else. */
export function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

function requireUsable(pattern: string): void {
  if (pattern.trim() === '') throw new PlumblineError('invalid_arguments', 'The pattern is empty or only white space.')
  if (pattern.length > MAX_PATTERN_LENGTH) {
    throw new PlumblineError('invalid_arguments', `The pattern is longer than ${MAX_PATTERN_LENGTH} characters.`)
  }
}

type Translated = Pick<CompiledPattern, 'source' | 'ignoreCase' | 'unicode'>

function check(translated: Translated): string | undefined {
  try {
    new RegExp(translated.source, translated.unicode ? 'u' : '')
    return undefined
  } catch (failure) {
    return failure instanceof Error ? failure.message.replace(/^Invalid regular expression: /, '') : String(failure)
  }
}

function translate(pattern: string, ignoreCase: boolean): Translated {
  const leading = /^\(\?([imsx]+)\)/.exec(pattern)
  const whole = ignoreCase || (leading?.[1]?.includes('i') ?? false)
  const start: Flags = { i: whole, x: leading?.[1]?.includes('x') ?? false }
  const body = leading === null ? pattern : pattern.slice(leading[0].length)
  const source = new Translation(body, whole).run(start)
  return { source, ignoreCase: whole, unicode: /\\[pP]\{|\\u\{/.test(source) }
}

/** Reads a pattern once, with the flags that hold at each place. `whole` says that case is ignored throughout. */
class Translation {
  readonly #pattern: string
  readonly #whole: boolean
  #at = 0
  #out = ''

  constructor(pattern: string, whole: boolean) {
    this.#pattern = pattern
    this.#whole = whole
  }

  run(start: Flags): string {
    const outer: Flags[] = []
    let flags = start
    while (this.#at < this.#pattern.length) {
      const character = this.#pattern.charAt(this.#at)
      if (character === '(') flags = this.#open(flags, outer)
      else if (character === ')') {
        flags = outer.pop() ?? flags
        this.#copy(1)
      } else if (character === '\\') this.#escape()
      else if (character === '[') this.#class(flags)
      else if (flags.x && /\s/.test(character)) this.#at += 1
      else if (flags.x && character === '#') this.#skipComment()
      else this.#literal(character, flags)
    }
    return this.#out
  }

  #open(flags: Flags, outer: Flags[]): Flags {
    const rest = this.#pattern.slice(this.#at, this.#at + 16)
    const switched = /^\(\?([imsx]*)(?:-([imsx]+))?([:)])/.exec(rest)
    if (switched !== null && switched[0] !== '(?:' && switched[0] !== '(?)') {
      const [text, on = '', off = '', end] = switched
      const next = {
        i: (flags.i || on.includes('i')) && !off.includes('i'),
        x: (flags.x || on.includes('x')) && !off.includes('x'),
      }
      this.#at += text.length
      if (end === ')') return next
      outer.push(flags)
      this.#out += '(?:'
      return next
    }
    outer.push(flags)
    if (rest.startsWith('(?P<')) {
      this.#out += '(?<'
      this.#at += 4
    } else this.#copy(1)
    return flags
  }

  #escape(): void {
    const next = this.#pattern[this.#at + 1]
    if (next === 'A') this.#replace(2, '^')
    else if (next === 'z' || next === 'Z') this.#replace(2, '$')
    else this.#copy(2)
  }

  /** A class is copied; where only a part of the pattern ignores case, the other case of its letters is added. */
  #class(flags: Flags): void {
    const end = classEnd(this.#pattern, this.#at)
    const text = this.#pattern.slice(this.#at, end)
    this.#at = end
    this.#out += flags.i && !this.#whole && text.endsWith(']') ? `${text.slice(0, -1)}${otherCase(text)}]` : text
  }

  #literal(character: string, flags: Flags): void {
    const other = flags.i && !this.#whole ? swapCase(character) : character
    if (other === character) this.#copy(1)
    else this.#replace(1, `[${character}${other}]`)
  }

  #skipComment(): void {
    const newline = this.#pattern.indexOf('\n', this.#at)
    this.#at = newline === -1 ? this.#pattern.length : newline + 1
  }

  #copy(length: number): void {
    this.#out += this.#pattern.slice(this.#at, this.#at + length)
    this.#at += length
  }

  #replace(length: number, by: string): void {
    this.#out += by
    this.#at += length
  }
}

/** The place behind a class that begins at `start`. */
export function classEnd(pattern: string, start: number): number {
  let at = start + 1
  if (pattern[at] === '^') at += 1
  while (at < pattern.length && pattern[at] !== ']') at += pattern[at] === '\\' ? 2 : 1
  return Math.min(pattern.length, at + 1)
}

function otherCase(group: string): string {
  let added = ''
  for (const match of group.matchAll(/\\.|([A-Za-z])-([A-Za-z])|([A-Za-z])/g)) {
    const [, low, high, single] = match
    if (low !== undefined && high !== undefined) added += `${swapCase(low)}-${swapCase(high)}`
    else if (single !== undefined) added += swapCase(single)
  }
  return added
}

function swapCase(character: string): string {
  const lower = character.toLowerCase()
  return lower === character ? character.toUpperCase() : lower
}

/** Escapes brackets that have no partner. */
function escapeUnbalanced(pattern: string): string {
  const open: number[] = []
  const lonely = new Set<number>()
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at]
    if (character === '\\') at += 1
    else if (character === '[') {
      const end = classEnd(pattern, at)
      if (pattern[end - 1] === ']' && end - at > 2) at = end - 1
      else lonely.add(at)
    } else if (character === '(') open.push(at)
    else if (character === ')' && open.pop() === undefined) lonely.add(at)
    else if (character === '{' && !/^\{\d+(,\d*)?\}/.test(pattern.slice(at, at + 16))) lonely.add(at)
  }
  for (const at of open) lonely.add(at)
  return [...pattern.split('').entries()]
    .map(([at, character]) => (lonely.has(at) ? `\\${character}` : character))
    .join('')
}
