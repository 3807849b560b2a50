import type { Pos, SgNode } from '@ast-grep/napi'
import type { SourceFile } from './ast-files'

/** Estimated characters of one replacement at most: 1 Mi, counted before it is built (AST-07). */
const MAX_REPLACEMENT = 1024 * 1024

/**
 * Puts what a match captured into a rewrite: `$NAME` one node, `$$$NAME` a run of them as it stands in the source. Names
 * that captured nothing become empty. Undefined when the result would be too large.
 */
export function expandRewrite(match: SgNode, rewrite: string, source: string): string | undefined {
  const captured = new Map<string, string>()
  const variable = /\$\$\$([A-Z_][A-Z0-9_]*)|\$([A-Z_][A-Z0-9_]*)/g
  let estimate = rewrite.length
  for (const [text, many, one] of rewrite.matchAll(variable)) {
    if (!captured.has(text))
      captured.set(text, many === undefined ? single(match, one ?? '') : several(match, many, source))
    estimate += captured.get(text)?.length ?? 0
    if (estimate > MAX_REPLACEMENT) return undefined
  }
  return rewrite.replace(variable, (text) => captured.get(text) ?? '')
}

function single(match: SgNode, name: string): string {
  return match.getMatch(name)?.text() ?? ''
}

function several(match: SgNode, name: string, source: string): string {
  const nodes = match.getMultipleMatches(name)
  const [first, last] = [nodes[0], nodes.at(-1)]
  return first === undefined || last === undefined
    ? ''
    : source.slice(first.range().start.index, last.range().end.index)
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
