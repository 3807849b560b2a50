/** Grammars built into the parser, by file ending. */
const BUILT_IN: Readonly<Record<string, string>> = {
  ts: 'TypeScript',
  mts: 'TypeScript',
  cts: 'TypeScript',
  tsx: 'Tsx',
  js: 'JavaScript',
  mjs: 'JavaScript',
  cjs: 'JavaScript',
  jsx: 'JavaScript',
  css: 'Css',
  html: 'Html',
  htm: 'Html',
}

const REGISTERED: Readonly<Record<string, string>> = {
  py: 'python',
  pyi: 'python',
  rs: 'rust',
  go: 'go',
  java: 'java',
  kt: 'kotlin',
  kts: 'kotlin',
  c: 'c',
  h: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  cxx: 'cpp',
  hh: 'cpp',
  hpp: 'cpp',
  hxx: 'cpp',
  rb: 'ruby',
  rake: 'ruby',
  json: 'json',
  sh: 'bash',
  bash: 'bash',
  swift: 'swift',
}

/** The grammar for a file, judged by its ending; undefined where there is none. */
export function blockLanguage(path: string): { readonly name: string; readonly builtIn: boolean } | undefined {
  const ending = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  const builtIn = BUILT_IN[ending]
  if (builtIn !== undefined) return { name: builtIn, builtIn: true }
  const name = REGISTERED[ending]
  return name === undefined ? undefined : { name, builtIn: false }
}

/** Nodes that only hold what is in them: they begin where their first statement begins but are not it. */
export const CONTAINER_KINDS: ReadonlySet<string> = new Set([
  'block',
  'block_node',
  'body_statement',
  'class_body',
  'compound_statement',
  'declaration_list',
  'document',
  'enum_body',
  'enum_class_body',
  'enum_variant_list',
  'field_declaration_list',
  'function_body',
  'interface_body',
  'module',
  'program',
  'script',
  'source_file',
  'statement_block',
  'statement_list',
  'statements',
  'stylesheet',
  'suite',
  'switch_body',
  'then',
  'translation_unit',
])
