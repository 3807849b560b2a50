import { type CompiledPattern, classEnd } from './regex-dialect'

/** A line with a match: where the line lies in the text, and where in it the first match is. */
export interface LineHit {
  /** 1-based. */
  readonly line: number
  readonly text: string
  readonly start: number
  readonly end: number
}

/** A part of a text by its offsets. */
export type Slice = (from: number, to: number) => string

/** More literals than this are found faster by one expression than one after the other. */
const MAX_PREFILTERS = 2

/**
 * Finds the lines of a text that any of some patterns matches. Where the patterns allow it, one expression runs over the
 * whole text to find candidates; each is then judged on its own line, so matches never span lines.
 */
export class LineMatcher {
  readonly #line: RegExp
  /** Over the whole text; undefined where candidates can't be found that way. */
  readonly #whole: RegExp | undefined
  /** A text without any of these has no match; undefined when nothing is known, or looking for them costs more. */
  readonly #required: readonly Buffer[] | undefined
  /**
   * The bytes of UTF-8 text may be searched one character a byte: nothing in the patterns can match a byte of a longer
   * character. Lines must still be decoded before they are shown.
   */
  readonly searchesBytes: boolean
  /** Matching takes time in proportion to the text, whatever it holds: nothing repeats. */
  readonly isPredictable: boolean

  constructor(patterns: readonly CompiledPattern[]) {
    const ignoreCase = patterns.some((pattern) => pattern.ignoreCase)
    const unicode = patterns.some((pattern) => pattern.unicode) ? 'u' : ''
    const flags = `${ignoreCase ? 'i' : ''}${unicode}`
    this.#line = new RegExp(patterns.map((pattern) => `(?:${pattern.source})`).join('|'), `g${flags}`)
    this.isPredictable = patterns.every(({ source }) => !/[*+{]/.test(source.replace(/\\[^0-9A-Za-z]/g, '')))
    const sources = patterns.map((pattern) => sourceForWholeText(pattern.source))
    this.#whole = sources.every((source) => source !== undefined)
      ? new RegExp(sources.map((source) => `(?:${source})`).join('|'), `gm${flags}`)
      : undefined
    this.searchesBytes =
      this.#whole !== undefined && unicode === '' && patterns.every(({ source }) => isByteSafe(source))
    const literals = patterns.length > MAX_PREFILTERS ? [undefined] : patterns.map(requiredLiteral)
    this.#required = literals.every((literal) => literal !== undefined)
      ? literals.map((literal) => Buffer.from(literal))
      : undefined
  }

  /** Whether bytes of UTF-8 text can hold a match at all. */
  mayMatch(bytes: Buffer): boolean {
    return this.#required === undefined || this.#required.some((literal) => bytes.includes(literal))
  }

  /**
   * The matching lines in order, each once. `onLine` is called now and then, for looks at a clock. `slice` gives a part
   * of the text as it is shown, where that differs.
   */
  *lines(text: string, onLine: () => boolean, slice: Slice = (from, to) => text.slice(from, to)): Generator<LineHit> {
    if (this.#whole === undefined) yield* this.#lineByLine(text, onLine, slice)
    else yield* this.#byCandidates(text, this.#whole, onLine, slice)
  }

  *#lineByLine(text: string, onLine: () => boolean, slice: Slice): Generator<LineHit> {
    let line = 1
    for (let from = 0; from < text.length; line += 1) {
      const end = lineEnd(text, from)
      const hit = this.#judge(text, line, from, from, end, slice)
      if (hit !== undefined) yield hit
      if (onLine()) return
      from = end + 1
    }
  }

  *#byCandidates(text: string, whole: RegExp, onLine: () => boolean, slice: Slice): Generator<LineHit> {
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
      const hit = this.#judge(text, line, start, match.index, end, slice)
      if (hit !== undefined) yield hit
      if (onLine()) return
      whole.lastIndex = end + 1
      if (whole.lastIndex >= text.length) return
    }
  }

  /** `candidate` is where in the text the first match can begin. */
  #judge(text: string, line: number, from: number, candidate: number, end: number, slice: Slice): LineHit | undefined {
    const stop = end > from && text.charCodeAt(end - 1) === 13 ? end - 1 : end
    const content = slice(from, stop)
    // Where bytes stand for characters, the line may be shorter than its place in the text says.
    this.#line.lastIndex = content.length === stop - from ? Math.min(candidate - from, content.length) : 0
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

/** Whether an expression can only match ASCII characters, so that it finds the same in bytes as in text. */
function isByteSafe(source: string): boolean {
  for (let at = 0; at < source.length; ) {
    const character = source.charAt(at)
    if (character > '\x7f' || character === '.') return false
    if (character === '\\') {
      if ('WSDspPuxc'.includes(source.charAt(at + 1))) return false
      at += 2
    } else if (character === '[') {
      const end = classEnd(source, at)
      const group = source.slice(at, end)
      if (group.startsWith('[^') || /\\[WSDspPuxc]|[^\0-\x7f]/.test(group)) return false
      at = end
    } else at += 1
  }
  return true
}

/** Shortest literal that is worth looking for first, in characters. */
const MIN_LITERAL = 2

/**
 * A text that every match contains, the rarest that is easily seen: top-level characters without a quantifier that
 * could drop them. Undefined when there is none, or when case does not count.
 */
export function requiredLiteral(pattern: CompiledPattern): string | undefined {
  if (pattern.ignoreCase) return undefined
  const { source } = pattern
  let best = ''
  let run = ''
  const close = () => {
    if (run.length >= MIN_LITERAL && rarity(run) > rarity(best)) best = run
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

/** A guess how seldom a text is found: long ones, and ones with capitals, digits and signs. */
function rarity(text: string): number {
  let sum = 0
  for (const character of text) sum += /[a-z ]/.test(character) ? 1 : 2.5
  return sum
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
