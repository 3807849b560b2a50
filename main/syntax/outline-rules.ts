import type { SgNode } from '@ast-grep/napi'

/** How one kind of node becomes an entry of an outline. */
export interface EntryRule {
  readonly type: string | ((node: SgNode) => string)
  /** Names it declares; by default the text of its `name` field. */
  readonly names?: (node: SgNode) => string[]
  /** Its declarations, where one statement can hold several: each becomes an entry of its own. */
  readonly parts?: (node: SgNode) => SgNode[]
  /** What stands for it in a result, where that is not its first source line. */
  readonly signature?: (node: SgNode) => string
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
  /** The range is what is declared, not its wrapper: decorators stand outside. */
  readonly showsInside?: boolean
  /** Groups that hold further items at the same level, like `import ( … )`. */
  readonly groups?: ReadonlySet<string>
  /** Groups whose range is shown when they hold one item only. */
  readonly shownGroups?: ReadonlySet<string>
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

const isConstant = (declarator: SgNode): boolean =>
  declarator
    .parent()
    ?.children()
    .some((child) => child.kind() === 'const') ?? false

const isExportedVariable = (declarator: SgNode): boolean => declarator.parent()?.parent()?.kind() === 'export_statement'

/** What is exported counts by how it is declared, what is not by what it holds: the names that callers filter by. */
const variable: EntryRule = {
  type: (node) => {
    if (!isExportedVariable(node) && node.field('value')?.kind() === 'arrow_function') return 'function'
    return isConstant(node) ? 'constant' : 'variable'
  },
  names: (node) => (node.field('name')?.kind() === 'identifier' ? nameOf(node) : []),
  parts: (node) => node.children().filter((child) => child.kind() === 'variable_declarator'),
}

const moduleSource = (node: SgNode): string[] => {
  const source = node.field('source')?.text() ?? firstNamed(node, 'string')?.text()
  return [source ?? node.text()]
}

const methodType = (node: SgNode): string => (node.field('name')?.text() === 'constructor' ? 'constructor' : 'method')

const unquoted = (node: SgNode): string[] => nameOf(node).map((name) => name.replace(/^(['"])(.*)\1$/s, '$2'))

const javascript: OutlineRules = {
  items: {
    function_declaration: { type: 'function' },
    generator_function_declaration: { type: 'function' },
    function_signature: { type: 'function' },
    class_declaration: { type: 'class' },
    abstract_class_declaration: { type: 'class' },
    interface_declaration: { type: 'interface' },
    type_alias_declaration: { type: 'struct' },
    enum_declaration: { type: 'enum' },
    internal_module: { type: 'module' },
    module: { type: 'module', names: unquoted },
    lexical_declaration: variable,
    variable_declaration: variable,
  },
  members: {
    method_definition: { type: methodType },
    method_signature: { type: 'method' },
    abstract_method_signature: { type: 'method' },
    call_signature: { type: 'method', names: () => ['()'] },
    construct_signature: { type: 'constructor', names: () => ['new'] },
    index_signature: { type: 'field', names: () => ['[index]'] },
    public_field_definition: { type: 'field' },
    field_definition: {
      type: 'field',
      names: (node) =>
        node.field('property') ? [node.field('property')?.text() ?? ''] : nameOf(node, 'property_identifier'),
    },
    property_signature: { type: 'field' },
    enum_assignment: {
      type: 'enumMember',
      names: textOf,
      parts: (node) => [node.field('name') ?? node],
    },
    property_identifier: { type: 'enumMember', names: textOf },
    function_declaration: { type: 'function' },
    class_declaration: { type: 'class' },
    interface_declaration: { type: 'interface' },
    type_alias_declaration: { type: 'struct' },
    enum_declaration: { type: 'enum' },
    lexical_declaration: variable,
  },
  bodies: new Set(['class_body', 'interface_body', 'object_type', 'enum_body', 'statement_block']),
  imports: {
    import_statement: { type: 'module', names: moduleSource },
    import_alias: { type: 'module', names: textOf },
  },
  wrappers: new Set(['export_statement', 'ambient_declaration', 'expression_statement']),
  isExported: (node, outer) =>
    outer.kind() === 'export_statement' || (node.kind() === 'module' && outer.kind() === 'ambient_declaration'),
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
      type: (node) => (/^[A-Z_][A-Z0-9_]*$/.test(node.field('left')?.text() ?? '') ? 'constant' : 'variable'),
      names: (node) => (node.field('left')?.kind() === 'identifier' ? [node.field('left')?.text() ?? ''] : []),
    },
    type_alias_statement: { type: 'struct', names: (node) => [node.field('left')?.text() ?? node.text()] },
  },
  members: {
    function_definition: { type: 'method' },
    class_definition: { type: 'class' },
    assignment: {
      type: 'field',
      names: (node) => (node.field('left')?.kind() === 'identifier' ? [node.field('left')?.text() ?? ''] : []),
    },
  },
  bodies: new Set(['block']),
  imports: {
    import_statement: {
      type: 'module',
      names: (node) => node.fieldChildren('name').map((name) => name.text()),
    },
    import_from_statement: { type: 'module', names: (node) => [node.field('module_name')?.text() ?? node.text()] },
    future_import_statement: { type: 'module', names: () => ['__future__'] },
  },
  wrappers: new Set(['decorated_definition', 'expression_statement']),
  showsInside: true,
  groups: new Set([
    'if_statement',
    'elif_clause',
    'else_clause',
    'try_statement',
    'except_clause',
    'except_group_clause',
    'finally_clause',
    'with_statement',
    'block',
  ]),
  isExported: (_node, _outer, name) => !name.startsWith('_'),
  isPublic: (_member, name) => !name.startsWith('_') || /^__\w+__$/.test(name),
}

const isPub = (node: SgNode): boolean => node.children().some((child) => child.kind() === 'visibility_modifier')

/** The first line of a declaration without its body. */
const bodyless = (node: SgNode): string =>
  node
    .text()
    .replace(/\s*\{[\s\S]*$|;\s*$/, '')
    .replace(/\n[\s\S]*$/, '')

const valueless = (node: SgNode): string => {
  const value = node.field('value')
  const end = value === null ? node.text().length : value.range().start.index - node.range().start.index
  return node
    .text()
    .slice(0, end)
    .replace(/\s*[=;]?\s*$/, '')
}

const isInImplOrTrait = (node: SgNode): boolean => /^(impl|trait)_item$/.test(String(node.parent()?.parent()?.kind()))

const rust: OutlineRules = {
  items: {
    function_item: { type: 'function', signature: bodyless },
    function_signature_item: { type: 'function', signature: bodyless },
    struct_item: { type: 'struct', signature: bodyless },
    union_item: { type: 'struct', signature: bodyless },
    enum_item: { type: 'enum', signature: bodyless },
    trait_item: { type: 'interface', signature: bodyless },
    impl_item: {
      type: 'object',
      names: (node) => [node.field('type')?.text() ?? ''],
      signature: bodyless,
    },
    mod_item: { type: 'module', signature: bodyless },
    const_item: { type: 'constant', signature: valueless },
    static_item: { type: 'variable', signature: valueless },
    type_item: { type: 'struct', signature: valueless },
    macro_definition: { type: 'function' },
    foreign_mod_item: { type: 'module', names: () => ['extern'] },
  },
  members: {
    function_item: { type: (node) => (isInImplOrTrait(node) ? 'method' : 'function'), signature: bodyless },
    function_signature_item: { type: 'method', signature: bodyless },
    field_declaration: { type: 'field' },
    enum_variant: { type: 'enumMember', signature: (node) => node.field('name')?.text() ?? node.text() },
    const_item: { type: 'constant', signature: valueless },
    type_item: { type: 'struct', signature: valueless },
    associated_type: { type: 'typeParameter' },
    struct_item: { type: 'struct', signature: bodyless },
    enum_item: { type: 'enum', signature: bodyless },
    trait_item: { type: 'interface', signature: bodyless },
    mod_item: { type: 'module', signature: bodyless },
    static_item: { type: 'variable', signature: valueless },
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
        return kind === 'struct_type' ? 'struct' : kind === 'interface_type' ? 'interface' : 'typeParameter'
      },
    },
    type_alias: { type: 'typeParameter' },
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
  shownGroups: new Set(['type_declaration']),
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
  record_declaration: { type: 'struct' },
  annotation_type_declaration: { type: 'interface' },
}

const java: OutlineRules = {
  items: {
    ...javaTypes,
    method_declaration: { type: 'method' },
    module_declaration: { type: 'module' },
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
      signature: (node) => node.text().replace(/;\s*$/, ''),
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
    names: (node) => {
      const declared = firstNamed(node, 'variable_declaration')
      return declared === undefined ? [] : nameOf(declared, 'simple_identifier')
    },
  },
  type_alias: { type: 'struct', names: kotlinName },
}

const kotlin: OutlineRules = {
  items: { ...kotlinEntries, function_declaration: { type: 'function', names: kotlinName } },
  members: {
    ...kotlinEntries,
    function_declaration: { type: 'method', names: kotlinName },
    companion_object: {
      type: 'object',
      names: () => ['companion object'],
      signature: () => 'companion object',
    },
    secondary_constructor: { type: 'constructor', names: () => ['constructor'] },
    enum_entry: { type: 'enumMember', names: kotlinName },
    class_parameter: { type: 'property', names: kotlinName },
  },
  bodies: new Set(['class_body', 'enum_class_body']),
  imports: {
    import_header: {
      type: 'module',
      names: (node) => [
        firstNamed(firstNamed(node, 'import_alias') ?? node, 'type_identifier', 'identifier')?.text() ?? node.text(),
      ],
    },
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
    return word === 'extension' || word === 'actor' ? 'object' : word
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
  typealias_declaration: { type: 'struct', names: (node) => nameOf(node, 'type_identifier') },
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
    protocol_property_declaration: {
      type: 'property',
      names: (node) => nameOf(node, 'pattern').map((name) => name.replace(/^(?:var|let)\s+/, '')),
    },
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
