import { symlink } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { grepTool } from '../../main/toolsets/plumbline/grep'
import { SearchBench } from '../support/search-bench'

let bench: SearchBench
beforeEach(async () => {
  bench = await SearchBench.make()
})
afterEach(() => bench.dispose())

const grep = (args: object, signal?: AbortSignal) =>
  bench.session('plumbline', [grepTool(bench.engines)])('grep', args, signal)
const untagged = (text: string) => text.replace(/#[0-9A-F]{4}\]/g, '#TAG]')

describe('grep', () => {
  it('SEARCH-01 SEARCH-03 SEARCH-05 SEARCH-18 ranks definitions first and prints rows that mint tags', async () => {
    await bench.write({
      'a.ts': "import { run } from './b'\nconst x = 1\nrun()\n",
      'b.ts': '// about run\nexport function run() {}\n',
    })
    const result = await grep({ patterns: ['run', 'nothing here'] })
    expect(untagged(result.text)).toBe(
      "[b.ts#TAG]\n*1:// about run\n*2:export function run() {}\n[a.ts#TAG]\n*1:import { run } from './b'\n*3:run()\n" +
        '[4 of 4 matching lines in 2 files shown.]',
    )
    const { tag } = (result.details as { files: { tag: string }[] }).files[0] ?? { tag: '' }
    expect(bench.snapshots.of(bench.lastSession).byTag(path.join(bench.project, 'b.ts'), tag)).toHaveLength(1)
  })

  it('SEARCH-06 keeps five lines a file in ranked mode and says what is left out; raw shows all', async () => {
    await bench.write({ 'many.txt': 'hit\n'.repeat(12) })
    const ranked = await grep({ patterns: ['hit'] })
    expect(ranked.text).toContain(
      '[5 of 12 matching lines in 1 files shown. 7 more lines in these files are left out; mode raw shows all.]',
    )
    const raw = await grep({ patterns: ['hit'], mode: 'raw' })
    expect(raw.text.split('\n').filter((row) => row.startsWith('many.txt:'))).toHaveLength(12)
  })

  it('SEARCH-07 pages by matching lines, context free of charge and each line once', async () => {
    await bench.write({ 'n.txt': 'one\nhit a\ntwo\nhit b\nthree\nfour\nhit c\n' })
    const first = await grep({ patterns: ['hit'], mode: 'raw', limit: 2, context: 1 })
    expect(first.text).toBe(
      'n.txt-1-one\nn.txt:2:hit a\nn.txt-3-two\nn.txt:4:hit b\nn.txt-5-three\n' +
        '[2 of 3 matching lines in 1 files shown. Next page: offset 2.]',
    )
    const second = await grep({ patterns: ['hit'], mode: 'raw', limit: 2, offset: 2 })
    expect(second.text).toBe('n.txt:7:hit c\n[1 of 3 matching lines in 1 files shown.]')
  })

  it('lists files and counts', async () => {
    await bench.write({ 'b.txt': 'x\nx\n', 'a.txt': 'x\n', 'c.txt': 'y\n' })
    expect((await grep({ patterns: ['x'], mode: 'files' })).text).toBe('a.txt\nb.txt\n[2 of 2 files shown.]')
    expect((await grep({ patterns: ['x'], mode: 'count' })).text).toBe(
      'a.txt:1\nb.txt:2\n[2 of 2 files shown, 3 matching lines.]',
    )
  })

  it('SEARCH-12 leaves out hidden, ignored, binary files and links, and counts them', async () => {
    await bench.write({
      '.hidden/x.txt': 'needle\n',
      '.gitignore': 'built/\n*.log\n!keep.log\n',
      'built/x.txt': 'needle\n',
      'a.log': 'needle\n',
      'keep.log': 'needle\n',
      'node_modules/p/x.txt': 'needle\n',
      'bin.dat': Buffer.from('needle\0'),
      'latin.txt': Buffer.from([...Buffer.from('needle '), 0xe9, 0x0a]),
    })
    await symlink('keep.log', path.join(bench.project, 'link.txt'))
    const found = await grep({ patterns: ['needle'], mode: 'files' })
    expect(found.text).toBe('keep.log\nlatin.txt\n[2 of 2 files shown.]')
    expect(found.details).toMatchObject({ files_binary: 1, files_invalid_utf8: 1, exhaustive: true })
    const all = await grep({ patterns: ['needle'], mode: 'files', hidden: true, ignored: true })
    expect(all.text).toContain('.hidden/x.txt\na.log\nbuilt/x.txt\nkeep.log')
    expect((await grep({ patterns: ['needle'], mode: 'files', paths: ['node_modules/p'] })).text).toContain(
      'node_modules/p/x.txt',
    )
  })

  it('SEARCH-04 SEARCH-15 mends brackets, falls back to plain text, refuses blank patterns', async () => {
    await bench.write({ 'f.rs': 'fn main() {\n*ptr\n' })
    expect((await grep({ patterns: ['fn main('] })).text).toContain('*1:fn main() {')
    expect((await grep({ patterns: ['fn main('] })).text).toContain('["fn main(" was taken as a repaired expression.]')
    expect((await grep({ patterns: ['*ptr'] })).text).toContain('["*ptr" was taken as plain text.]')
    expect(await grep({ patterns: ['  '] })).toMatchObject({ ok: false, error: { code: 'invalid_arguments' } })
  })

  it('SEARCH-14 S11 S15 S17 searches files, globs, literal brackets, names like options and selectors', async () => {
    await bench.write({
      'log:1-2': 'literal one\nliteral two\nliteral three\n',
      '-n.txt': 'x --pdf-engine\n',
      'app/[id]/page.tsx': 'id page\n',
      'app/i/page.tsx': 'i page\n',
      'n.txt': 'page 1\npage 2\npage 3\n',
    })
    expect((await grep({ patterns: ['literal two'], paths: ['log:1-2'] })).text).toContain('*2:literal two')
    expect((await grep({ patterns: ['--pdf-engine'], paths: ['-n.txt'] })).text).toContain('*1:x --pdf-engine')
    expect((await grep({ patterns: ['page'], paths: ['app/[id]'], mode: 'files' })).text).toBe(
      'app/[id]/page.tsx\n[1 of 1 files shown.]',
    )
    expect((await grep({ patterns: ['page'], paths: ['app/[id]/*.tsx'], mode: 'files' })).text).toContain(
      'app/[id]/page.tsx\n[1 of 1',
    )
    expect((await grep({ patterns: ['page'], paths: ['*.tsx'], mode: 'count' })).text).toContain('[2 of 2 files')
    expect((await grep({ patterns: ['page'], paths: ['n.txt:2-2'], mode: 'raw' })).text).toBe(
      'n.txt:2:page 2\n[1 of 1 matching lines in 1 files shown.]',
    )
    expect((await grep({ patterns: ['x'], paths: ['none.txt'] })).error).toMatchObject({ code: 'not_found' })
  })

  it('SEARCH-09 S16 stops an expression that runs away, keeps what was found, and the thread of the program stays free', async () => {
    await bench.write({ 'a.txt': 'aaab\n', 'evil.txt': `${'a'.repeat(40)}!\nneedle\n` })
    let ticks = 0
    const timer = setInterval(() => {
      ticks += 1
    }, 50)
    const started = Date.now()
    const result = await grep({ patterns: ['^(a+)+b?$'], mode: 'raw' })
    clearInterval(timer)
    expect(result.text).toContain('a.txt:1:aaab')
    expect(result.text).toContain('matching was stopped')
    expect(result.details).toMatchObject({ matching_stopped: true, exhaustive: false })
    expect(Date.now() - started).toBeLessThan(10_000)
    expect(ticks).toBeGreaterThan(5)
    expect((await grep({ patterns: ['needle'] })).text).toContain('*2:needle')
  })

  it('S16 patterns that can match nothing list each line once', async () => {
    await bench.write({ 'n.txt': 'a\n\nb\n' })
    for (const pattern of ['x*', '^', '$']) {
      expect((await grep({ patterns: [pattern], mode: 'raw' })).text).toContain(
        'n.txt:1:a\nn.txt:2:\nn.txt:3:b\n[3 of 3',
      )
    }
  })

  it('S18 visits every folder once, whatever links say', async () => {
    await bench.write({ 'p/a.txt': 'x\n', 'p/q/b.txt': 'x\n' })
    await symlink('..', path.join(bench.project, 'p/q/up'))
    await symlink('self', path.join(bench.project, 'p/self'))
    await symlink('missing', path.join(bench.project, 'p/gone'))
    expect((await grep({ patterns: ['x'], mode: 'files', paths: ['p'] })).text).toBe(
      'p/a.txt\np/q/b.txt\n[2 of 2 files shown.]',
    )
  })

  it('ends with the call when it is stopped', async () => {
    await bench.write({ 'evil.txt': `${'a'.repeat(40)}!\n` })
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 300)
    expect(await grep({ patterns: ['^(a+)+b$'] }, stop.signal)).toMatchObject({ ok: false, error: { code: 'aborted' } })
  })
})
