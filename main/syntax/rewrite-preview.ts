import type { Pos, SgNode } from '@ast-grep/napi'
import type { SourceFile } from './ast-files'

/** Estimated characters of one replacement at most: 1 Mi, counted before it is built (AST-07). */
const MAX_REPLACEMENT = 1024 * 1024

/**
 * Puts what a match captured into a rewrite: `$NAME` one node, `$$$NAME` a run of them as it stands in the source. Names
 * that captured nothing become empty. Lines keep their depth: what was captured loses the indentation it had and takes
 * that of its place in the rewrite, and the whole takes that of the match. Undefined when the result would be too large.
 */
export function expandRewrite(match: SgNode, rewrite: string, source: string): string | undefined {
  const captured = new Map<string, string>()
  const variable = /\$\$\$([A-Z_][A-Z0-9_]*)|\$([A-Z_][A-Z0-9_]*)/g
  let estimate = rewrite.length
  for (const [text, many, one] of rewrite.matchAll(variable)) {
    if (!captured.has(text)) captured.set(text, capturedText(match, many, one ?? '', source))
    estimate += captured.get(text)?.length ?? 0
    if (estimate > MAX_REPLACEMENT) return undefined
  }
  const expanded = rewrite.replace(variable, (text, _many, _one, at: number) =>
    indentLines(captured.get(text) ?? '', indentAt(rewrite, at), /\n(?!\n)/g),
  )
  const whole = indentLines(expanded, indentAt(source, match.range().start.index), /\n/g)
  return whole.length > MAX_REPLACEMENT ? undefined : whole
}

/** The source of what a name captured, without the indentation of the line that it begins in. */
function capturedText(match: SgNode, many: string | undefined, one: string, source: string): string {
  const single = many === undefined ? match.getMatch(one) : null
  const nodes = many === undefined ? (single === null ? [] : [single]) : match.getMultipleMatches(many)
  const [first, last] = [nodes[0], nodes.at(-1)]
  if (first === undefined || last === undefined) return ''
  const start = first.range().start.index
  const text = source.slice(start, last.range().end.index)
  const indent = indentAt(source, start)
  if (indent === '') return text
  return text.replaceAll(`\n${indent}`, '\n')
}

/** The spaces that the line of an offset begins with; tabs stay where they are. */
function indentAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1
  return /^ *(?=[^ \t]|$)/.exec(text.slice(offset === 0 ? 0 : lineStart, offset))?.[0] ?? ''
}

function indentLines(text: string, indent: string, newline: RegExp): string {
  return indent === '' ? text : text.replace(newline, `\n${indent}`)
}

/**
 * Shows one replacement: path, line and exact byte range with an exclusive end, then the lines it touches before (`-`) and
 * after (`+`). Every match stands for itself, overlapping or not (AST-02).
 */
export function previewRewrite(
  file: SourceFile,
  lines: readonly string[],
  range: { start: Pos; end: Pos },
  replacement: string,
): string[] {
  const { start, end } = range
  const { text } = file
  const from = file.markBytes + Buffer.byteLength(text.slice(0, start.index))
  const to = from + Buffer.byteLength(text.slice(start.index, end.index))
  const before = lines.slice(start.line, end.line + 1).map((line) => line.replace(/\r$/, ''))
  const lineStart = text.lastIndexOf('\n', start.index - 1) + 1
  const newline = text.indexOf('\n', end.index)
  const tail = text.slice(end.index, newline === -1 ? text.length : newline).replace(/\r$/, '')
  const after = `${text.slice(start.index === 0 ? 0 : lineStart, start.index)}${replacement}${tail}`.split(/\r?\n/)
  return [
    `${file.display}:${start.line + 1} bytes ${from}..${to}`,
    ...before.map((line) => `-${line}`),
    ...after.map((line) => `+${line}`),
  ]
}
