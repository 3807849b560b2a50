import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { OutlineRow } from '../../../main/syntax/ast-types'
import { outlineTask } from '../../../main/syntax/outline-task'
import { oracleFacts, outlineProgram, ownFacts } from '../../support/outline-oracle'

const folder = fileURLToPath(new URL('../../fixtures/syntax/outline', import.meta.url))

function ownRows(): OutlineRow[] {
  const rows: OutlineRow[] = []
  const walk = {
    root: folder,
    hidden: false,
    ignoreFiles: false,
    outsideGit: false,
    prune: [],
    maxEntries: 1000,
    deadlineAt: Date.now() + 30_000,
    excluded: [],
  }
  const limits = {
    fileBytes: 1e6,
    files: 100,
    totalBytes: 1e8,
    nodes: 1e6,
    depth: 1000,
    results: 1e6,
    outputBytes: 1e8,
  }
  const args = {
    target: { kind: 'folder', walk, prefix: '' } as const,
    items: 'all',
    view: 'expanded',
    publicMembers: false,
    limits,
    deadlineAt: Date.now() + 30_000,
  } as const
  outlineTask(args, { cancelled: () => false, step: () => undefined, emit: (row) => rows.push(row) })
  return rows
}

/** What the program lists and we do not, on purpose. */
const EXPLAINED: Readonly<Record<string, readonly string[]>> = {
  // Functions and classes inside functions and branches are not at the top; the program takes them for such.
  'sample.ts': [
    'function inner 24:18-24:37 function inner() {}',
    'class Z 24:38-24:68 class Z { a() { class Q {} } }',
    'Z > method a 24:48-24:66 a() { class Q {} }',
    'function g 25:10-25:25 function g() {}',
  ],
  // A method of a nested class belongs to that class, which is listed instead.
  'sample.java': ['A > method q 12:14-12:25 void q() {}'],
  // Of a group of types the program lists the first, with the range of the group.
  'sample.go': ['struct G1 19:1-22:2 G1 struct{ Q int }'],
  // A star import keeps its star; methods of an object stand under the object, which is listed.
  'sample.kt': ['module g 4:1-4:11 import g', 'function om 24:12-24:23 fun om() {}'],
  // Methods of an extension stand under the extension, which is listed.
  'sample.swift': ['function ext 15:15-15:28 func ext() {}'],
}

describe('outline beside the reference program', () => {
  const program = outlineProgram()

  it.runIf(program !== undefined)(
    'AST-14 AST-19 lists all that the program lists, with the same types and ranges',
    () => {
      const ours = ownFacts(ownRows())
      const theirs = oracleFacts(program ?? '', folder)
      expect([...theirs.keys()].sort()).toEqual(
        ['go', 'java', 'js', 'kt', 'py', 'rs', 'swift', 'ts', 'tsx'].map((ending) => `sample.${ending}`),
      )
      for (const [file, facts] of theirs) {
        const own = new Set(ours.get(file))
        expect(facts.filter((line) => !own.has(line))).toEqual(EXPLAINED[file] ?? [])
      }
    },
  )

  it('AST-15 lists what the program leaves out too', () => {
    const ours = ownFacts(ownRows())
    expect(ours.get('sample.ts')).toEqual(
      expect.arrayContaining([
        'function default 16:1-16:30 export default function () {}',
        'class AA 23:1-23:41 abstract class AA { abstract b(): void }',
        'constant x2 28:22-28:28 x2 = 2',
      ]),
    )
    expect(ours.get('sample.go')).toContain('struct G1 20:2-20:20 G1 struct{ Q int }')
    expect(ours.get('sample.kt')).toContain('O > method om 24:12-24:23 fun om() {}')
    expect(ours.get('sample.swift')).toContain('A > method ext 15:15-15:28 func ext() {}')
    expect(ours.get('sample.rs')).toContain('T1 > constant K 10:19-10:32 const K: i32')
    expect(ours.get('sample.py')).toContain('module x 3:1-4:5 from x import (y,')
  })
})
