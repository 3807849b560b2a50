import type { SgNode } from '@ast-grep/napi'
import { type BlockSpan, fallbackBlock } from './block-fallback'
import { blockLanguage, CONTAINER_KINDS } from './block-languages'

export type { BlockSpan } from './block-fallback'

/** Texts above this many UTF-16 units are not parsed; brackets and indentation decide there. */
const MAX_PARSED_LENGTH = 1024 * 1024

/** What may follow a block on its last line without being lost with it. */
const HARMLESS_REST = /^[\s;,]*(?:(?:\/\/|#|\/\*).*)?$/

/** One text, ready to be asked for blocks. */
export interface BlockTree {
  /** The block that begins on a line, or undefined (EDIT-19, EDIT-22). */
  resolve(line: number): BlockSpan | undefined
  /** Places that the grammar can't make sense of; undefined where no grammar judged. */
  readonly faults: number | undefined
  /** The line of the first such place. */
  readonly firstFault?: number
}

/**
 * Finds the outermost syntactic node that begins on a line (EDIT-19, EDIT-20). Grammars load on first use; parsing runs on
 * the thread pool of the runtime.
 */
export class BlockResolver {
  #parser: Promise<Parser> | undefined

  /** `path` only tells the language. Never throws for what the text holds. */
  async open(path: string, text: string): Promise<BlockTree> {
    const lines = text.split('\n')
    const language = blockLanguage(path)
    const root =
      language === undefined || text.length > MAX_PARSED_LENGTH ? undefined : await this.#parse(language, text)
    if (root === undefined) return { faults: undefined, resolve: (line) => fallbackBlock(lines, line) }
    const faults = faultNodes(root)
    const first = faults.map((node) => node.range().start.line + 1).sort((left, right) => left - right)[0]
    return {
      faults: faults.length,
      ...(first !== undefined && { firstFault: first }),
      resolve: (line) => {
        const found = resolveNode(root, lines, line)
        return found === 'nothing' ? fallbackBlock(lines, line) : found
      },
    }
  }

  async #parse(language: { name: string; builtIn: boolean }, text: string): Promise<SgNode | undefined> {
    this.#parser ??= loadParser()
    const parser = await this.#parser
    if (!language.builtIn && !parser.registered.has(language.name)) return undefined
    try {
      return (await parser.parse(language.name, text)).root()
    } catch {
      return undefined
    }
  }

  dispose(): void {
    this.#parser = undefined
  }
}

interface Parser {
  readonly registered: ReadonlySet<string>
  parse(language: string, text: string): Promise<{ root(): SgNode }>
}

async function loadParser(): Promise<Parser> {
  const [{ parseAsync }, { registerLanguages }] = await Promise.all([
    import('@ast-grep/napi'),
    import('./register-languages'),
  ])
  return { registered: registerLanguages(), parse: (language, text) => parseAsync(language, text) }
}

/** `nothing` when no node begins on the line; undefined when one does but can't be trusted. */
function resolveNode(root: SgNode, lines: readonly string[], anchor: number): BlockSpan | undefined | 'nothing' {
  const line = lines[anchor - 1] ?? ''
  const column = line.search(/\S/)
  if (column === -1) return undefined
  const path = nodesAt(root, anchor - 1, column)
  const starting = path.filter((node) => node.range().start.line === anchor - 1 && node.isNamed())
  const block = starting.find((node) => node !== root && !isBareContainer(node))
  if (block === undefined || block.kind() === 'comment') return block === undefined ? 'nothing' : spanOf(block, lines)
  if (path.some((node) => node.kind() === 'ERROR' && starting.includes(node))) return undefined
  if (faultNodes(block).length > 0) return undefined
  const last = withDecorated(block)
  if (!ownsItsLastLine(last, lines)) return 'nothing'
  const end = spanOf(last, lines).end
  return { start: anchor, end }
}

/** The nodes around a place, outermost first. */
function nodesAt(root: SgNode, line: number, column: number): SgNode[] {
  const path: SgNode[] = []
  let node: SgNode | undefined = root
  while (node !== undefined) {
    path.push(node)
    node = node.children().find((child) => {
      const { start, end } = child.range()
      const startsBefore = start.line < line || (start.line === line && start.column <= column)
      return startsBefore && (end.line > line || (end.line === line && end.column > column))
    })
  }
  return path
}

/** A container without a delimiter of its own at its beginning, or the whole file. */
function isBareContainer(node: SgNode): boolean {
  if (node.parent() === null) return true
  if (!CONTAINER_KINDS.has(String(node.kind()))) return false
  const first = node.child(0)
  return first === null || first.isNamed()
}

/** Decorators of a class member stand beside it; they belong to it. */
function withDecorated(node: SgNode): SgNode {
  let last = node
  while (last.kind() === 'decorator') {
    const next = nextNamed(last)
    if (next === undefined) break
    last = next
  }
  return last
}

function nextNamed(node: SgNode): SgNode | undefined {
  return node.nextAll().find((sibling) => sibling.isNamed() && sibling.kind() !== 'comment')
}

function ownsItsLastLine(node: SgNode, lines: readonly string[]): boolean {
  const { end } = node.range()
  if (end.column === 0) return true
  return HARMLESS_REST.test((lines[end.line] ?? '').slice(end.column))
}

/** First line to last line with content. */
function spanOf(node: SgNode, lines: readonly string[]): BlockSpan {
  const { start, end } = node.range()
  let last = end.column === 0 && end.line > start.line ? end.line : end.line + 1
  while (last > start.line + 1 && (lines[last - 1] ?? '').trim() === '') last -= 1
  return { start: start.line + 1, end: last }
}

/** Nodes the parser could not place, and tokens it had to invent, which have no text. */
function faultNodes(node: SgNode): SgNode[] {
  const invented = node.findAll({ rule: { regex: '^$' } }).filter((token) => !token.isNamed())
  const errors = node.findAll({ rule: { kind: 'ERROR' } })
  return [...(node.kind() === 'ERROR' ? [node] : []), ...errors, ...invented]
}
