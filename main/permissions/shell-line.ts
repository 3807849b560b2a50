import { parse, type SgNode } from '@ast-grep/napi'
import { registerLanguages } from '../syntax/register-languages'
import { readWord, type Word } from './shell-word'

/** Longest command line that is looked into, in UTF-16 units; a longer one counts as one that can't be parsed. */
const MAX_LINE = 64 * 1024

/** Nodes of the syntax tree that are looked at: a few milliseconds' work. A larger line counts as not understood. */
const MAX_NODES = 3_000

/** Deepest nesting of `sh -c`, `eval` and the like that is followed. */
const MAX_DEPTH = 8

/** One command without operators: a name, its arguments, where its output goes. */
export interface SimpleCommand {
  readonly words: readonly Word[]
  /** Variables set for this command only, such as `A=1 make`. */
  readonly assignments: readonly Assignment[]
  readonly redirects: readonly Redirect[]
  /** The command lies where it may run in another folder, several times, or not at all. */
  readonly nested: boolean
}

export interface Assignment {
  readonly name: string
  readonly value: Word | undefined
}

/** `operator` is `>`, `>>`, `>|`, `&>`, `&>>` or `<>`: those that write. */
export interface Redirect {
  readonly operator: string
  readonly target: Word
}

export interface ShellLine {
  /** Every command of the line in order, substitutions included. */
  readonly commands: readonly SimpleCommand[]
  /** The whole line was understood. */
  readonly sound: boolean
  /** Too large to be looked into as a whole: what `commands` lacks is not known. */
  readonly overlong: boolean
  /** Values of variables that the line sets exactly once, by name; null where a value is not known before it runs. */
  readonly variables: ReadonlyMap<string, Word | null>
}

const UNKNOWN: ShellLine = { commands: [], sound: false, overlong: true, variables: new Map() }

/** Where a command inside such a node is not simply "the next command in this folder". */
const NESTING = new Set([
  'subshell',
  'command_substitution',
  'process_substitution',
  'function_definition',
  'for_statement',
  'c_style_for_statement',
  'while_statement',
  'if_statement',
  'case_statement',
  'pipeline',
  'negated_command',
])

/** Commands whose arguments are names of variables that get values nobody knows yet. */
const SETTERS = new Set(['read', 'mapfile', 'readarray', 'getopts', 'printf', 'unset', 'let'])

/**
 * Parses a command line with the grammar of bash. Never throws: what can't be parsed comes back as not `sound`, with
 * the commands that were found all the same.
 */
export function parseShellLine(line: string): ShellLine {
  if (line.length > MAX_LINE || !registerLanguages().has('bash')) return UNKNOWN
  try {
    const root = parse('bash', line).root()
    const collected = new Collector()
    collected.visit(root, false, 0)
    return {
      commands: collected.commands,
      sound: collected.sound,
      overlong: collected.overlong,
      variables: collected.variables,
    }
  } catch {
    return UNKNOWN
  }
}

class Collector {
  readonly commands: SimpleCommand[] = []
  readonly variables = new Map<string, Word | null>()
  sound = true
  overlong = false
  #nodes = 0

  visit(node: SgNode, nested: boolean, depth: number): void {
    this.#nodes += 1
    if (depth > MAX_DEPTH * 64 || this.#nodes > MAX_NODES) {
      this.sound = false
      this.overlong = true
      return
    }
    const kind = String(node.kind())
    if (
      kind === 'ERROR' ||
      kind.startsWith('MISSING') ||
      (node.isLeaf() &&
        node.text() === '' &&
        kind !== 'heredoc_content' &&
        kind !== 'heredoc_body' &&
        kind !== 'program')
    ) {
      this.sound = false
    }
    if (kind === 'redirected_statement') this.#redirected(node, nested)
    else if (kind === 'command') this.#command(node, nested, [])
    else if (kind === 'declaration_command' || kind === 'unset_command') this.#declaration(node, nested)
    else if (kind === 'variable_assignment') this.#assign(node, nested)
    else if (kind === 'for_statement') this.#unknown(node)
    else if (
      kind === 'heredoc_body' &&
      node.children().some((child) => !['heredoc_content'].includes(String(child.kind())))
    )
      this.sound = false
    const deeper = nested || NESTING.has(kind)
    for (const child of node.children().slice(0, MAX_NODES)) this.visit(child, deeper, depth + 1)
  }

  #redirected(node: SgNode, nested: boolean): void {
    const redirects = node.children().flatMap((child) => redirectsOf(child))
    if (redirects.length === 0) return
    // The commands inside are visited on their own; here only what is written counts.
    this.commands.push({ words: [], assignments: [], redirects, nested })
  }

  #command(node: SgNode, nested: boolean, redirects: readonly Redirect[]): void {
    const words: Word[] = []
    const assignments: Assignment[] = []
    const own: Redirect[] = [...redirects]
    const children = node.children()
    if (children.length > MAX_NODES) {
      this.sound = false
      this.overlong = true
    }
    for (const child of children.slice(0, MAX_NODES)) {
      const kind = String(child.kind())
      if (kind === 'variable_assignment') assignments.push(assignmentOf(child))
      else if (kind === 'command_name') words.push(readWord(child.children()[0] ?? child))
      else if (kind.endsWith('_redirect')) own.push(...redirectsOf(child))
      else words.push(readWord(child))
    }
    this.commands.push({ words, assignments, redirects: own, nested })
    const [name, ...rest] = words
    if (name?.text !== undefined && SETTERS.has(name.text))
      for (const word of rest) this.#forget(word.text?.split('=')[0])
  }

  #declaration(node: SgNode, nested: boolean): void {
    const words = node.children().map((child) => readWord(child))
    this.commands.push({ words, assignments: [], redirects: [], nested })
    for (const word of words.slice(1)) if (word.raw.match(/^\w+$/)) this.#forget(word.raw)
  }

  #assign(node: SgNode, nested: boolean): void {
    // For one command only: it does not reach the expansion of that command's own arguments.
    if (String(node.parent()?.kind()) === 'command') return
    const { name, value } = assignmentOf(node)
    const known = !nested && value?.text !== undefined && !this.variables.has(name)
    this.variables.set(name, known && value !== undefined ? value : null)
    this.commands.push({ words: [], assignments: [{ name, value }], redirects: [], nested })
  }

  #unknown(node: SgNode): void {
    this.#forget(
      node
        .children()
        .find((child) => String(child.kind()) === 'variable_name')
        ?.text(),
    )
  }

  #forget(name: string | undefined): void {
    if (name !== undefined) this.variables.set(name, null)
  }
}

function assignmentOf(node: SgNode): Assignment {
  const [name, operator, value] = node.children()
  const plain = operator?.text() === '=' && String(name?.kind()) === 'variable_name'
  const word = value === undefined ? { raw: '', text: '', parts: [] } : readWord(value)
  return { name: name?.text() ?? '', value: plain ? word : undefined }
}

function redirectsOf(node: SgNode): Redirect[] {
  const kind = String(node.kind())
  if (kind === 'heredoc_redirect') return node.children().flatMap((child) => redirectsOf(child))
  if (kind !== 'file_redirect') return []
  const children = node.children().filter((child) => String(child.kind()) !== 'file_descriptor')
  const [operator, target] = children
  const sign = operator?.text() ?? ''
  if (target === undefined || !/^(>|>>|>\||&>|&>>|<>|>&)$/.test(sign)) return []
  // `2>&1` and `>&-` name descriptors, `>&file` names a file.
  if (sign === '>&' && /^(\d+|-|\d+-)$/.test(target.text())) return []
  return [{ operator: sign, target: readWord(target) }]
}
