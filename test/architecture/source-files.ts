import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '../..')

export interface SourceFile {
  /** Relative to the project, with `/`. */
  name: string
  text: string
}

/** Our own source files below the given folders. */
export function sourceFiles(folders: readonly string[], pattern = /\.(tsx?|mjs|cjs|css)$/): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && pattern.test(entry.name) && !entry.parentPath.includes('.cache'))
      .map((entry) => {
        const file = path.join(entry.parentPath, entry.name)
        return { name: path.relative(root, file).replaceAll(path.sep, '/'), text: readFileSync(file, 'utf8') }
      }),
  )
}

/** The program's text without comments, so that a rule is not broken by a sentence about it. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/.*$/gm, '$1')
}
