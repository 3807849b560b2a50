import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { deniedReads } from '../../main/permissions/denied-reads'
import { buildRules } from '../../main/permissions/rules'
import { SearchEngine } from '../../main/search/search-engine'
import { searchTool } from '../../main/toolsets/atomic/search'
import { findTool as magiFind } from '../../main/toolsets/magi/find'
import { grepTool as magiGrep } from '../../main/toolsets/magi/grep'
import { grepTool as o4Grep } from '../../main/toolsets/o4/grep'
import { grepTool } from '../../main/toolsets/plumbline/grep'
import { SearchBench } from '../support/search-bench'

let bench: SearchBench
beforeEach(async () => {
  bench = await SearchBench.make()
})
afterEach(() => bench.dispose())

const grep = (args: object) => bench.session('plumbline', [grepTool(bench.engines)])('grep', { mode: 'raw', ...args })
const utf16 = (text: string, big = false) => {
  const body = Buffer.from(`\uFEFF${text}`, 'utf16le')
  return big ? body.swap16() : body
}

describe('files as people have them', () => {
  it('SEARCH-12 SEARCH-13 reads UTF-8 and UTF-16 with a mark, counts odd bytes and binary files', async () => {
    await bench.write({
      'bom.txt': '\uFEFFneedle one\n',
      'le.txt': utf16('x\nneedle ü\n'),
      'be.txt': utf16('needle ü\r\n', true),
      'latin.txt': Buffer.from('caf\xe9 needle\n', 'latin1'),
      'late.bin': Buffer.concat([Buffer.alloc(20_000, 'needle\n'), Buffer.from([0])]),
      'crlf.txt': 'a\r\nneedle\r\n',
      'none.txt': 'na\xefve\n',
    })
    const result = await grep({ patterns: ['needle'] })
    expect(result.text).toBe(
      [
        'be.txt:1:needle ü',
        'bom.txt:1:needle one',
        'crlf.txt:2:needle',
        'latin.txt:1:caf\uFFFD needle',
        'le.txt:2:needle ü',
        '[5 of 5 matching lines in 5 files shown.]',
      ].join('\n'),
    )
    expect(result.details).toMatchObject({ files_binary: 1, files_invalid_utf8: 1, exhaustive: true })
  })

  it('matches the same whether bytes or characters are searched', async () => {
    await bench.write({
      'a.txt': 'größe=1\nx.y\nÄ\u2028needle\n日本 needle\n',
      'b.txt': Buffer.from('\xe9a\xe9\n', 'latin1'),
    })
    const lines = async (pattern: string) =>
      (await grep({ patterns: [pattern] })).text
        .split('\n')
        .slice(0, -1)
        .map((row) => row.split(':', 2).join(':'))
    expect(await lines('gr..e')).toEqual(['a.txt:1'])
    expect(await lines('gr.{4}e')).toEqual([])
    expect(await lines('^.$')).toEqual(['a.txt:3'].slice(1))
    expect(await lines('needle$')).toEqual(['a.txt:3', 'a.txt:4'])
    expect(await lines('\\bneedle')).toEqual(['a.txt:3', 'a.txt:4'])
    expect(await lines('^.a.$')).toEqual(['b.txt:1'])
    expect(await lines('[^a-z]=')).toEqual([])
    expect(await lines('本 n')).toEqual(['a.txt:4'])
  })

  it('SEARCH-11 cuts very long lines after 512 characters and says by how much', async () => {
    await bench.write({ 'min.js': `${'x'.repeat(600_000)}needle\nneedle${'y'.repeat(1000)}\n` })
    expect((await grep({ patterns: ['needle'] })).text).toBe(
      `min.js:1:${'x'.repeat(512)} … (599494 more characters)\nmin.js:2:needle${'y'.repeat(506)} … (494 more characters)\n` +
        '[2 of 2 matching lines in 1 files shown.]',
    )
  })

  it('FIND-10 SEARCH-12 takes names with quotes, blanks and newlines, and those that are no UTF-8', async () => {
    await bench.write({ '\'q"uote.txt': 'needle\n', ' lead .txt': 'needle\n', '-n.txt': 'needle\n' })
    const project = Buffer.from(`${bench.project}/`)
    if (process.platform === 'linux') {
      await bench.write({ 'new\nline.txt': 'needle\n' })
      const odd = Buffer.concat([project, Buffer.from('d\xe9', 'latin1')])
      await mkdir(odd)
      await writeFile(Buffer.concat([odd, Buffer.from('/f\xff.txt', 'latin1')]), 'needle\n')
    }
    const result = await grep({ patterns: ['needle'] })
    const expected = [' lead .txt:1:needle', '\'q"uote.txt:1:needle', '-n.txt:1:needle']
    if (process.platform === 'linux') expected.push('new\nline.txt:1:needle', 'd\uFFFD/f\uFFFD.txt:1:needle')
    expect(result.text).toBe(
      `${expected.join('\n')}\n[${expected.length} of ${expected.length} matching lines in ${expected.length} files shown.]`,
    )
    const tagged = await grep({ patterns: ['needle'], mode: 'ranked', limit: 10 })
    expect(tagged.ok).toBe(true)
  })
})

describe('rules that deny reading', () => {
  const secrets = {
    '.env': 'needle\n',
    'cfg/.env.local': 'needle\n',
    'cfg/ok.txt': 'needle\n',
    'data/deep/x.txt': 'needle\n',
  }

  async function denying(...rules: string[]) {
    const { paths } = bench.engines
    const search = new SearchEngine({
      pool: bench.pool,
      paths,
      denied: async (scope) =>
        deniedReads(buildRules(rules.map((text) => ({ kind: 'deny' as const, text, source: 'user' as const }))), {
          roots: scope.roots,
          home: path.join(bench.project, '../home'),
        }),
    })
    await bench.write(secrets)
    return { ...bench.engines, search }
  }

  it('S34 leaves denied files out of every walk and counts them', async () => {
    const engines = await denying('Read(.env)', 'Read(**/.env.*)', 'Read(/data/**)')
    const found = await bench.session('plumbline', [grepTool(engines)])('grep', {
      patterns: ['needle'],
      mode: 'files',
      hidden: true,
    })
    expect(found.text).toBe('cfg/ok.txt\n[1 of 1 files shown.]')
    expect(found.details).toMatchObject({ walk_entries_omitted: 3 })
    const atomic = await bench.session('atomic', [searchTool(engines)])('search', { pattern: 'needle' })
    expect(atomic.details).toMatchObject({ files: ['cfg/ok.txt'] })
    const o4 = await bench.session('o4', [o4Grep(engines)])('grep', { pattern: 'needle', output_mode: 'count' })
    expect(o4.text).toBe('cfg/ok.txt:1\n[1 lines shown, 1 matches in 1 files.]')
    const magi = await bench.session('magi', [magiGrep(engines)])('grep', { patterns: ['needle'], mode: 'raw' })
    expect(magi.text.split('\n')[0]).toBe('cfg/ok.txt:1:needle')
    const paths = await bench.session('magi', [magiFind(engines)])('find', { query: 'x' })
    expect(paths.details).toMatchObject({ paths: ['cfg/ok.txt'] })
  })

  it('S34 holds below the folder that is searched too, and for rules of a searching tool', async () => {
    const engines = await denying('Grep(cfg/ok.txt)', 'Write(data/**)')
    const call = bench.session('plumbline', [grepTool(engines)])
    const inside = await call('grep', { patterns: ['needle'], mode: 'files', paths: ['cfg'] })
    expect(inside.text).toBe('[No file matches.]')
    const other = await call('grep', { patterns: ['needle'], mode: 'files', paths: ['data'] })
    expect(other.text).toBe('data/deep/x.txt\n[1 of 1 files shown.]')
  })
})
