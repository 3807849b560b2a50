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
  /** What is shown: the outermost wrapper, or one declaration of several. */
  readonly shown: SgNode
  readonly type: string
  readonly names: readonly string[]
  readonly isImport: boolean
  readonly isExported: boolean
  readonly rule: EntryRule | undefined
}

/** The top-level entries of a tree that a call asks for, in order of the source (AST-14 to AST-20). */
export function* outlineOf(root: SgNode, rules: OutlineRules, selection: OutlineSelection): Generator<OutlineItem> {
  for (const entry of entriesIn(root, rules)) {
    if (!wanted(entry, selection)) continue
    for (const name of entry.names) {
      const signature = signatureOf(entry.node, entry.shown, entry.rule)
      if (
        selection.name !== undefined &&
        ![name, signature, firstLine(entry.shown.text())].some((value) => selection.name?.test(value))
      )
        continue
      yield itemOf(entry, name, signature, rules, selection)
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
  rules: OutlineRules,
  selection: OutlineSelection,
): OutlineItem {
  const { view } = selection
  const members = view === 'digest' || view === 'expanded' ? [...membersOf(entry.node, rules, selection)] : []
  return {
    symbolType: entry.type,
    name,
    range: rangeOf(entry.shown),
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
      const inside = [...entriesIn(outer, rules)]
      const whole = inside.length === 1 && rules.shownGroups?.has(String(outer.kind())) === true
      for (const entry of inside) yield whole ? { ...entry, shown: outer } : entry
      continue
    }
    const node = unwrap(outer, rules)
    const kind = String(node.kind())
    const imported = rules.imports[kind]
    const rule = imported ?? rules.items[kind]
    if (rule === undefined) {
      if (outer.kind() === 'export_statement') yield exportEdge(outer)
      continue
    }
    const parts = rule.parts?.(node) ?? [node]
    for (const part of parts) {
      const shown = rules.showsInside || parts.length > 1 ? part : shownFor(part, outer, rule)
      const common = { node: part, shown, type: typeOf(part, rule), rule, isImport: imported !== undefined }
      // `pub use` and the like bring a name in and give it on.
      const isExported = (name: string) =>
        imported === undefined ? rules.isExported(node, outer, name) : reExports(node)
      const names = namesOf(part, rule)
      const anonymous = names.length === 0 && outer.kind() === 'export_statement' ? ['default'] : names
      for (const name of anonymous) yield { ...common, names: [name], isExported: isExported(name) }
    }
  }
}

/** A single declaration shows its statement where that exports it, else only itself. */
function shownFor(part: SgNode, outer: SgNode, rule: EntryRule): SgNode {
  return rule.parts !== undefined && outer.kind() !== 'export_statement' ? part : outer
}

/** `export { a } from 'b'`, `export * from 'b'` and `export default expression`. */
function exportEdge(outer: SgNode): Entry {
  const source = outer.field('source')?.text()
  const isDefault = outer.children().some((child) => child.kind() === 'default')
  const isFunction = /function/.test(String(outer.field('value')?.kind()))
  return {
    node: outer,
    shown: outer,
    type: isFunction ? 'function' : isDefault ? 'variable' : 'module',
    names: [isDefault ? 'default' : (source ?? 'exports')],
    isImport: false,
    isExported: true,
    rule: undefined,
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

function* membersOf(node: SgNode, rules: OutlineRules, selection: OutlineSelection): Generator<OutlineMember> {
  for (const body of bodiesOf(node, rules)) {
    for (const outer of body.children()) {
      if (!outer.isNamed()) continue
      const member = unwrap(outer, rules)
      const rule = rules.members[String(member.kind())]
      if (rule === undefined) continue
      const parts = rule.parts?.(member) ?? [member]
      for (const part of parts) {
        const shown = rule.parts !== undefined || rules.showsInside ? part : outer
        for (const name of namesOf(part, rule)) {
          const isPublic = rules.isPublic(member, name, body.kind() === 'statement_block' ? body : node)
          if (selection.publicMembers && !isPublic) continue
          yield {
            symbolType: typeOf(part, rule),
            name,
            range: rangeOf(shown),
            ...(selection.view === 'expanded' ? { signature: signatureOf(part, shown, rule) } : {}),
            isPublic,
          }
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

/** The first source line, or what the rule says instead. */
function signatureOf(node: SgNode, shown: SgNode, rule: EntryRule | undefined): string {
  const line = rule?.signature?.(node) ?? firstLine(afterDecorators(shown)).trimEnd()
  return line.length > MAX_SIGNATURE ? `${line.slice(0, MAX_SIGNATURE)}…` : line
}

/** Decorators that stand before a declaration are no part of its signature. */
function afterDecorators(shown: SgNode): string {
  const [first] = shown.children()
  if (first?.kind() !== 'decorator') return shown.text()
  const declared = shown.children().find((child) => child.kind() !== 'decorator')
  return declared === undefined
    ? shown.text()
    : shown.text().slice(declared.range().start.index - shown.range().start.index)
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? ''
}

function rangeOf(node: SgNode): AstRange {
  const { start, end } = node.range()
  return {
    start: { line: start.line + 1, column: start.column + 1 },
    end: { line: end.line + 1, column: end.column + 1 },
  }
}
