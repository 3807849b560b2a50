import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { WorkerPool } from '../../main/platform/worker-pool'
import { SyntaxEngine } from '../../main/syntax/syntax-engine'
import { astGrepTool } from '../../main/toolsets/magi/ast-grep'
import { astGrepTool as plumblineAst } from '../../main/toolsets/plumbline/ast-grep'
import { row } from '../support/contract-row'
import { SearchBench } from '../support/search-bench'
import { LateSyntax, TunedSearch } from '../support/tuned-search'

type Set = 'plumbline' | 'magi'

let bench: SearchBench
let pool: WorkerPool
beforeEach(async () => {
  bench = await SearchBench.make()
  pool = new WorkerPool({ worker: 'ast', size: 1 })
})
afterEach(async () => {
  await pool.dispose()
  await bench.dispose()
})

function ast(toolset: Set, args: object, late = false) {
  const syntax = late ? new LateSyntax({ pool }) : new SyntaxEngine({ pool })
  const search = new TunedSearch({ pool: bench.pool, paths: bench.engines.paths })
  const engines = { ...bench.engines, search, syntax }
  const tool = toolset === 'magi' ? astGrepTool(engines) : plumblineAst(engines)
  return bench.session(toolset, [tool])('ast_grep', args)
}
const rows = (text: string) => text.split('\n').slice(0, -1)
const items = (text: string) => rows(text).map((line): Item => JSON.parse(line))
interface Item {
  path: string
  language: string
  item: { name: string; symbolType: string; signature?: string; members?: { name: string; signature?: string }[] }
}

const source = "import { z } from 'z'\nexport class A {\n  private x = 1\n  m(a: number) {}\n}\nfunction f() {}\n"

describe('ast_grep', () => {
  row('AST-01', ['plumbline', 'magi'], 'searches by syntax, search being the default', async (toolset) => {
    await bench.write({ 'a.ts': "log('a')\n// log('b')\nconst s = \"log('c')\"\n", 'b.py': "log('d')\n" })
    expect((await ast(toolset, { pattern: 'log($A)' })).text).toBe(
      "a.ts:1:log('a')\nb.py:1:log('d')\n[matches: 2, files_scanned: 2, files_skipped: 0, partial: false, truncated: false]",
    )
  })

  row('AST-02', ['plumbline', 'magi'], 'previews each match for itself and writes nothing', async (toolset) => {
    await bench.write({ 'a.ts': 'f(f(1))\n' })
    const answer = await ast(toolset, { pattern: 'f($A)', rewrite: 'g($A)' })
    expect(rows(answer.text)).toEqual([
      'a.ts:1 bytes 0..7',
      '-f(f(1))',
      '+g(f(1))',
      'a.ts:1 bytes 2..6',
      '-f(f(1))',
      '+f(g(1))',
    ])
    expect(await readFile(path.join(bench.project, 'a.ts'), 'utf8')).toBe('f(f(1))\n')
  })

  row('AST-03', ['plumbline', 'magi'], 'gives path:line:text from line 1', async (toolset) => {
    await bench.write({ 'd/a.ts': '\n  go(1)\n' })
    expect(rows((await ast(toolset, { pattern: 'go($A)' })).text)).toEqual(['d/a.ts:2:  go(1)'])
  })

  row('AST-04', ['plumbline', 'magi'], '100 lines by default, 500 at most, 64 KiB in all', async (toolset) => {
    await bench.write({ 'a.ts': 'f(1)\n'.repeat(600) })
    const count = async (limit?: number) => {
      const answer = await ast(toolset, { pattern: 'f($A)', limit })
      expect(answer.details).toMatchObject({ truncated: true })
      return rows(answer.text).length
    }
    expect([await count(), await count(7), await count(9999)]).toEqual([100, 7, 500])
    await bench.write({ 'a.ts': `f('${'x'.repeat(1000)}')\n`.repeat(100) })
    const large = await ast(toolset, { pattern: 'f($A)' })
    expect(rows(large.text)).toHaveLength(64)
    expect(large.details).toMatchObject({ truncated: true })
  })

  row('AST-05', ['plumbline', 'magi'], 'takes patterns and rewrites of 4 KiB and 256 nodes', async (toolset) => {
    await bench.write({ 'a.ts': 'f(1)\n' })
    const fails = async (args: object) => (await ast(toolset, args)).error?.code
    expect(await fails({ pattern: 'é'.repeat(2049) })).toBe('invalid_arguments')
    expect(await fails({ pattern: 'f($A)', rewrite: 'x'.repeat(4097) })).toBe('invalid_arguments')
    expect(await fails({ pattern: 'f($A)', rewrite: 'x'.repeat(4096) })).toBeUndefined()
    expect(await fails({ pattern: `[${'1,'.repeat(300)}]` })).toBe('limit_exceeded')
  })

  row('AST-06', ['plumbline', 'magi'], 'takes complete UTF-8 files of 256 KiB', async (toolset) => {
    const filled = (bytes: number) => `f(1)\n${'//'.padEnd(bytes - 5, 'x')}`
    await bench.write({ 'fits.ts': filled(256 * 1024), 'large.ts': filled(256 * 1024 + 1) })
    const answer = await ast(toolset, { pattern: 'f($A)' })
    expect(rows(answer.text)).toEqual(['fits.ts:1:f(1)'])
    expect(answer.details).toMatchObject({ files_scanned: 2, files_skipped: 1, partial: true })
  })

  row(
    'AST-07',
    ['plumbline', 'magi'],
    'skips trees of more than 16,384 nodes or 64 levels, and huge replacements',
    async (toolset) => {
      await bench.write({
        'deep.ts': `${'['.repeat(70)}f(1)${']'.repeat(70)}\n`,
        'wide.ts': `f(1)\n[${'1,'.repeat(9000)}]\n`,
        'fine.ts': 'f(1)\n',
      })
      const answer = await ast(toolset, { pattern: 'f($A)' })
      expect(rows(answer.text)).toEqual(['fine.ts:1:f(1)'])
      expect(answer.details).toMatchObject({ files_skipped: 2, partial: true })
      await bench.write({ 'fine.ts': `f('${'x'.repeat(20_000)}')\n` })
      const grown = await ast(toolset, { pattern: 'f($A)', rewrite: '$A'.repeat(60), path: 'fine.ts' })
      expect(grown.details).toMatchObject({ files_skipped: 1, partial: true })
    },
  )

  row('AST-08', ['plumbline', 'magi'], 'counts what it could not look at', async (toolset) => {
    await bench.write({ 'latin.ts': Buffer.from("f('\xe9')\n", 'latin1'), 'a.ts': 'f(1)\n', 'b.txt': 'f(1)\n' })
    expect((await ast(toolset, { pattern: 'f($A)' })).details).toMatchObject({
      matches: 1,
      files_scanned: 2,
      files_skipped: 1,
      partial: true,
      truncated: false,
    })
  })

  row('AST-09', ['plumbline', 'magi'], 'ends at its time with what it has', async (toolset) => {
    await bench.write({ 'a.ts': 'f(1)\n' })
    const answer = await ast(toolset, { pattern: 'f($A)' }, true)
    expect(answer.ok).toBe(true)
    expect(answer.details).toMatchObject({ partial: true, timed_out: true })
  })

  row('AST-10', ['plumbline', 'magi'], 'is partial where a pattern fits one language only', async (toolset) => {
    await bench.write({ 'a.ts': 'f(1)\n', 'b.py': 'def f(): pass\n' })
    const mixed = await ast(toolset, { pattern: 'def $F(): pass' })
    expect(rows(mixed.text)).toEqual(['b.py:1:def f(): pass'])
    expect(mixed.details).toMatchObject({ partial: true, pattern_not_compiled_for: ['typescript'] })
    const strict = await ast(toolset, { pattern: 'def $F(): pass', language: 'typescript' })
    expect(strict.error?.code).toBe('invalid_arguments')
  })

  row(
    'AST-11',
    ['plumbline', 'magi'],
    'follows ignore files in folders, not for a file that is named',
    async (toolset) => {
      await bench.write({ '.gitignore': 'out\n', '.git/x': '', 'out/a.ts': 'f(1)\n', '.h.ts': 'f(1)\n' })
      expect(rows((await ast(toolset, { pattern: 'f($A)' })).text)).toEqual([])
      expect(rows((await ast(toolset, { pattern: 'f($A)', path: 'out/a.ts' })).text)).toEqual(['out/a.ts:1:f(1)'])
      expect((await ast(toolset, { pattern: 'f($A)', path: '~/.ssh/a.ts' })).error?.code).toBe('credential_path')
    },
  )

  row('AST-12', ['plumbline', 'magi'], 'an empty folder is a success', async (toolset) => {
    await mkdir(path.join(bench.project, 'empty'))
    const answer = await ast(toolset, { pattern: 'f($A)', path: 'empty' })
    expect(answer).toMatchObject({ ok: true, details: { matches: 0, partial: false, files_scanned: 0 } })
  })

  row('AST-13', ['plumbline', 'magi'], 'loads no configuration of the project', async (toolset) => {
    await bench.write({
      'sgconfig.yml': 'ruleDirs: [rules]\ncustomLanguages:\n  mine: {libraryPath: x.so, extensions: [ts]}\n',
      'rules/r.yml': 'id: x\nlanguage: TypeScript\nrule: {pattern: nothing}\n',
      'a.ts': 'f(1)\n',
    })
    expect(rows((await ast(toolset, { pattern: 'f($A)' })).text)).toEqual(['a.ts:1:f(1)'])
  })
})

describe('ast_grep outline', () => {
  row('AST-14', ['plumbline', 'magi'], 'knows nine languages and leaves out others', async (toolset) => {
    await bench.write({
      'a.rs': 'fn f() {}\n',
      'a.ts': 'function f() {}\n',
      'a.tsx': 'function f() {}\n',
      'a.js': 'function f() {}\n',
      'a.py': 'def f(): pass\n',
      'a.go': 'package m\nfunc f() {}\n',
      'a.kt': 'fun f() {}\n',
      'a.java': 'class f {}\n',
      'a.swift': 'func f() {}\n',
      'a.c': 'int f() {}\n',
    })
    const answer = await ast(toolset, { operation: 'outline' })
    expect(
      items(answer.text).map(({ path: file, language, item }) => `${file} ${language} ${item.symbolType}`),
    ).toEqual([
      'a.go go function',
      'a.java java class',
      'a.js javascript function',
      'a.kt kotlin function',
      'a.py python function',
      'a.rs rust function',
      'a.swift swift function',
      'a.ts typescript function',
      'a.tsx tsx function',
    ])
  })

  row('AST-15', ['plumbline', 'magi'], 'selects items, names, types and public members', async (toolset) => {
    await bench.write({ 'a.ts': source })
    const names = async (args: object) =>
      items((await ast(toolset, { operation: 'outline', ...args })).text).map(({ item }) => item.name)
    expect(await names({})).toEqual(['A', 'f'])
    expect(await names({ items: 'exports' })).toEqual(['A'])
    expect(await names({ items: 'imports' })).toEqual(["'z'"])
    expect(await names({ items: 'all' })).toEqual(["'z'", 'A', 'f'])
    expect(await names({ symbol_type: 'function, enum' })).toEqual(['f'])
    const members = async (args: object) =>
      items((await ast(toolset, { operation: 'outline', ...args })).text)[0]?.item.members?.map(({ name }) => name)
    expect(await members({})).toEqual(['x', 'm'])
    expect(await members({ pub_members: true })).toEqual(['m'])
  })

  row('AST-16', ['plumbline', 'magi'], 'filters the top level by expression, never members', async (toolset) => {
    await bench.write({ 'a.ts': source })
    const names = async (name: string) =>
      items((await ast(toolset, { operation: 'outline', name })).text).map(({ item }) => item.name)
    expect(await names('^f$')).toEqual(['f'])
    expect(await names('export class')).toEqual(['A'])
    expect(await names('^m$')).toEqual([])
    for (const args of [{ name: 'x'.repeat(513) }, { symbol_type: 'x'.repeat(513) }]) {
      expect((await ast(toolset, { operation: 'outline', ...args })).error?.code).toBe('invalid_arguments')
    }
  })

  row('AST-17', ['plumbline', 'magi'], 'takes null as absent and names what does not belong', async (toolset) => {
    await bench.write({ 'a.ts': source })
    const nothing = { items: null, view: null, name: null, symbol_type: null, pub_members: null, language: null }
    expect((await ast(toolset, { pattern: 'f($A)', ...nothing })).ok).toBe(true)
    expect((await ast(toolset, { operation: 'outline', pattern: null, rewrite: null })).ok).toBe(true)
    const placeholder = await ast(toolset, { operation: 'outline', pattern: '' })
    expect(placeholder.error?.message).toContain('{"operation":"outline","pattern":null}')
    const present = await ast(toolset, { pattern: 'f($A)', pub_members: false })
    expect(present.error?.message).toContain('{"operation":"search","pub_members":null}')
    expect((await ast(toolset, { operation: null, pattern: 'f($A)' })).error?.code).toBe('invalid_arguments')
    expect((await ast(toolset, {})).error?.code).toBe('invalid_arguments')
  })

  row('AST-18', ['plumbline', 'magi'], 'shows more from names to expanded', async (toolset) => {
    await bench.write({ 'a.ts': source })
    const first = async (view: string) =>
      items((await ast(toolset, { operation: 'outline', view })).text)[0]?.item ?? { name: '', symbolType: '' }
    expect(await first('names')).not.toHaveProperty('signature')
    expect(await first('names')).not.toHaveProperty('members')
    expect((await first('signatures')).signature).toBe('export class A {')
    expect(await first('signatures')).not.toHaveProperty('members')
    expect((await first('digest')).members).toEqual([
      expect.not.objectContaining({ signature: expect.anything() }),
      expect.not.objectContaining({ signature: expect.anything() }),
    ])
    expect((await first('expanded')).members?.map(({ signature }) => signature)).toEqual([
      'private x = 1',
      'm(a: number) {}',
    ])
  })

  row(
    'AST-19',
    ['plumbline', 'magi'],
    'prints one object a line, from 1, ends exclusive, no bytes',
    async (toolset) => {
      await bench.write({ 'a.ts': 'function f() {}\n' })
      expect(rows((await ast(toolset, { operation: 'outline' })).text)).toEqual([
        '{"path":"a.ts","language":"typescript","item":{"symbolType":"function","name":"f",' +
          '"range":{"start":{"line":1,"column":1},"end":{"line":1,"column":16}},"signature":"function f() {}",' +
          '"isImport":false,"isExported":false}}',
      ])
    },
  )

  row('AST-20', ['plumbline', 'magi'], 'counts entries, not members, and keeps them whole', async (toolset) => {
    const many = Array.from({ length: 600 }, (_, at) => `class C${at} { a() {} b() {} }\n`).join('')
    await bench.write({ 'a.ts': many })
    const count = async (limit?: number) => {
      const answer = await ast(toolset, { operation: 'outline', limit })
      expect(answer.details).toMatchObject({ truncated: true })
      return items(answer.text).map(({ item }) => item.members?.length)
    }
    expect(await count()).toEqual(Array.from({ length: 100 }, () => 2))
    expect(await count(3)).toEqual([2, 2, 2])
    const capped = await ast(toolset, { operation: 'outline', limit: 9999, view: 'expanded' })
    expect(Buffer.byteLength(rows(capped.text).join('\n'))).toBeLessThanOrEqual(64 * 1024)
    expect(items(capped.text).every(({ item }) => item.members?.length === 2)).toBe(true)
  })

  row('AST-21', ['plumbline', 'magi'], 'tells what it returned and skipped; nothing is a success', async (toolset) => {
    await bench.write({ 'a.ts': source, 'latin.ts': Buffer.from("f('\xe9')\n", 'latin1') })
    expect((await ast(toolset, { operation: 'outline' })).details).toMatchObject({
      symbols_returned: 2,
      files_skipped: 1,
      partial: true,
      truncated: false,
    })
    await bench.write({ 'empty/e.ts': '' })
    expect(await ast(toolset, { operation: 'outline', path: 'empty' })).toMatchObject({
      ok: true,
      details: { symbols_returned: 0, partial: false },
    })
  })

  row('AST-22', ['plumbline', 'magi'], 'is a partial failure at its time', async (toolset) => {
    await bench.write({ 'a.ts': source })
    const answer = await ast(toolset, { operation: 'outline' }, true)
    expect(answer).toMatchObject({ ok: false, error: { code: 'timeout' }, details: { partial: true } })
  })

  row('AST-11', ['plumbline', 'magi'], 'outlines no link that leads elsewhere', async (toolset) => {
    await bench.write({ 'src/a.ts': 'function f() {}\n' })
    await writeFile(path.join(bench.project, '../other.ts'), 'function outside() {}\n')
    await symlink('../../other.ts', path.join(bench.project, 'src/link.ts'))
    const answer = await ast(toolset, { operation: 'outline', path: 'src' })
    expect(items(answer.text).map(({ item }) => item.name)).toEqual(['f'])
  })
})
