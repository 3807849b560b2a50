import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { searchTool } from '../../main/toolsets/atomic/search'
import { grepTool as magiGrep } from '../../main/toolsets/magi/grep'
import { grepTool as o4Grep } from '../../main/toolsets/o4/grep'
import { SearchBench } from '../support/search-bench'

let bench: SearchBench
beforeEach(async () => {
  bench = await SearchBench.make()
})
afterEach(() => bench.dispose())

const magi = (args: object) => bench.session('magi', [magiGrep(bench.engines)])('grep', args)
const atomic = (args: object) => bench.session('atomic', [searchTool(bench.engines)])('search', args)
const o4 = (args: object) => bench.session('o4', [o4Grep(bench.engines)])('grep', args)
const untagged = (text: string) => text.replace(/#[0-9A-F]{4}\]/g, '#TAG]')
const body = (text: string) => text.split('\n').slice(0, -1)

const flags = { 'flags.md': 'use --pdf-engine=x\nrange -77 to -1\narrow a->b\n-e alone\n' }

describe('grep (magi)', () => {
  it('SEARCH-05 SEARCH-08 groups by file with labels, context deduplicated', async () => {
    await bench.write({
      'src/a.rs': 'use x::run;\n\nfn run() {\n    go();\n}\n',
      'src/b.rs': '// run it\nrun();\n',
    })
    const result = await magi({ patterns: ['run'], path: 'src', context: 1 })
    expect(body(result.text)).toEqual([
      'src/a.rs',
      '1:[import] use x::run;',
      '2- ',
      '3:[def-like] fn run() {',
      '4-     go();',
      'src/b.rs',
      '1:[match] // run it',
      '2:[match] run();',
    ])
    expect(JSON.parse(result.text.split('\n').at(-1) ?? '')).toMatchObject({
      format: 'grouped_v1',
      returned: 4,
      total_matched: 4,
      total_matched_exact: true,
      has_more: false,
      truncated: false,
      files_scanned: 2,
    })
  })

  it('SEARCH-06 SEARCH-07 keeps five lines a file when ranked; raw pages with a lookahead', async () => {
    await bench.write({ 'many.txt': 'hit\n'.repeat(9) })
    const ranked = await magi({ patterns: ['hit'] })
    expect(ranked.details).toMatchObject({
      returned: 5,
      omitted_by_per_file_limit: 4,
      truncated: true,
      per_file: [{ path: 'many.txt', returned: 5, matched: 9, omitted: 4 }],
    })
    const raw = await magi({ patterns: ['hit'], mode: 'raw', limit: 3, offset: 3 })
    expect(body(raw.text)).toEqual(['many.txt:4:hit', 'many.txt:5:hit', 'many.txt:6:hit'])
    expect(raw.details).toMatchObject({ has_more: true, next_offset: 6 })
    expect((await magi({ patterns: ['hit'], mode: 'raw', offset: 8 })).details).toMatchObject({
      returned: 1,
      has_more: false,
    })
  })

  it('SEARCH-03 SEARCH-04 matches any pattern, case-sensitive, mends and falls back', async () => {
    await bench.write({ ...flags, 'c.txt': 'Foo\nfoo(bar\na{b\n' })
    expect(body((await magi({ patterns: ['-77', '--pdf-engine'], mode: 'raw' })).text)).toEqual([
      'flags.md:1:use --pdf-engine=x',
      'flags.md:2:range -77 to -1',
    ])
    expect(body((await magi({ patterns: ['foo('], mode: 'raw' })).text)).toEqual(['c.txt:2:foo(bar'])
    expect((await magi({ patterns: ['foo('] })).details).toMatchObject({
      matcher_adjustments: [{ pattern: 'foo(', matcher: 'repaired' }],
    })
    expect((await magi({ patterns: [] })).error?.code).toBe('invalid_arguments')
    expect((await magi({ patterns: Array.from({ length: 9 }, () => 'x') })).error?.code).toBe('invalid_arguments')
  })

  it('SEARCH-09 SEARCH-10 SEARCH-12 skips large files and target, and keeps output whole within 64 KiB', async () => {
    await bench.write({
      'big.txt': 'hit\n'.repeat(1_100_000),
      'target/x.txt': 'hit\n',
      ...Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`w/${index}.txt`, `hit ${'x'.repeat(500)}\n`])),
    })
    const result = await magi({ patterns: ['hit'], mode: 'raw', limit: 500 })
    expect(Buffer.byteLength(result.text)).toBeLessThanOrEqual(65_536)
    expect(result.text).not.toMatch(/target\/x|big\.txt/)
    expect(body(result.text).every((row) => row.endsWith('x'.repeat(500)))).toBe(true)
    expect(result.details).toMatchObject({ files_too_large: 1, truncated: true, has_more: true })
  })
})

describe('search (atomic)', () => {
  it('SEARCH-05 SEARCH-08 SEARCH-18 marks matches and context under a tag', async () => {
    await bench.write({ 'a.txt': 'one\ntwo\nhit\nthree\nfour\nfive\nsix\n' })
    expect(untagged((await atomic({ pattern: 'hit' })).text)).toBe(
      '[a.txt#TAG]\n 2:two\n*3:hit\n 4:three\n 5:four\n 6:five\n[1 of 1 matches shown, 1 of 1 files.]',
    )
  })

  it('SEARCH-06 SEARCH-07 pages by files, 20 lines a file, 200 in a single one', async () => {
    await bench.write(
      Object.fromEntries(
        Array.from({ length: 25 }, (_, index) => [`f${String(index).padStart(2, '0')}.txt`, 'hit\n'.repeat(30)]),
      ),
    )
    const first = await atomic({ pattern: 'hit' })
    expect(first.details).toMatchObject({ fileCount: 25, fileLimitReached: true, meta: { limits: { fileLimit: 20 } } })
    expect(first.text).toContain('[More files match. Next page: skip=20.]')
    expect(first.text.match(/^\*/gm)).toHaveLength(400)
    expect((await atomic({ pattern: 'hit', skip: 20 })).details).toMatchObject({
      fileLimitReached: false,
      files: ['f20.txt', 'f21.txt', 'f22.txt', 'f23.txt', 'f24.txt'],
    })
    expect((await atomic({ pattern: 'hit', paths: 'f00.txt', skip: 5 })).text.match(/^\*/gm)).toHaveLength(30)
  })

  it('SEARCH-04 SEARCH-15 keeps inline flags, refuses blank and invalid patterns', async () => {
    await bench.write({ ...flags, 'c.txt': 'Foo\nbar\n' })
    expect((await atomic({ pattern: '(?i)foo' })).text).toContain('*1:Foo')
    expect((await atomic({ pattern: '(?x) F o o # comment' })).text).toContain('*1:Foo')
    expect((await atomic({ pattern: 'foo', i: true })).text).toContain('*1:Foo')
    expect((await atomic({ pattern: 'foo' })).text).toBe('No matches found')
    expect((await atomic({ pattern: '   ' })).error?.code).toBe('invalid_arguments')
    expect((await atomic({ pattern: 'a(' })).error?.code).toBe('invalid_arguments')
    for (const pattern of ['--pdf-engine', '-77', '->', '-e'])
      expect((await atomic({ pattern })).text).toMatch(/^\*\d:/m)
    for (const pattern of ['--files', '--pre=sh', '-f flags.md'])
      expect((await atomic({ pattern })).text).toBe('No matches found')
  })

  it('SEARCH-11 SEARCH-14 SEARCH-16 SEARCH-20 cuts long lines, scopes by selector, takes nothing as the root', async () => {
    await bench.write({ 'long.txt': `hit${'x'.repeat(600)}\n`, 'n.txt': 'hit 1\nhit 2\nhit 3\n', 'sub/n.txt': 'hit\n' })
    expect((await atomic({ pattern: 'hit', paths: ['long.txt'] })).text).toContain(
      `*1:hit${'x'.repeat(509)} … (91 more characters)`,
    )
    const scoped = await atomic({ pattern: 'hit', paths: ['n.txt:2-2'] })
    expect(untagged(scoped.text)).toBe(
      '[n.txt#TAG]\n 1:hit 1\n*2:hit 2\n 3:hit 3\n[1 of 1 matches shown, 1 of 1 files.]',
    )
    for (const paths of [undefined, '', []])
      expect((await atomic({ pattern: 'hit', paths })).details).toMatchObject({ fileCount: 3 })
    expect((await atomic({ pattern: 'hit', paths: ['sub/*.txt'] })).details).toMatchObject({ files: ['sub/n.txt'] })
  })
})

describe('grep (o4)', () => {
  it('SEARCH-01 SEARCH-05 has three output modes', async () => {
    await bench.write({ 'a.rs': 'fn a\nx\nfn b\n', 'b.md': 'fn c\n' })
    expect(body((await o4({ pattern: 'fn \\w' })).text)).toEqual(['a.rs:1:fn a', 'a.rs:3:fn b', 'b.md:1:fn c'])
    expect(body((await o4({ pattern: 'fn', glob: '*.rs', output_mode: 'files_with_matches' })).text)).toEqual(['a.rs'])
    expect(body((await o4({ pattern: 'FN', case_insensitive: true, output_mode: 'count' })).text)).toEqual([
      'a.rs:2',
      'b.md:1',
    ])
    expect(body((await o4({ pattern: 'x', context: 1 })).text)).toEqual(['a.rs-1-fn a', 'a.rs:2:x', 'a.rs-3-fn b'])
    expect((await o4({ pattern: 'zzz' })).text).toBe('No matches found.')
  })

  it('SEARCH-07 SEARCH-09 stops at 200 lines, skips files over 1 MB', async () => {
    await bench.write({ 'many.txt': 'hit\n'.repeat(300), 'big.txt': `hit\n${'x'.repeat(1024 * 1024)}` })
    const result = await o4({ pattern: 'hit' })
    expect(body(result.text)).toHaveLength(200)
    expect(result.text).toContain('[Output stops at 200 lines; there are more.')
    expect((await o4({ pattern: 'hit', output_mode: 'count' })).details).toMatchObject({ files_too_large: 1 })
  })

  it('S15 S17 takes patterns as patterns and paths literally', async () => {
    await bench.write({ ...flags, 'app/[id]/page.tsx': 'hello\n' })
    for (const pattern of ['--pdf-engine', '-77', '->', '-e'])
      expect((await o4({ pattern })).text).toMatch(/^flags\.md:\d:/)
    for (const pattern of ['--files', '--pre=sh', '-f flags.md'])
      expect((await o4({ pattern })).text).toBe('No matches found.')
    expect(body((await o4({ pattern: 'hello', path: 'app/[id]' })).text)).toEqual(['app/[id]/page.tsx:1:hello'])
  })
})
