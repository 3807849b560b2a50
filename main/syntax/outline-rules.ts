import type { SgNode } from '@ast-grep/napi'

/** How one kind of node becomes an entry of an outline. */
export interface EntryRule {
  readonly type: string | ((node: SgNode) => string)
  /** Names it declares; by default the text of its `name` field. */
  readonly names?: (node: SgNode) => string[]
}

/** The outline of one grammar, as data. */
export interface OutlineRules {
  readonly items: Readonly<Record<string, EntryRule>>
  readonly members: Readonly<Record<string, EntryRule>>
  /** Kinds of nodes that hold members. */
  readonly bodies: ReadonlySet<string>
  /** Kinds of import statements. */
  readonly imports: Readonly<Record<string, EntryRule>>
  /** Nodes that only wrap what they declare: their inside is looked at, their own range is shown. */
  readonly wrappers: ReadonlySet<string>
  /** Groups that hold further items at the same level, like `import ( … )`. */
  readonly groups?: ReadonlySet<string>
  isExported(node: SgNode, outer: SgNode, name: string): boolean
  isPublic(member: SgNode, name: string, parent: SgNode): boolean
}

export const firstNamed = (node: SgNode, ...kinds: string[]): SgNode | undefined =>
  node.children().find((child) => kinds.includes(String(child.kind())))

const nameOf = (node: SgNode, ...kinds: string[]): string[] => {
  const found = node.field('name') ?? firstNamed(node, ...kinds)
  return found ? [found.text()] : []
}

const textOf = (node: SgNode): string[] => [node.text().replace(/\s+/g, ' ').replace(/;$/, '')]

const hasModifier = (node: SgNode, ...words: string[]): boolean => {
  const modifiers = node.children().filter((child) => /modifier/.test(String(child.kind())))
  return modifiers.some((modifier) => words.some((word) => new RegExp(`\\b${word}\\b`).test(modifier.text())))
}

const declarators = (node: SgNode): string[] =>
  node
    .children()
    .filter((child) => child.kind() === 'variable_declarator')
    .flatMap((child) => nameOf(child, 'identifier'))

const isFunctionValue = (node: SgNode): boolean => {
  const values = node.children().flatMap((child) => child.field('value') ?? [])
  return (
    values.length === 1 &&
    /^(arrow_function|function_expression|function|generator_function)$/.test(String(values[0]?.kind()))
  )
}

const variable: EntryRule = {
  type: (node) =>
    isFunctionValue(node)
      ? 'function'
      : node.children().some((child) => child.kind() === 'const')
        ? 'constant'
        : 'variable',
  names: declarators,
}

const moduleSource = (node: SgNode): string[] => {
  const source = node.field('source')?.text() ?? firstNamed(node, 'string')?.text()
  return [source === undefined ? node.text() : source.slice(1, -1)]
}

const methodType = (node: SgNode): string => {
  if (node.field('name')?.text() === 'constructor') return 'constructor'
  return node.children().some((child) => child.kind() === 'get' || child.kind() === 'set') ? 'property' : 'method'
}

const javascript: OutlineRules = {
  items: {
    function_declaration: { type: 'function' },
    generator_function_declaration: { type: 'function' },
    function_signature: { type: 'function' },
    class_declaration: { type: 'class' },
    abstract_class_declaration: { type: 'class' },
    interface_declaration: { type: 'interface' },
    type_alias_declaration: { type: 'type' },
    enum_declaration: { type: 'enum' },
    internal_module: { type: 'namespace' },
    module: { type: 'module' },
    lexical_declaration: variable,
    variable_declaration: variable,
  },
  members: {
    method_definition: { type: methodType },
    method_signature: { type: 'method' },
    abstract_method_signature: { type: 'method' },
    call_signature: { type: 'method', names: () => ['()'] },
    construct_signature: { type: 'constructor', names: () => ['new'] },
    index_signature: { type: 'property', names: () => ['[index]'] },
    public_field_definition: { type: 'field' },
    field_definition: {
      type: 'field',
      names: (node) =>
        node.field('property') ? [node.field('property')?.text() ?? ''] : nameOf(node, 'property_identifier'),
    },
    property_signature: { type: 'property' },
    enum_assignment: { type: 'enumMember', names: (node) => nameOf(node, 'property_identifier', 'string') },
    property_identifier: { type: 'enumMember', names: textOf },
    function_declaration: { type: 'function' },
    class_declaration: { type: 'class' },
    interface_declaration: { type: 'interface' },
    type_alias_declaration: { type: 'type' },
    enum_declaration: { type: 'enum' },
    lexical_declaration: variable,
  },
  bodies: new Set(['class_body', 'interface_body', 'object_type', 'enum_body', 'statement_block']),
  imports: {
    import_statement: { type: 'module', names: moduleSource },
    import_alias: { type: 'module', names: textOf },
  },
  wrappers: new Set(['export_statement', 'ambient_declaration', 'expression_statement']),
  isExported: (_node, outer) => outer.kind() === 'export_statement',
  isPublic: (member, name, parent) =>
    !name.startsWith('#') &&
    !hasModifier(member, 'private', 'protected') &&
    (parent.kind() !== 'statement_block' || member.parent()?.kind() === 'export_statement'),
}

const python: OutlineRules = {
  items: {
    class_definition: { type: 'class' },
    function_definition: { type: 'function' },
    assignment: {
      type: (node) => (/^[A-Z][A-Z0-9_]*$/.test(node.field('left')?.text() ?? '') ? 'constant' : 'variable'),
      names: (node) => (node.field('left')?.kind() === 'identifier' ? [node.field('left')?.text() ?? ''] : []),
    },
    type_alias_statement: { type: 'type', names: (node) => [node.field('left')?.text() ?? node.text()] },
  },
  members: {
    function_definition: { type: (node) => (node.field('name')?.text() === '__init__' ? 'constructor' : 'method') },
    class_definition: { type: 'class' },
    assignment: {
      type: 'field',
      names: (node) => (node.field('left')?.kind() === 'identifier' ? [node.field('left')?.text() ?? ''] : []),
    },
  },
  bodies: new Set(['block']),
  imports: {
    import_statement: { type: 'module', names: (node) => textOf(node).map((text) => text.replace(/^import /, '')) },
    import_from_statement: { type: 'module', names: (node) => [node.field('module_name')?.text() ?? node.text()] },
    future_import_statement: { type: 'module', names: () => ['__future__'] },
  },
  wrappers: new Set(['decorated_definition', 'expression_statement']),
  isExported: (_node, _outer, name) => !name.startsWith('_'),
  isPublic: (_member, name) => !name.startsWith('_') || /^__\w+__$/.test(name),
}

const isPub = (node: SgNode): boolean => node.children().some((child) => child.kind() === 'visibility_modifier')

const rust: OutlineRules = {
  items: {
    function_item: { type: 'function' },
    function_signature_item: { type: 'function' },
    struct_item: { type: 'struct' },
    union_item: { type: 'struct' },
    enum_item: { type: 'enum' },
    trait_item: { type: 'interface' },
    impl_item: {
      type: 'object',
      names: (node) => {
        const [type, trait] = [node.field('type')?.text() ?? '', node.field('trait')?.text()]
        return [trait === undefined ? type : `${trait} for ${type}`]
      },
    },
    mod_item: { type: 'module' },
    const_item: { type: 'constant' },
    static_item: { type: 'variable' },
    type_item: { type: 'type' },
    macro_definition: { type: 'function' },
    foreign_mod_item: { type: 'module', names: () => ['extern'] },
  },
  members: {
    function_item: { type: 'method' },
    function_signature_item: { type: 'method' },
    field_declaration: { type: 'field' },
    enum_variant: { type: 'enumMember' },
    const_item: { type: 'constant' },
    type_item: { type: 'type' },
    associated_type: { type: 'type' },
    struct_item: { type: 'struct' },
    enum_item: { type: 'enum' },
    trait_item: { type: 'interface' },
    mod_item: { type: 'module' },
    static_item: { type: 'variable' },
  },
  bodies: new Set(['declaration_list', 'field_declaration_list', 'enum_variant_list']),
  imports: {
    use_declaration: {
      type: 'module',
      names: (node) => [node.field('argument')?.text().replace(/\s+/g, ' ') ?? node.text()],
    },
    extern_crate_declaration: { type: 'module' },
  },
  wrappers: new Set(),
  isExported: (node) =>
    isPub(node) || (node.kind() === 'macro_definition' && /macro_export/.test(node.prev()?.text() ?? '')),
  isPublic: (member, _name, parent) =>
    isPub(member) ||
    member.kind() === 'enum_variant' ||
    parent.kind() === 'trait_item' ||
    parent.field('trait') !== null,
}

const isUpper = (name: string): boolean => /^\p{Lu}/u.test(name.replace(/^.*\./, ''))

const go: OutlineRules = {
  items: {
    function_declaration: { type: 'function' },
    method_declaration: { type: 'method' },
    type_spec: {
      type: (node) => {
        const kind = node.field('type')?.kind()
        return kind === 'struct_type' ? 'struct' : kind === 'interface_type' ? 'interface' : 'type'
      },
    },
    type_alias: { type: 'type' },
    const_spec: { type: 'constant', names: (node) => identifiers(node) },
    var_spec: { type: 'variable', names: (node) => identifiers(node) },
  },
  members: {
    field_declaration: { type: 'field', names: (node) => identifiers(node, 'field_identifier', 'type_identifier') },
    method_elem: { type: 'method' },
    method_spec: { type: 'method' },
  },
  bodies: new Set(['field_declaration_list', 'interface_type', 'struct_type']),
  imports: {
    import_spec: {
      type: 'module',
      names: (node) => [(node.field('path')?.text() ?? node.text()).replace(/^"|"$/g, '')],
    },
  },
  wrappers: new Set(),
  groups: new Set([
    'import_declaration',
    'import_spec_list',
    'type_declaration',
    'const_declaration',
    'var_declaration',
    'var_spec_list',
  ]),
  isExported: (_node, _outer, name) => isUpper(name),
  isPublic: (_member, name) => isUpper(name),
}

function identifiers(node: SgNode, ...kinds: string[]): string[] {
  const wanted = kinds.length === 0 ? ['identifier'] : [kinds[0] ?? '']
  const names = node
    .children()
    .filter((child) => wanted.includes(String(child.kind())))
    .map((child) => child.text())
  const [, fallback] = kinds
  return names.length > 0 || fallback === undefined
    ? names
    : node
        .children()
        .filter((child) => child.kind() === fallback)
        .map((child) => child.text())
}

const javaTypes: Readonly<Record<string, EntryRule>> = {
  class_declaration: { type: 'class' },
  interface_declaration: { type: 'interface' },
  enum_declaration: { type: 'enum' },
  record_declaration: { type: 'class' },
  annotation_type_declaration: { type: 'interface' },
}

const java: OutlineRules = {
  items: {
    ...javaTypes,
    method_declaration: { type: 'method' },
    package_declaration: {
      type: 'package',
      names: (node) => textOf(node).map((text) => text.replace(/^package /, '')),
    },
  },
  members: {
    ...javaTypes,
    method_declaration: { type: 'method' },
    constructor_declaration: { type: 'constructor' },
    compact_constructor_declaration: { type: 'constructor' },
    field_declaration: { type: 'field', names: declarators },
    constant_declaration: { type: 'constant', names: declarators },
    enum_constant: { type: 'enumMember' },
    annotation_type_element_declaration: { type: 'method' },
  },
  bodies: new Set(['class_body', 'interface_body', 'enum_body', 'enum_body_declarations', 'annotation_type_body']),
  imports: {
    import_declaration: {
      type: 'module',
      names: (node) => textOf(node).map((text) => text.replace(/^import (static )?/, '')),
    },
  },
  wrappers: new Set(),
  isExported: (node) => hasModifier(node, 'public'),
  isPublic: (member, _name, parent) =>
    hasModifier(member, 'public') ||
    member.kind() === 'enum_constant' ||
    (/interface|annotation/.test(String(parent.kind())) && !hasModifier(member, 'private')),
}

const kotlinName = (node: SgNode): string[] => nameOf(node, 'type_identifier', 'simple_identifier')

const kotlinEntries: Readonly<Record<string, EntryRule>> = {
  class_declaration: {
    type: (node) =>
      node.children().some((child) => child.kind() === 'interface')
        ? 'interface'
        : /^\s*(\w+\s+)*enum\s/.test(node.text().slice(0, 200))
          ? 'enum'
          : 'class',
    names: kotlinName,
  },
  object_declaration: { type: 'object', names: kotlinName },
  property_declaration: {
    type: 'property',
    names: (node) => nameOf(firstNamed(node, 'variable_declaration') ?? node, 'simple_identifier'),
  },
  type_alias: { type: 'type', names: kotlinName },
}

const kotlin: OutlineRules = {
  items: { ...kotlinEntries, function_declaration: { type: 'function', names: kotlinName } },
  members: {
    ...kotlinEntries,
    function_declaration: { type: 'method', names: kotlinName },
    companion_object: {
      type: 'object',
      names: (node) => (kotlinName(node).length > 0 ? kotlinName(node) : ['companion']),
    },
    secondary_constructor: { type: 'constructor', names: () => ['constructor'] },
    enum_entry: { type: 'enumMember', names: kotlinName },
    class_parameter: { type: 'property', names: kotlinName },
  },
  bodies: new Set(['class_body', 'enum_class_body']),
  imports: {
    import_header: { type: 'module', names: (node) => [firstNamed(node, 'identifier')?.text() ?? node.text()] },
  },
  wrappers: new Set(),
  groups: new Set(['import_list']),
  isExported: (node) => !hasModifier(node, 'private', 'internal', 'protected'),
  isPublic: (member) => !hasModifier(member, 'private', 'internal', 'protected'),
}

const swiftTypes: EntryRule = {
  type: (node) => {
    const word =
      node.field('declaration_kind')?.text() ??
      node
        .children()
        .find((child) => !child.isNamed())
        ?.text() ??
      'class'
    return word === 'extension' || word === 'actor' ? (word === 'actor' ? 'class' : 'object') : word
  },
  names: (node) => nameOf(node, 'type_identifier', 'user_type'),
}

const swiftEntries: Readonly<Record<string, EntryRule>> = {
  class_declaration: swiftTypes,
  protocol_declaration: { type: 'interface', names: (node) => nameOf(node, 'type_identifier') },
  property_declaration: {
    type: (node) => (node.children().some((child) => child.text() === 'let') ? 'constant' : 'variable'),
    names: (node) => nameOf(node, 'pattern'),
  },
  typealias_declaration: { type: 'type', names: (node) => nameOf(node, 'type_identifier') },
}

const swift: OutlineRules = {
  items: {
    ...swiftEntries,
    function_declaration: { type: 'function', names: (node) => nameOf(node, 'simple_identifier') },
  },
  members: {
    ...swiftEntries,
    function_declaration: { type: 'method', names: (node) => nameOf(node, 'simple_identifier') },
    protocol_function_declaration: { type: 'method', names: (node) => nameOf(node, 'simple_identifier') },
    protocol_property_declaration: { type: 'property', names: (node) => nameOf(node, 'pattern') },
    init_declaration: { type: 'constructor', names: () => ['init'] },
    deinit_declaration: { type: 'method', names: () => ['deinit'] },
    subscript_declaration: { type: 'method', names: () => ['subscript'] },
    enum_entry: { type: 'enumMember', names: (node) => identifiers(node, 'simple_identifier') },
  },
  bodies: new Set(['class_body', 'enum_class_body', 'protocol_body']),
  imports: {
    import_declaration: { type: 'module', names: (node) => [firstNamed(node, 'identifier')?.text() ?? node.text()] },
  },
  wrappers: new Set(),
  isExported: (node) => hasModifier(node, 'public', 'open'),
  isPublic: (member) =>
    !hasModifier(member, 'private', 'fileprivate', 'internal') &&
    (hasModifier(member, 'public', 'open') || member.kind() === 'enum_entry' || /protocol/.test(String(member.kind()))),
}

const RULES: Readonly<Record<string, OutlineRules>> = {
  TypeScript: javascript,
  Tsx: javascript,
  JavaScript: javascript,
  python,
  rust,
  go,
  java,
  kotlin,
  swift,
}

/** The outline rules of a grammar; undefined where outlines are not known. */
export function outlineRules(grammar: string): OutlineRules | undefined {
  return RULES[grammar]
}
