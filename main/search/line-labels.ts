import type { LineLabel } from './grep-types'

const IMPORT =
  /^\s*(?:import\b|from\s+\S+\s+import\b|use\s+[\w:{]|pub\s+use\b|#\s*include\b|require\b|@import\b|using\s+[\w.]+\s*;|export\s+(?:\*|\{[^}]*\})\s+from\b|(?:const|let|var)\b[^=]*=\s*require\()/

const MODIFIERS =
  'export|default|declare|public|private|protected|internal|static|async|abstract|final|override|open|sealed|virtual|unsafe|extern|inline|pub(?:\\([^)]*\\))?|data|suspend|partial|readonly'

/** Keywords that name something right after them. */
const KEYWORDS =
  'function\\*?|class|interface|type|enum|struct|trait|impl|union|fn|def|func|fun|module|namespace|mod|const|let|var|val|object|record|protocol|extension|macro_rules!|typealias'

const DEFINITION = new RegExp(
  `^\\s*(?:@\\w+(?:\\([^)]*\\))?\\s+)*(?:(?:${MODIFIERS})\\s+)*(?:${KEYWORDS})\\s*(?:<[^>]*>|\\([^)]*\\))?\\s*[\\w$]+`,
)

/** Longest part of a line that is looked at, in characters: definitions stand at the beginning. */
const LOOKED_AT = 400

/**
 * Labels a matching line: `def-like` when the match touches what the line defines, `import` for lines that bring in a
 * name, else `match`. A guess from one line, good enough to sort by.
 */
export function labelLine(text: string, matchStart: number): LineLabel {
  const head = text.length > LOOKED_AT ? text.slice(0, LOOKED_AT) : text
  if (IMPORT.test(head)) return 'import'
  const definition = DEFINITION.exec(head)
  return definition !== null && matchStart < definition[0].length ? 'def-like' : 'match'
}

/** The higher, the sooner it is shown. */
export const labelWeight: Readonly<Record<LineLabel, number>> = { 'def-like': 3, match: 2, import: 1 }
