import type { SgNode } from '@ast-grep/napi'

/** A part of a word. A glob is a `*`, `?` or `[…]` outside quotes; unknown is what only running it can tell. */
export type WordPart =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | { readonly kind: 'variable'; readonly name: string; readonly quoted: boolean }
  | { readonly kind: 'unknown' }

/** One word of a command. */
export interface Word {
  /** As it was written. */
  readonly raw: string
  /** Without its quotes; undefined where the word depends on an expansion or may become several. */
  readonly text: string | undefined
  readonly parts: readonly WordPart[]
}

/** Reads a node of the bash grammar that stands for one word. */
export function readWord(node: SgNode): Word {
  const parts = partsOf(node, false)
  const literal = parts.every((part) => part.kind === 'text' && (part.quoted || !/[*?[{~]/.test(part.text)))
  const joined = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
  return { raw: node.text(), text: literal ? joined : undefined, parts }
}

/** A word that is just this text. */
export function literalWord(text: string): Word {
  return { raw: text, text, parts: [{ kind: 'text', text, quoted: true }] }
}

/** What rules compare with: the word without quotes, expansions as they were written. */
export function wordPattern(word: Word): string {
  if (word.text !== undefined) return word.text
  if (word.parts.every((part) => part.kind === 'text'))
    return word.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
  return word.raw
}

function partsOf(node: SgNode, quoted: boolean): WordPart[] {
  const kind = String(node.kind())
  switch (kind) {
    case 'word':
    case 'number':
    case 'variable_name':
    case 'extglob_pattern':
    case 'test_operator':
      return node.isLeaf() ? [...unquotedParts(node.text())] : [{ kind: 'unknown' }]
    case 'raw_string':
      return [{ kind: 'text', text: node.text().slice(1, -1), quoted: true }]
    case 'ansi_c_string':
      return node.text().includes('\\')
        ? [{ kind: 'unknown' }]
        : [{ kind: 'text', text: node.text().slice(2, -1), quoted: true }]
    case 'string':
      return stringParts(node)
    case 'concatenation':
      return concatenated(node)
    case 'simple_expansion':
    case 'expansion':
      return [expansion(node, quoted)]
    default:
      return node.isLeaf() && /^[\w./=:,@%+-]*$/.test(node.text())
        ? [{ kind: 'text', text: node.text(), quoted }]
        : [{ kind: 'unknown' }]
  }
}

/** The grammar leaves out blanks between parts of a string, so they are taken from the text between them. */
function stringParts(node: SgNode): WordPart[] {
  const base = node.range().start.index
  const whole = node.text()
  const parts: WordPart[] = []
  let at = 1
  const plain = (end: number) => {
    if (end > at)
      parts.push({
        kind: 'text',
        text: whole
          .slice(at, end)
          .replaceAll(/\\([$`"\\\n])/g, (_all, escaped: string) => (escaped === '\n' ? '' : escaped)),
        quoted: true,
      })
  }
  for (const child of node.children()) {
    const kind = String(child.kind())
    if (kind === 'string_content' || kind === '"') continue
    const start = child.range().start.index - base
    plain(start)
    parts.push(...partsOf(child, true))
    at = child.range().end.index - base
  }
  plain(whole.endsWith('"') ? whole.length - 1 : whole.length)
  return parts
}

/** Braces make several words of one; only a person's shell knows which. */
function concatenated(node: SgNode): WordPart[] {
  const parts = node.children().flatMap((child) => partsOf(child, false))
  const braces = node.children().some((child) => child.isLeaf() && /[{}]/.test(child.text()))
  return braces ? [{ kind: 'unknown' }] : parts
}

function expansion(node: SgNode, quoted: boolean): WordPart {
  const text = node.text()
  const name = /^\$\{?(\w+)\}?$/.exec(text)?.[1]
  return name === undefined || /^\d/.test(name) ? { kind: 'unknown' } : { kind: 'variable', name, quoted }
}

/** Text outside quotes, split where backslashes quote single characters. */
function* unquotedParts(text: string): Generator<WordPart> {
  for (const piece of text.match(/\\[\s\S]|[^\\]+|\\$/g) ?? []) {
    if (!piece.startsWith('\\')) yield { kind: 'text', text: piece, quoted: false }
    else if (piece !== '\\\n') yield { kind: 'text', text: piece.slice(1), quoted: true }
  }
}
