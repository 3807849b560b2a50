import { type CompiledPattern, classEnd } from './regex-dialect'

/** A line with a match: where the line lies in the text, and where in it the first match is. */
export interface LineHit {
  /** 1-based. */
  readonly line: number
  readonly text: string
  readonly start: number
  readonly end: number
}

/**
 * Finds the lines of a text that any of some patterns matches. Where the patterns allow it, one expression runs over the
 * whole text to find candidates; each is then judged on its own line, so matches never span lines.
 */
export class LineMatcher {
  readonly #line: RegExp
  /** Over the whole text; undefined where candidates can't be found that way. */
  readonly #whole: RegExp | undefined
  /** A text without any of these has no match; undefined when nothing is known. */
  readonly #required: readonly Buffer[] | undefined

  constructor(patterns: readonly CompiledPattern[]) {
    const ignoreCase = patterns.some((pattern) => pattern.ignoreCase)
    const unicode = patterns.some((pattern) => pattern.unicode) ? 'u' : ''
    const flags = `${ignoreCase ? 'i' : ''}${unicode}`
    this.#line = new RegExp(patterns.map((pattern) => `(?:${pattern.source})`).join('|'), flags)
    const sources = patterns.map((pattern) => sourceForWholeText(pattern.source))
    this.#whole = sources.every((source) => source !== undefined)
      ? new RegExp(sources.map((source) => `(?:${source})`).join('|'), `gm${flags}`)
      : undefined
    const literals = patterns.map((pattern) => requiredLiteral(pattern))
    this.#required = literals.every((literal) => literal !== undefined)
      ? literals.map((literal) => Buffer.from(literal))
      : undefined
  }

  /** Whether bytes of UTF-8 text can hold a match at all. */
  mayMatch(bytes: Buffer): boolean {
    return this.#required === undefined || this.#required.some((literal) => bytes.includes(literal))
  }

  /** The matching lines in order, each once. `onLine` is called now and then, for looks at a clock. */
  *lines(text: string, onLine: () => boolean): Generator<LineHit> {
    if (this.#whole === undefined) yield* this.#lineByLine(text, onLine)
    else yield* this.#byCandidates(text, this.#whole, onLine)
  }

  *#lineByLine(text: string, onLine: () => boolean): Generator<LineHit> {
    let line = 1
    for (let from = 0; from < text.length; line += 1) {
      const end = lineEnd(text, from)
      const hit = this.#judge(text, line, from, end)
      if (hit !== undefined) yield hit
      if (onLine()) return
      from = end + 1
    }
  }

  *#byCandidates(text: string, whole: RegExp, onLine: () => boolean): Generator<LineHit> {
    let line = 1
    let counted = 0
    whole.lastIndex = 0
    for (let match = whole.exec(text); match !== null; match = whole.exec(text)) {
      // Behind a final newline there is no line.
      if (match.index === text.length && (text === '' || text.endsWith('\n'))) return
      const from = text.lastIndexOf('\n', match.index - 1) + 1
      const start = match.index === 0 ? 0 : from
      for (
        let newline = text.indexOf('\n', counted);
        newline !== -1 && newline < start;
        newline = text.indexOf('\n', counted)
      ) {
        line += 1
        counted = newline + 1
      }
      const end = lineEnd(text, start)
      const hit = this.#judge(text, line, start, end)
      if (hit !== undefined) yield hit
      if (onLine()) return
      whole.lastIndex = end + 1
      if (whole.lastIndex >= text.length) return
    }
  }

  #judge(text: string, line: number, from: number, end: number): LineHit | undefined {
    const stop = end > from && text.charCodeAt(end - 1) === 13 ? end - 1 : end
    const content = text.slice(from, stop)
    const match = this.#line.exec(content)
    return match === null ? undefined : { line, text: content, start: match.index, end: match.index + match[0].length }
  }
}

function lineEnd(text: string, from: number): number {
  const newline = text.indexOf('\n', from)
  return newline === -1 ? text.length : newline
}

/**
 * The pattern so that it never reaches over a newline when run over a whole text; undefined where what surrounds a line
 * could decide (lookarounds) or where it asks for a newline.
 */
function sourceForWholeText(source: string): string | undefined {
  if (/\(\?(?:[=!]|<[=!])/.test(source)) return undefined
  let out = ''
  for (let at = 0; at < source.length; ) {
    const character = source.charAt(at)
    if (character === '\\') {
      const next = source.charAt(at + 1)
      if ('nrvfcux0'.includes(next)) return undefined
      out +=
        next === 's' ? '[^\\S\\n]' : next === 'W' ? '[^\\w\\n]' : next === 'D' ? '[^\\d\\n]' : source.slice(at, at + 2)
      if (next === 'p' || next === 'P' || next === 'k') return undefined
      at += 2
    } else if (character === '[') {
      const end = classEnd(source, at)
      const group = source.slice(at, end)
      const inside = group.startsWith('[^') ? `[^\\n${group.slice(2)}` : group
      if (/\\[nrvfcux0]|\\P|\\p/.test(group) || (inside === group && /\\[sWDS]/.test(group))) return undefined
      out += inside
      at = end
    } else {
      out += character
      at += 1
    }
  }
  return out
}

/** Shortest literal that is worth looking for first, in characters. */
const MIN_LITERAL = 2

/**
 * A text that every match contains, the longest that is easily seen: top-level characters without a quantifier that
 * could drop them. Undefined when there is none, or when case does not count.
 */
export function requiredLiteral(pattern: CompiledPattern): string | undefined {
  if (pattern.ignoreCase) return undefined
  const { source } = pattern
  let best = ''
  let run = ''
  const close = () => {
    if (run.length > best.length) best = run
    run = ''
  }
  for (let at = 0; at < source.length; ) {
    const character = source.charAt(at)
    if (character === '|') return undefined
    if (character === '(' || character === '[') {
      close()
      at = character === '(' ? groupEnd(source, at) : classEnd(source, at)
    } else if ('*?{'.includes(character)) {
      run = run.slice(0, -1)
      close()
      at = character === '{' ? Math.max(at + 1, source.indexOf('}', at) + 1) : at + 1
    } else if ('.^$+'.includes(character)) {
      close()
      at += 1
    } else if (character === '\\') {
      const next = source.charAt(at + 1)
      if (/[A-Za-z0-9]/.test(next)) {
        close()
        if (/[xucpPk0-9]/.test(next)) return undefined
      } else run += next
      at += 2
    } else {
      run += character
      at += 1
    }
  }
  close()
  return best.length >= MIN_LITERAL ? best : undefined
}

function groupEnd(source: string, start: number): number {
  let depth = 0
  for (let at = start; at < source.length; ) {
    const character = source[at]
    if (character === '\\') at += 2
    else if (character === '[') at = classEnd(source, at)
    else {
      if (character === '(') depth += 1
      if (character === ')') depth -= 1
      at += 1
      if (depth === 0) return at
    }
  }
  return source.length
}
