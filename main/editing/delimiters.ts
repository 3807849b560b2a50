/** Opened minus closed, for each kind of bracket. */
export interface Balance {
  readonly round: number
  readonly square: number
  readonly curly: number
}

const KINDS: Readonly<Record<string, { kind: keyof Balance; by: 1 | -1 }>> = {
  '(': { kind: 'round', by: 1 },
  ')': { kind: 'round', by: -1 },
  '[': { kind: 'square', by: 1 },
  ']': { kind: 'square', by: -1 },
  '{': { kind: 'curly', by: 1 },
  '}': { kind: 'curly', by: -1 },
}

const HASH_COMMENTS = /\.(?:py|pyi|rb|sh|bash|zsh|ya?ml|toml|pl|r|ex|exs)$/i
const CHARACTER_QUOTES = /\.rs$/i

/**
 * Counts brackets outside of strings and comments. Quotes end with their line, template literals and block comments do
 * not. The path tells what `#` and `'` mean.
 */
export function balanceOf(lines: readonly string[], path: string): Balance {
  const total = { round: 0, square: 0, curly: 0 }
  const hashComments = HASH_COMMENTS.test(path)
  const lifetimes = CHARACTER_QUOTES.test(path)
  let inside: '`' | '*/' | undefined
  for (const line of lines) {
    for (let index = 0; index < line.length; index += 1) {
      const character = line[index] ?? ''
      if (inside !== undefined) {
        if (inside === '`' && character === '\\') index += 1
        else if (line.startsWith(inside, index)) {
          index += inside.length - 1
          inside = undefined
        }
        continue
      }
      if (character === '`') inside = '`'
      else if (line.startsWith('/*', index)) {
        inside = '*/'
        index += 1
      } else if ((!hashComments && line.startsWith('//', index)) || (hashComments && character === '#')) break
      else if (character === '"' || character === "'") index = skipQuoted(line, index, character === "'" && lifetimes)
      else {
        const bracket = KINDS[character]
        if (bracket !== undefined) total[bracket.kind] += bracket.by
      }
    }
  }
  return total
}

export function difference(left: Balance, right: Balance): Balance {
  return { round: left.round - right.round, square: left.square - right.square, curly: left.curly - right.curly }
}

export function sum(left: Balance, right: Balance): Balance {
  return { round: left.round + right.round, square: left.square + right.square, curly: left.curly + right.curly }
}

export function equalBalance(left: Balance, right: Balance): boolean {
  return left.round === right.round && left.square === right.square && left.curly === right.curly
}

export const NEUTRAL: Balance = { round: 0, square: 0, curly: 0 }

/** Index of the closing quote; where there is none, of the quote itself (a lifetime, an apostrophe in prose). */
function skipQuoted(line: string, start: number, characterOnly: boolean): number {
  if (characterOnly) {
    const literal = /^'(?:\\[^']*|[^'\\])'/u.exec(line.slice(start))
    return literal === null ? start : start + literal[0].length - 1
  }
  const quote = line[start]
  for (let index = start + 1; index < line.length; index += 1) {
    if (line[index] === '\\') index += 1
    else if (line[index] === quote) return index
  }
  return line.length
}
