import { blockLanguage } from './block-languages'

/** Grammars by the names that callers use. TypeScript covers files with and without JSX. */
const BY_NAME: Readonly<Record<string, readonly string[]>> = {
  rust: ['rust'],
  rs: ['rust'],
  typescript: ['TypeScript', 'Tsx'],
  ts: ['TypeScript', 'Tsx'],
  tsx: ['Tsx'],
  javascript: ['JavaScript'],
  js: ['JavaScript'],
  jsx: ['JavaScript'],
  python: ['python'],
  py: ['python'],
  go: ['go'],
  golang: ['go'],
  kotlin: ['kotlin'],
  kt: ['kotlin'],
  java: ['java'],
  swift: ['swift'],
  c: ['c'],
  cpp: ['cpp'],
  'c++': ['cpp'],
  ruby: ['ruby'],
  rb: ['ruby'],
  bash: ['bash'],
  shell: ['bash'],
  json: ['json'],
  css: ['Css'],
  html: ['Html'],
}

/** Grammars whose outline is known (AST-14). */
export const OUTLINE_GRAMMARS: ReadonlySet<string> = new Set([
  'rust',
  'TypeScript',
  'Tsx',
  'JavaScript',
  'python',
  'go',
  'kotlin',
  'java',
  'swift',
])

/** The grammars that a language name stands for; undefined for unknown names. */
export function grammarsNamed(name: string): readonly string[] | undefined {
  return BY_NAME[name.trim().toLowerCase()]
}

export const LANGUAGE_NAMES = Object.keys(BY_NAME)

/** The grammar of a file by its ending; undefined where there is none. */
export function grammarOf(path: string): string | undefined {
  return blockLanguage(path)?.name
}

/** A grammar as results name it. */
export function languageName(grammar: string): string {
  return grammar.toLowerCase()
}

/** What stands for `$` where the grammar has no such character in names; patterns are parsed with it. */
export function metaCharacter(grammar: string): string {
  switch (grammar) {
    case 'python':
    case 'rust':
    case 'go':
    case 'kotlin':
    case 'swift':
    case 'ruby':
      return 'µ'
    case 'c':
    case 'cpp':
    case 'Css':
      return '_'
    default:
      return '$'
  }
}
