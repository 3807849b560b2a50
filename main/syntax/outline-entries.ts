import type { SgNode } from '@ast-grep/napi'
import type { AstRange, OutlineItem, OutlineItems, OutlineMember, OutlineView } from './ast-types'
import type { EntryRule, OutlineRules } from './outline-rules'

export interface OutlineSelection {
  readonly items: OutlineItems
  readonly view: OutlineView
  readonly name?: RegExp
  readonly types?: ReadonlySet<string>
  readonly publicMembers: boolean
}

/** Longest signature, in characters. */
const MAX_SIGNATURE = 400

interface Entry {
  /** What is declared, inside its wrappers. */
  readonly node: SgNode
  /** What is shown: the outermost wrapper. */
  readonly outer: SgNode
  readonly type: string
  readonly names: readonly string[]
  readonly isImport: boolean
  readonly isExported: boolean
}

/** The top-level entries of a tree that a call asks for, in order of the source (AST-14 to AST-20). */
export function* outlineOf(
  root: SgNode,
  text: string,
  rules: OutlineRules,
  selection: OutlineSelection,
): Generator<OutlineItem> {
  for (const entry of entriesIn(root, rules)) {
    if (!wanted(entry, selection)) continue
    for (const name of entry.names) {
      const signature = signatureOf(entry.node, entry.outer, text, rules)
      if (
        selection.name !== undefined &&
        ![name, signature, firstLine(entry.outer)].some((value) => selection.name?.test(value))
      )
        continue
      yield itemOf(entry, name, signature, text, rules, selection)
    }
  }
}

function wanted(entry: Entry, selection: OutlineSelection): boolean {
  if (selection.types !== undefined && !selection.types.has(entry.type)) return false
  switch (selection.items) {
    case 'structure':
      return !entry.isImport
    case 'exports':
      return entry.isExported
    case 'imports':
      return entry.isImport
    case 'all':
      return true
  }
}

function itemOf(
  entry: Entry,
  name: string,
  signature: string,
  text: string,
  rules: OutlineRules,
  selection: OutlineSelection,
): OutlineItem {
  const { view } = selection
  const members = view === 'digest' || view === 'expanded' ? [...membersOf(entry.node, text, rules, selection)] : []
  return {
    symbolType: entry.type,
    name,
    range: rangeOf(entry.outer),
    ...(view === 'names' ? {} : { signature }),
    isImport: entry.isImport,
    isExported: entry.isExported,
    ...(members.length === 0 ? {} : { members }),
  }
}

function* entriesIn(parent: SgNode, rules: OutlineRules): Generator<Entry> {
  for (const outer of parent.children()) {
    if (!outer.isNamed()) continue
    if (rules.groups?.has(String(outer.kind())) === true) {
      yield* entriesIn(outer, rules)
      continue
    }
    const node = unwrap(outer, rules)
    const imported = rules.imports[String(node.kind())]
    if (imported !== undefined) {
      const names = namesOf(node, imported)
      // `pub use` and the like bring a name in and give it on.
      yield {
        node,
        outer,
        type: typeOf(node, imported),
        names,
        isImport: true,
        isExported: rules === undefined ? false : reExports(node),
      }
      continue
    }
    const rule = rules.items[String(node.kind())]
    if (rule !== undefined) {
      for (const name of namesOf(node, rule)) {
        yield {
          node,
          outer,
          type: typeOf(node, rule),
          names: [name],
          isImport: false,
          isExported: rules.isExported(node, outer, name),
        }
      }
    } else if (outer.kind() === 'export_statement') yield exportEdge(outer)
  }
}

/** `export { a } from 'b'`, `export * from 'b'` and `export default expression`. */
function exportEdge(outer: SgNode): Entry {
  const source = outer.field('source')?.text()
  const clause = outer.children().find((child) => child.kind() === 'export_clause')
  const names = clause?.children().filter((child) => child.kind() === 'export_specifier') ?? []
  const listed = names.map((child) => (child.field('alias') ?? child.field('name'))?.text() ?? child.text())
  const isDefault = outer.children().some((child) => child.kind() === 'default')
  return {
    node: outer,
    outer,
    type: source === undefined ? 'variable' : 'module',
    names: isDefault ? ['default'] : listed.length > 0 ? listed : [source?.slice(1, -1) ?? 'default'],
    isImport: source !== undefined,
    isExported: true,
  }
}

function reExports(node: SgNode): boolean {
  return node.kind() === 'use_declaration' && node.children().some((child) => child.kind() === 'visibility_modifier')
}

/** Goes into wrappers as long as they hold something that has a rule. */
function unwrap(outer: SgNode, rules: OutlineRules): SgNode {
  let node = outer
  while (rules.wrappers.has(String(node.kind()))) {
    const inside = node
      .children()
      .find(
        (child) =>
          [rules.items, rules.members, rules.imports].some((table) => String(child.kind()) in table) ||
          rules.wrappers.has(String(child.kind())),
      )
    if (inside === undefined) return node
    node = inside
  }
  return node
}

function* membersOf(
  node: SgNode,
  text: string,
  rules: OutlineRules,
  selection: OutlineSelection,
): Generator<OutlineMember> {
  for (const body of bodiesOf(node, rules)) {
    for (const outer of body.children()) {
      if (!outer.isNamed()) continue
      const member = unwrap(outer, rules)
      const rule = rules.members[String(member.kind())]
      if (rule === undefined) continue
      for (const name of namesOf(member, rule)) {
        const isPublic = rules.isPublic(member, name, body.kind() === 'statement_block' ? body : node)
        if (selection.publicMembers && !isPublic) continue
        yield {
          symbolType: typeOf(member, rule),
          name,
          range: rangeOf(outer),
          ...(selection.view === 'expanded' ? { signature: signatureOf(member, outer, text, rules) } : {}),
          isPublic,
        }
      }
    }
  }
}

/** The node's own bodies, also where a type or another body stands between: Go's structs, Java's enums. */
function bodiesOf(node: SgNode, rules: OutlineRules, depth = 0): SgNode[] {
  if (depth > 2 || /function|method|constructor|lexical|variable|property_declaration/.test(String(node.kind())))
    return []
  return node.children().flatMap((child) => {
    if (!rules.bodies.has(String(child.kind()))) return []
    const inner = bodiesOf(child, rules, depth + 1)
    return [child, ...inner]
  })
}

function namesOf(node: SgNode, rule: EntryRule): string[] {
  if (rule.names !== undefined) return rule.names(node)
  const name = node.field('name')?.text()
  return name === undefined ? [] : [name]
}

function typeOf(node: SgNode, rule: EntryRule): string {
  return typeof rule.type === 'string' ? rule.type : rule.type(node)
}

/** The source up to the body, on one line. */
function signatureOf(node: SgNode, outer: SgNode, text: string, rules: OutlineRules): string {
  const body = node.field('body') ?? node.children().find((child) => rules.bodies.has(String(child.kind())))
  const from = outer.range().start.index
  const to = body?.range().start.index ?? outer.range().end.index
  const whole = text.slice(from, Math.min(to, from + MAX_SIGNATURE * 4))
  const head = body === undefined || body === null ? (whole.split(/\r?\n/, 1)[0] ?? '') : whole
  const flat = head
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\s*[{;:=]$/, '')
    .replace(/\s*=>$/, '')
  return flat.length > MAX_SIGNATURE ? `${flat.slice(0, MAX_SIGNATURE)}…` : flat
}

function firstLine(node: SgNode): string {
  return node.text().split(/\r?\n/, 1)[0] ?? ''
}

function rangeOf(node: SgNode): AstRange {
  const { start, end } = node.range()
  return {
    start: { line: start.line + 1, column: start.column + 1 },
    end: { line: end.line + 1, column: end.column + 1 },
  }
}
