import { symlink } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findTool as atomicFind } from '../../main/toolsets/atomic/find'
import { findTool as magiFind } from '../../main/toolsets/magi/find'
import { listFilesTool } from '../../main/toolsets/magi/list-files'
import { globTool } from '../../main/toolsets/o4/glob'
import { lsTool } from '../../main/toolsets/o4/ls'
import { findTool as plumblineFind } from '../../main/toolsets/plumbline/find'
import { SearchBench } from '../support/search-bench'

let bench: SearchBench
beforeEach(async () => {
  bench = await SearchBench.make()
})
afterEach(() => bench.dispose())

const magi = (args: object) => bench.session('magi', [magiFind(bench.engines)])('find', args)
const atomic = (args: object) => bench.session('atomic', [atomicFind(bench.engines)])('find', args)
const plumbline = (args: object) => bench.session('plumbline', [plumblineFind(bench.engines)])('find', args)
const glob = (pattern: string) => bench.session('o4', [globTool(bench.engines)])('glob', { pattern })
const paths = (text: string) => text.split('\n').filter((row) => row !== '' && !/^[[{N]/.test(row))

const routes = { 'app/[id]/page.tsx': '', 'app/(auth)/login.tsx': '', 'app/{x}/y.ts': '', 'app/i/page.tsx': '' }

describe('find (magi)', () => {
  it('FIND-01 FIND-03 FIND-10 ranks names before folders and marks folders', async () => {
    await bench.write({ 'lib/a.ts': '', 'src/lib.rs': '', 'src/calibre.rs': '', 'x/l-i-b.txt': '', 'z.md': '' })
    expect(paths((await magi({ query: 'lib' })).text)).toEqual([
      'src/lib.rs',
      'src/calibre.rs',
      'lib/a.ts',
      'x/l-i-b.txt',
    ])
    expect(paths((await magi({ query: 'lib', kind: 'directories' })).text)).toEqual(['lib/'])
    expect(paths((await magi({ query: 'lib', kind: 'mixed', path: 'src' })).text)).toEqual([
      'src/lib.rs',
      'src/calibre.rs',
    ])
  })

  it('FIND-02 FIND-04 FIND-07 pages, caps and tells what it knows', async () => {
    await bench.write(Object.fromEntries(Array.from({ length: 260 }, (_, index) => [`f${index}.txt`, ''])))
    const page = await magi({ query: ' f ', limit: 9999 })
    expect(page.details).toMatchObject({
      returned: 200,
      total_matched: 260,
      total_matched_exact: true,
      has_more: true,
      next_offset: 200,
      truncated: true,
      index_ready: true,
      scan_complete: true,
      entries_scanned: 261,
      entry_limit_reached: false,
      timed_out: false,
      walk_errors: 0,
    })
    expect((await magi({ query: 'f', offset: 250 })).details).toMatchObject({
      returned: 10,
      has_more: false,
      truncated: false,
    })
    expect((await magi({ query: 'f' })).details).toMatchObject({ returned: 50 })
    for (const query of ['', '  ', 'x'.repeat(513)])
      expect((await magi({ query })).error?.code).toBe('invalid_arguments')
  })

  it('FIND-09 wants an existing folder inside the working folder, or an absolute one', async () => {
    await bench.write({ 'a.txt': '' })
    expect((await magi({ query: 'a', path: 'a.txt' })).error?.code).toBe('not_a_directory')
    expect((await magi({ query: 'a', path: '..' })).error?.code).toBe('outside_roots')
    expect(paths((await magi({ query: 'a.txt', path: bench.project })).text)).toEqual(['a.txt'])
  })

  it('FIND-11 FIND-12 FIND-16 leaves out hidden paths and what ignore files exclude', async () => {
    await bench.write({
      '.git/HEAD': 'ref',
      '.git/info/exclude': 'secret.txt\n',
      '.gitignore': 'out\n/top.txt\n',
      '.ignore': 'notes\n!kept.log\n*.log\n!kept.log\n',
      'out/a.txt': '',
      'top.txt': '',
      'sub/top.txt': '',
      'sub/.gitignore': '*.tmp\n!k.tmp\n',
      'sub/a.tmp': '',
      'sub/k.tmp': '',
      'notes/a.txt': '',
      'kept.log': '',
      'b.log': '',
      'secret.txt': '',
      '.hidden.txt': '',
    })
    expect(paths((await magi({ query: 't' })).text).sort()).toEqual(['kept.log', 'sub/k.tmp', 'sub/top.txt'])
  })
})

describe('find (atomic)', () => {
  it('FIND-01 S17 takes what exists literally and globs otherwise', async () => {
    await bench.write({ ...routes, 'src/lib/a.ts': '', 'src/lib/deep/b.ts': '' })
    expect(paths((await atomic({ paths: ['app/[id]/page.tsx'] })).text)).toEqual(['app/[id]/page.tsx'])
    expect(paths((await atomic({ paths: ['app/[id]'] })).text)).toEqual(['app/[id]/page.tsx'])
    expect(paths((await atomic({ paths: ['app/[id]/*.tsx'] })).text)).toEqual(['app/[id]/page.tsx'])
    expect(paths((await atomic({ paths: ['app/(auth)/**'] })).text)).toEqual(['app/(auth)/login.tsx'])
    expect(paths((await atomic({ paths: ['src/lib/*.ts'] })).text)).toEqual(['src/lib/a.ts'])
    expect(paths((await atomic({ paths: ['src/lib/deep/b.ts'] })).text)).toEqual(['src/lib/deep/b.ts'])
  })

  it('FIND-11 FIND-12 FIND-16 includes hidden files, respects rules outside a checkout, opens node_modules when named', async () => {
    await bench.write({
      '.env.sample': '',
      'a/.gitignore': 'b.txt\n',
      'a/b.txt': '',
      'a/c.txt': '',
      'node_modules/p/i.js': '',
      '.git/x': '',
    })
    expect(paths((await atomic({ paths: ['.'] })).text)).toEqual(['.env.sample', 'a/.gitignore', 'a/c.txt'])
    expect(paths((await atomic({ paths: ['.'], gitignore: false })).text)).toEqual([
      '.env.sample',
      'a/.gitignore',
      'a/b.txt',
      'a/c.txt',
    ])
    expect(paths((await atomic({ paths: ['node_modules'] })).text)).toEqual(['node_modules/p/i.js'])
    expect(paths((await atomic({ paths: ['**/node_modules/**/*.js'] })).text)).toEqual(['node_modules/p/i.js'])
  })

  it('FIND-17 takes off quotes and parts lists only where that helps', async () => {
    await bench.write({ 'a b.txt': '', 'c,d.txt': '', 'e.txt': '', 'f.txt': '' })
    expect(paths((await atomic({ paths: ['"a b.txt"'] })).text)).toEqual(['a b.txt'])
    expect(paths((await atomic({ paths: ['c,d.txt'] })).text)).toEqual(['c,d.txt'])
    expect(paths((await atomic({ paths: ['e.txt, none.txt'] })).text)).toEqual(['e.txt'])
    expect((await atomic({ paths: ['e.txt, none.txt'] })).details).toMatchObject({
      missingPaths: ['none.txt'],
      fileCount: 1,
      files: ['e.txt'],
    })
    expect(paths((await atomic({ paths: ['e.txt f.txt'] })).text)).toEqual(['e.txt', 'f.txt'])
    expect((await atomic({ paths: ['e.txt none.txt'] })).error?.code).toBe('not_found')
  })

  it('FIND-04 caps at 200', async () => {
    await bench.write(Object.fromEntries(Array.from({ length: 230 }, (_, index) => [`f${index}.txt`, ''])))
    expect((await atomic({ paths: ['*.txt'] })).details).toMatchObject({ fileCount: 200, truncated: true })
  })
})

describe('glob and ls (o4)', () => {
  it('FIND-01 S17 finds by glob', async () => {
    await bench.write(routes)
    expect(paths((await glob('app/**/*.tsx')).text)).toEqual([
      'app/(auth)/login.tsx',
      'app/[id]/page.tsx',
      'app/i/page.tsx',
    ])
    expect((await glob('app/*.none')).text).toBe('No files found.')
  })

  it('FIND-20 lists entries with their type', async () => {
    await bench.write({ 'd/a.txt': '', '.gitignore': 'd\n', 'd/sub/x': '' })
    await symlink('a.txt', path.join(bench.project, 'd/l'))
    const ls = await bench.session('o4', [lsTool(bench.engines)])('ls', { path: path.join(bench.project, 'd') })
    expect(ls.text).toBe('file  a.txt\nsymlink  l\ndirectory  sub\n[3 entries, all shown.]')
    const listed = await bench.session('magi', [listFilesTool(bench.engines)])('list_files', { path: 'd' })
    expect(listed.text).toBe('d/a.txt\nd/l\nd/sub/\n[3 entries, all shown.]')
  })
})

describe('find (plumbline)', () => {
  it('takes a query or globs, exactly one, and says how to get the next page', async () => {
    await bench.write({ ...routes, 'b/page.md': '' })
    expect((await plumbline({ query: 'page', limit: 2 })).text).toMatch(
      /\n\[1-2 of 3 files shown\. Next page: offset 2\.\]$/,
    )
    expect(paths((await plumbline({ globs: ['app/[id]/*.tsx', '**/*.md'] })).text)).toEqual([
      'app/[id]/page.tsx',
      'b/page.md',
    ])
    expect(paths((await plumbline({ globs: ['app/[id]/page.tsx'] })).text)).toEqual(['app/[id]/page.tsx'])
    expect((await plumbline({ query: 'x', globs: ['*'] })).error?.code).toBe('invalid_arguments')
    expect((await plumbline({})).error?.code).toBe('invalid_arguments')
    expect((await plumbline({ query: 'nothing' })).text).toBe('[No files match.]')
  })

  it('S18 visits every real folder once', async () => {
    await bench.write({ 'p/a.txt': '', 'p/q/b.txt': '' })
    await symlink('..', path.join(bench.project, 'p/q/up'))
    await symlink('self', path.join(bench.project, 'p/self'))
    await symlink('missing', path.join(bench.project, 'p/gone'))
    for (const answer of [
      await plumbline({ globs: ['**/*.txt'], path: 'p' }),
      await atomic({ paths: ['p/**/*.txt'] }),
      await glob('p/**/*.txt'),
    ]) {
      expect(paths(answer.text)).toEqual(['p/a.txt', 'p/q/b.txt'])
    }
  })
})
