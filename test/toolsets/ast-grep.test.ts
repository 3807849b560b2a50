import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { astGrepTool } from '../../main/toolsets/magi/ast-grep'
import { SearchBench } from '../support/search-bench'

let bench: SearchBench
beforeEach(async () => {
  bench = await SearchBench.make()
})
afterEach(() => bench.dispose())

const ast = (args: object) => bench.session('magi', [astGrepTool(bench.engines)])('ast_grep', args)
const rows = (text: string) => text.split('\n').slice(0, -1)
interface Row {
  path: string
  language: string
  item: {
    symbolType: string
    name: string
    signature?: string
    isExported: boolean
    isImport: boolean
    members?: { name: string; symbolType: string; signature?: string }[]
  }
}
const outline = async (args: object): Promise<Row[]> =>
  rows((await ast({ operation: 'outline', ...args })).text).map((row) => JSON.parse(row) as Row)

const views = {
  'a.ts': 'track(user, 1);\n',
  'b.tsx':
    'export const V = () => (\n  <div>\n    <div><Link>in</Link></div>\n    <Link>out</Link>\n  </div>\n);\ntrack(user, 2);\n',
}

describe('ast_grep search', () => {
  it('AST-01 AST-03 AST-10 follows the language of each file (S19)', async () => {
    await bench.write(views)
    expect((await ast({ pattern: 'track($A, $B)', path: '.' })).text).toBe(
      'a.ts:1:track(user, 1);\nb.tsx:7:track(user, 2);\n[matches: 2, files_scanned: 2, files_skipped: 0, partial: false, truncated: false]',
    )
    const inFile = await ast({ pattern: '<Link>$$$A</Link>', path: 'b.tsx' })
    expect(rows(inFile.text)).toEqual(['b.tsx:3:    <div><Link>in</Link></div>', 'b.tsx:4:    <Link>out</Link>'])
    const mixed = await ast({ pattern: '<Link>$$$A</Link>', path: '.' })
    expect(mixed).toMatchObject({
      ok: true,
      details: { partial: true, matches: 2, pattern_not_compiled_for: ['typescript'] },
    })
    expect(rows((await ast({ pattern: 'track($A, $B)', path: 'b.tsx', language: 'typescript' })).text)).toEqual([
      'b.tsx:7:track(user, 2);',
    ])
    expect((await ast({ pattern: '<Link>$$$A</Link>', path: 'a.ts' })).error).toMatchObject({
      code: 'invalid_arguments',
    })
  })

  it('AST-02 previews each rewrite with its exact bytes and writes nothing', async () => {
    await bench.write({ 'a.ts': 'é(1); foo(a, b); foo(c)\nfoo(\n  d,\n)\n' })
    const result = await ast({ pattern: 'foo($$$ARGS)', rewrite: 'bar([$$$ARGS])', path: 'a.ts' })
    expect(rows(result.text)).toEqual([
      'a.ts:1 bytes 7..16',
      '-é(1); foo(a, b); foo(c)',
      '+é(1); bar([a, b]); foo(c)',
      'a.ts:1 bytes 18..24',
      '-é(1); foo(a, b); foo(c)',
      '+é(1); foo(a, b); bar([c])',
      'a.ts:2 bytes 25..36',
      '-foo(',
      '-  d,',
      '-)',
      '+bar([d,])',
    ])
    expect(await readFile(path.join(bench.project, 'a.ts'), 'utf8')).toContain('foo(a, b)')
  })

  it('AST-04 AST-06 AST-08 keeps the limits and says so', async () => {
    await bench.write({
      'many.ts': 'f(1)\n'.repeat(150),
      'large.ts': `f(1)\n${'// x\n'.repeat(60_000)}`,
      'deep.ts': `f(${'['.repeat(80)}${']'.repeat(80)})`,
      'latin.ts': Buffer.from([0x66, 0x28, 0xe9, 0x29]),
    })
    const result = await ast({ pattern: 'f($A)' })
    expect(result.details).toMatchObject({ truncated: true })
    expect(rows(result.text)).toHaveLength(100)
    expect((await ast({ pattern: 'f($A)', limit: 9999 })).details).toMatchObject({
      matches: 150,
      files_skipped: 3,
      partial: true,
      truncated: false,
    })
  })

  it('AST-05 AST-17 refuses what does not belong, with an example, and takes null as absent', async () => {
    await bench.write(views)
    const wrong = await ast({ operation: 'outline', path: 'a.ts', pattern: '' })
    expect(wrong.error?.code).toBe('invalid_arguments')
    expect(wrong.text).toContain('omit or set to null: {"operation":"outline","pattern":null}')
    expect((await ast({ pattern: 'f()', pub_members: false })).error?.code).toBe('invalid_arguments')
    expect((await ast({ pattern: null })).error?.code).toBe('invalid_arguments')
    expect((await ast({ pattern: 'x'.repeat(4097) })).error?.code).toBe('invalid_arguments')
    expect((await ast({ pattern: 'f(', path: 'a.ts' })).error?.code).toBe('invalid_arguments')
    expect((await ast({ operation: null, pattern: 'f()' })).error?.code).toBe('invalid_arguments')
    expect(
      (await ast({ pattern: 'track($A, $B)', rewrite: null, path: null, items: null, view: null, limit: null })).ok,
    ).toBe(true)
  })

  it('AST-11 AST-12 AST-13 leaves ignored files to explicit requests, and an empty set is a success', async () => {
    await bench.write({
      '.gitignore': 'gen/\n',
      'gen/a.ts': 'f(1)\n',
      'sgconfig.yml': 'ruleDirs: [rules]\n',
      'x.unknown': 'f(1)',
    })
    expect(await ast({ pattern: 'f($A)' })).toMatchObject({ ok: true, details: { matches: 0, partial: false } })
    expect(rows((await ast({ pattern: 'f($A)', path: 'gen/a.ts' })).text)).toEqual(['gen/a.ts:1:f(1)'])
  })

  it('searches the other languages too', async () => {
    await bench.write({
      'a.py': 'print(1)\n',
      'a.rs': 'fn m() { x.unwrap(); }\n',
      'a.go': 'package m\nfunc f() { g(1) }\n',
      'a.c': 'int m() { g(1); }\n',
    })
    expect(rows((await ast({ pattern: 'print($A)', language: 'python' })).text)).toEqual(['a.py:1:print(1)'])
    expect(rows((await ast({ pattern: '$A.unwrap()', language: 'rust' })).text)).toEqual([
      'a.rs:1:fn m() { x.unwrap(); }',
    ])
    expect(rows((await ast({ pattern: 'func $F() { $$$B }', language: 'go' })).text)).toEqual([
      'a.go:2:func f() { g(1) }',
    ])
  })
})

describe('ast_grep outline', () => {
  const sample =
    "import { a } from './x'\nexport interface P { a: string; m(): void }\nexport class C<T> extends D {\n  private x = 1\n  constructor() { super() }\n  async m(a: string): Promise<void> { }\n}\nfunction f(a: number) {}\nexport const v = async (x: number) => { }\nconst q = 1, w = 2\nexport { q as r } from './y'\nenum E { A, B = 2 }\n"

  it('AST-14 AST-18 AST-19 gives one JSON object a line, 1-based, with members by view', async () => {
    await bench.write({ 's.ts': sample })
    const items = await outline({ path: 's.ts' })
    expect(
      items.map((row) => `${row.item.symbolType} ${row.item.name}${row.item.isExported ? ' exported' : ''}`),
    ).toEqual([
      'interface P exported',
      'class C exported',
      'function f',
      'constant v exported',
      'constant q',
      'constant w',
      "module './y' exported",
      'enum E',
    ])
    expect(items[1]).toEqual({
      path: 's.ts',
      language: 'typescript',
      item: {
        symbolType: 'class',
        name: 'C',
        range: { start: { line: 3, column: 1 }, end: { line: 7, column: 2 } },
        signature: 'export class C<T> extends D {',
        isImport: false,
        isExported: true,
        members: [
          {
            symbolType: 'field',
            name: 'x',
            range: { start: { line: 4, column: 3 }, end: { line: 4, column: 16 } },
            isPublic: false,
          },
          {
            symbolType: 'constructor',
            name: 'constructor',
            range: { start: { line: 5, column: 3 }, end: { line: 5, column: 28 } },
            isPublic: true,
          },
          {
            symbolType: 'method',
            name: 'm',
            range: { start: { line: 6, column: 3 }, end: { line: 6, column: 40 } },
            isPublic: true,
          },
        ],
      },
    })
    const names = await outline({ path: 's.ts', view: 'names' })
    expect(names[1]?.item).not.toHaveProperty('signature')
    expect(names[1]?.item).not.toHaveProperty('members')
    const expanded = await outline({ path: 's.ts', view: 'expanded', name: '^C$', pub_members: true })
    expect(expanded[0]?.item.members?.map((member) => member.signature)).toEqual([
      'constructor() { super() }',
      'async m(a: string): Promise<void> { }',
    ])
  })

  it('AST-15 AST-16 AST-20 AST-21 selects items, names and types, and counts whole entries', async () => {
    await bench.write({ 's.ts': sample, 'empty.ts': '' })
    expect((await outline({ path: 's.ts', items: 'imports' })).map((row) => row.item.name)).toEqual(["'./x'"])
    expect((await outline({ path: 's.ts', items: 'exports' })).map((row) => row.item.name)).toEqual([
      'P',
      'C',
      'v',
      "'./y'",
    ])
    expect((await outline({ path: 's.ts', symbol_type: 'enum, interface' })).map((row) => row.item.name)).toEqual([
      'P',
      'E',
    ])
    expect((await outline({ path: 's.ts', name: 'number' })).map((row) => row.item.name)).toEqual(['f', 'v'])
    const limited = await ast({ operation: 'outline', path: 's.ts', limit: 2 })
    expect(limited.details).toMatchObject({ symbols_returned: 2, truncated: true })
    expect(await ast({ operation: 'outline', path: 'empty.ts' })).toMatchObject({
      ok: true,
      details: { symbols_returned: 0, partial: false },
    })
    expect((await ast({ operation: 'outline', path: 's.ts', name: 'x'.repeat(513) })).error?.code).toBe(
      'invalid_arguments',
    )
  })

  const samples: [string, string, string[]][] = [
    [
      'a.py',
      'import os\nX = 1\n@dec\nclass A(B):\n    y = 1\n    def m(self): pass\ndef _f(a): pass\n',
      ['constant X +', 'class A + field y, method m', 'function _f'],
    ],
    [
      'a.rs',
      'use a::b;\npub struct S { pub a: i32 }\nenum E { A, B(i32) }\nimpl T for S { fn new() {} }\npub fn f() {}\n',
      ['struct S + field a', 'enum E enumMember A, enumMember B', 'object S method new', 'function f +'],
    ],
    [
      'a.go',
      'package m\nimport (\n "a"\n)\ntype S struct { A int; b string }\ntype I interface { M() }\nfunc F() {}\nfunc (s *S) m() {}\n',
      ['struct S + field A, field b', 'interface I + method M', 'function F +', 'method m'],
    ],
    [
      'a.java',
      'import java.util.List;\npublic class A { private int x; public A() {} void m() {} }\nenum F { G, H }\n',
      ['class A + field x, constructor A, method m', 'enum F enumMember G, enumMember H'],
    ],
    [
      'a.kt',
      'import b.c\nclass A { fun m(): Int = 1 }\nprivate fun f() {}\nval v = 1\n',
      ['class A + method m', 'function f', 'property v +'],
    ],
    [
      'a.swift',
      'import Foundation\npublic class A { func m() {} }\nstruct S { let a: Int }\nfunc f() {}\n',
      ['class A + method m', 'struct S constant a', 'function f'],
    ],
    [
      'a.js',
      'export default class A { #p = 1; m() {} }\nexport function f() {}\n',
      ['class A + field #p, method m', 'function f +'],
    ],
  ]
  it.each(samples)('AST-14 outlines %s', async (file, source, expected) => {
    await bench.write({ [file]: source })
    const items = await outline({ path: file })
    const described = items.map(({ item }) => {
      const members = (item.members ?? []).map((member) => `${member.symbolType} ${member.name}`).join(', ')
      return [`${item.symbolType} ${item.name}`, item.isExported ? '+' : '', members]
        .filter((part) => part !== '')
        .join(' ')
    })
    expect(described).toEqual(expected)
  })
})
