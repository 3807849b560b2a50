/** Lines of a block, 1-based, ends included. */
export interface BlockSpan {
  readonly start: number
  readonly end: number
}

const CLOSER_OF: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' }

/**
 * Finds a block without a grammar: an opener at the end of its line and a pure closer at the same indentation, or a colon
 * and deeper lines. Undefined where neither is certain.
 */
export function fallbackBlock(lines: readonly string[], anchor: number): BlockSpan | undefined {
  const line = lines[anchor - 1] ?? ''
  const trimmed = line.trim()
  if (trimmed === '' || /^[)\]}]/.test(trimmed)) return undefined
  const opener = trimmed.at(-1) ?? ''
  const closer = CLOSER_OF[opener]
  const indentation = indentationOf(line)
  if (closer !== undefined) return bracketBlock(lines, anchor, indentation, closer)
  return opener === ':' ? indentedBlock(lines, anchor, indentation) : undefined
}

function bracketBlock(
  lines: readonly string[],
  anchor: number,
  indentation: string,
  closer: string,
): BlockSpan | undefined {
  const pure = new RegExp(`^\\${closer}[)\\]}]*[;,]*$`)
  for (let number = anchor + 1; number <= lines.length; number += 1) {
    const line = lines[number - 1] ?? ''
    const trimmed = line.trim()
    if (trimmed === '') continue
    const own = indentationOf(line)
    if (own === indentation) return pure.test(trimmed) ? { start: anchor, end: number } : undefined
    if (!own.startsWith(indentation)) return undefined
  }
  return undefined
}

function indentedBlock(lines: readonly string[], anchor: number, indentation: string): BlockSpan | undefined {
  let end = anchor
  for (let number = anchor + 1; number <= lines.length; number += 1) {
    const line = lines[number - 1] ?? ''
    if (line.trim() === '') continue
    const own = indentationOf(line)
    if (own.length <= indentation.length || !own.startsWith(indentation)) break
    end = number
  }
  return end > anchor ? { start: anchor, end } : undefined
}

function indentationOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}
