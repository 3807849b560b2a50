import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { grammarsNamed } from '../../../main/syntax/ast-languages'
import { astSearchTask } from '../../../main/syntax/ast-search-task'
import type { AstRow } from '../../../main/syntax/ast-types'
import { outlineProgram } from '../../support/outline-oracle'

const folder = fileURLToPath(new URL('../../fixtures/syntax', import.meta.url))
const Match = z.object({
  file: z.string(),
  range: z.object({
    byteOffset: z.object({ start: z.number(), end: z.number() }),
    start: z.object({ line: z.number() }),
  }),
  replacement: z.string(),
})

/** Previews as the program's matches say they must look. */
function oraclePreviews(program: string, language: string, pattern: string, rewrite: string): string[] {
  const args = [
    'run',
    '--pattern',
    pattern,
    '--rewrite',
    rewrite,
    '--lang',
    language,
    '--json=stream',
    'outline',
    'rewrites',
  ]
  const output = execFileSync(program, args, { cwd: folder, encoding: 'utf8' })
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { file, range, replacement } = Match.parse(JSON.parse(line))
      const { start, end } = range.byteOffset
      const bytes = readFileSync(path.join(folder, file))
      const before = start === 0 ? 0 : bytes.lastIndexOf(10, start - 1) + 1
      const newline = bytes.indexOf(10, end)
      const after = newline === -1 ? bytes.length : newline
      const removed = bytes.toString('utf8', before, after).split('\n')
      const added = `${bytes.toString('utf8', before, start)}${replacement}${bytes.toString('utf8', end, after)}`.split(
        '\n',
      )
      const header = `${file.replace(/^\.\//, '')}:${range.start.line + 1} bytes ${start}..${end}`
      return [header, ...removed.map((row) => `-${row}`), ...added.map((row) => `+${row}`)].join('\n')
    })
    .sort()
}

function ownPreviews(language: string, pattern: string, rewrite: string): string[] {
  const rows: AstRow[] = []
  const limits = { fileBytes: 1e6, files: 100, totalBytes: 1e8, nodes: 1e6, depth: 1e3, results: 1e6, outputBytes: 1e8 }
  const deadlineAt = Date.now() + 30_000
  const walk = {
    root: folder,
    hidden: false,
    ignoreFiles: false,
    outsideGit: false,
    prune: [],
    maxEntries: 1000,
    deadlineAt,
    excluded: [],
  }
  const grammars = (grammarsNamed(language) ?? []).filter((name) => name.toLowerCase() === language)
  const target = { kind: 'folder', walk, prefix: '' } as const
  astSearchTask(
    { target, pattern, rewrite, grammars, limits, deadlineAt },
    { cancelled: () => false, step: () => undefined, emit: (row) => rows.push(row) },
  )
  const previews: string[] = []
  for (const { text } of rows) {
    if (/^\S+:\d+ bytes \d+\.\.\d+$/.test(text)) previews.push(text)
    else previews.push(`${previews.pop()}\n${text}`)
  }
  return previews.sort()
}

describe('rewrites beside the reference program', () => {
  const program = outlineProgram()

  it.runIf(program !== undefined).each([
    ['typescript', 'const $A = $B', 'let $A: unknown = $B'],
    ['typescript', 'function $F($$$ARGS) { $$$BODY }', 'const $F = ($$$ARGS) => { $$$BODY }'],
    ['typescript', 'run($A)', 'wrap(async () => {\n  await run($A)\n})'],
    ['typescript', 'if ($C) { $$$BODY }', 'while ($C) {\n    $$$BODY\n}'],
    ['typescript', '() => { $$$BODY }', 'function () {\n\t$$$BODY\n}'],
    ['tsx', 'useState($A)', 'useStore($A, $A)'],
    ['javascript', '$A = $B', '$B = $A'],
    ['python', 'def $F($$$ARGS): $$$BODY', 'def new_$F($$$ARGS): $$$BODY'],
    ['python', 'import $A', 'import $A as x'],
    ['rust', 'fn $F($$$ARGS) { $$$BODY }', 'fn renamed($$$ARGS) { todo!($NONE) }'],
    ['go', 'func $F($$$ARGS) { $$$BODY }', 'func New$F($$$ARGS) { $$$BODY }'],
    ['java', 'import $A;', 'import moved.$A;'],
    ['kotlin', 'val $A = $B', 'var $A = $B'],
    ['swift', 'let $A = $B', 'var $A = $B'],
  ])('AST-02 %s: %s becomes %s', (language, pattern, rewrite) => {
    const expected = oraclePreviews(program ?? '', language, pattern, rewrite)
    expect(expected.length).toBeGreaterThan(0)
    expect(ownPreviews(language, pattern, rewrite)).toEqual(expected)
  })
})
