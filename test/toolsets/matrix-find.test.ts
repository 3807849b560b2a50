import { mkdir, symlink, utimes } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { findTool as atomicFind } from '../../main/toolsets/atomic/find'
import type { RegisteredTool } from '../../main/toolsets/define'
import { findTool as magiFind } from '../../main/toolsets/magi/find'
import { listFilesTool } from '../../main/toolsets/magi/list-files'
import { globTool } from '../../main/toolsets/o4/glob'
import { lsTool } from '../../main/toolsets/o4/ls'
import { findTool as plumblineFind } from '../../main/toolsets/plumbline/find'
import { listFilesTool as plumblineList } from '../../main/toolsets/plumbline/list-files'
import type { ToolsetName } from '../../preload/contract/ids'
import { row } from '../support/contract-row'
import { SearchBench } from '../support/search-bench'
import { TunedSearch } from '../support/tuned-search'

let bench: SearchBench
let search: TunedSearch
let tools: Record<ToolsetName, RegisteredTool>
beforeEach(async () => {
  bench = await SearchBench.make()
  search = new TunedSearch({ pool: bench.pool, paths: bench.engines.paths })
  const engines = { ...bench.engines, search }
  tools = {
    plumbline: plumblineFind(engines),
    magi: magiFind(engines),
    atomic: atomicFind(engines),
    o4: globTool(engines),
  }
})
afterEach(() => bench.dispose())

const run = (toolset: ToolsetName, args: object) =>
  bench.session(toolset, [tools[toolset]])(toolset === 'o4' ? 'glob' : 'find', args)

/** All files below the project, or those that a glob names, in each toolset's words. */
const all = (toolset: ToolsetName, glob = '**/*', more: object = {}) => {
  const args = { plumbline: { globs: [glob] }, magi: { query: glob }, atomic: { paths: [glob] }, o4: { pattern: glob } }
  return run(toolset, { ...args[toolset], ...more })
}

/** The paths of an answer, without its notes. */
const paths = (text: string) => text.split('\n').filter((line) => line !== '' && !/^[[{]|^No files/.test(line))

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}.txt`, '']))

describe('paths', () => {
  row('FIND-01', ['plumbline', 'magi', 'atomic', 'o4'], 'finds paths without reading contents', async (toolset) => {
    await bench.write({ 'src/lib.rs': 'main', 'src/main.rs': 'lib', 'other.txt': 'lib' })
    const answer = toolset === 'magi' ? await run('magi', { query: 'lib.rs' }) : await all(toolset, 'src/lib.*')
    expect(paths(answer.text)).toEqual(['src/lib.rs'])
  })

  row('FIND-02', ['plumbline', 'magi'], 'wants a trimmed query of 1 to 512 characters', async (toolset) => {
    await bench.write({ 'a.txt': '' })
    expect(paths((await run(toolset, { query: '  a.txt ' })).text)).toEqual(['a.txt'])
    expect(paths((await run(toolset, { query: 'b'.repeat(512) })).text)).toEqual([])
    for (const args of [{}, { query: ' ' }, { query: 'b'.repeat(513) }]) {
      expect((await run(toolset, args)).error?.code).toBe('invalid_arguments')
    }
  })

  row('FIND-03', ['plumbline', 'magi'], 'files by default, folders with a slash, or both', async (toolset) => {
    await bench.write({ 'lib/x.txt': '', 'a/lib.rs': '' })
    const kind = async (kind?: string) => paths((await run(toolset, { query: 'lib', kind })).text).sort()
    expect(await kind()).toEqual(['a/lib.rs', 'lib/x.txt'])
    expect(await kind('directories')).toEqual(['lib/'])
    expect(await kind('mixed')).toEqual(['a/lib.rs', 'lib/', 'lib/x.txt'])
  })

  row('FIND-04', ['plumbline', 'magi'], '50 by default, 200 at most, offset pages', async (toolset) => {
    await bench.write(many(260))
    expect((await run(toolset, { query: 'f' })).details).toMatchObject({ returned: 50, next_offset: 50 })
    expect((await run(toolset, { query: 'f', limit: 999 })).details).toMatchObject({ returned: 200 })
    expect((await run(toolset, { query: 'f', offset: 250 })).details).toMatchObject({ returned: 10, has_more: false })
  })

  row('FIND-04', ['atomic'], '200 by default', async (toolset) => {
    await bench.write(many(210))
    expect((await all(toolset)).details).toMatchObject({ fileCount: 200, truncated: true })
    expect((await all(toolset, '**/*', { limit: 205 })).details).toMatchObject({ fileCount: 205 })
  })

  row('FIND-04', ['o4'], '10,000 at most', async (toolset) => {
    await bench.write({ 'd/a.txt': '' })
    await Promise.all(Array.from({ length: 10_001 }, (_, at) => bench.write({ [`d/${at}`]: '' })))
    const answer = await all(toolset, 'd/*')
    expect(paths(answer.text)).toHaveLength(10_000)
    expect(answer.text.split('\n').at(-1)).toBe('[10000 of 10002 files shown. Narrow the pattern.]')
  })

  row(
    'FIND-05',
    ['plumbline', 'magi', 'atomic', 'o4'],
    'has its own time, and says when it was not enough',
    async (toolset) => {
      await bench.write(many(300))
      await all(toolset)
      const expected = { plumbline: 10_000, magi: 10_000, atomic: 5_000, o4: 30_000 }
      expect(Math.ceil((search.given[0] ?? 0) / 100) * 100).toBe(expected[toolset])
      search.walk = { deadlineAt: Date.now() - 1000 }
      const late = await all(toolset, toolset === 'magi' ? 'f' : '**/*')
      expect(late.ok).toBe(true)
      expect(late.details).toMatchObject(
        toolset === 'atomic' ? { timedOut: true } : { timed_out: true, truncated: true },
      )
    },
  )

  row(
    'FIND-06',
    ['plumbline', 'magi', 'atomic', 'o4'],
    'visits at most 100,000 entries, the root included',
    async (toolset) => {
      await bench.write(many(9))
      await all(toolset)
      expect(search.styles[0]?.maxEntries).toBe(100_000)
      search.walk = { maxEntries: 10 }
      expect((await all(toolset)).details).toMatchObject(
        toolset === 'atomic' ? { truncated: false } : { scan_complete: true },
      )
      search.walk = { maxEntries: 9 }
      expect((await all(toolset)).details).toMatchObject(
        toolset === 'atomic'
          ? { truncated: true }
          : { scan_complete: false, entry_limit_reached: true, entries_scanned: 9 },
      )
    },
  )

  row('FIND-07', ['plumbline', 'magi', 'o4'], 'tells what a partial scan knows', async (toolset) => {
    await bench.write({ ...many(30), '.hidden': '' })
    search.walk = { maxEntries: 11 }
    const answer = toolset === 'o4' ? await all('o4') : await run(toolset, { query: 'f', limit: 5 })
    expect(answer.details).toMatchObject({
      scan_complete: false,
      total_matched_exact: false,
      truncated: true,
      index_ready: false,
      has_more: null,
      entries_scanned: 11,
      entry_limit_reached: true,
      timed_out: false,
      walk_errors: 0,
      walk_entries_omitted: 1,
      total_matched: 9,
    })
  })

  row('FIND-07', ['atomic'], 'tells of truncation and missing paths', async () => {
    await bench.write({ 'a.txt': '', 'd/b.txt': '' })
    const answer = await run('atomic', { paths: ['d', 'none.txt'] })
    expect(answer.details).toMatchObject({
      scopePath: 'd',
      fileCount: 1,
      files: ['d/b.txt'],
      truncated: false,
      missingPaths: ['none.txt'],
    })
  })

  row('FIND-08', ['plumbline', 'magi'], 'paging never resumes a partial scan', async (toolset) => {
    await bench.write(many(30))
    search.walk = { maxEntries: 11 }
    const next = await run(toolset, { query: 'f', limit: 5, offset: 5 })
    expect(next.details).toMatchObject({ returned: 5, total_matched: 10, has_more: null, entries_scanned: 11 })
    const beyond = await run(toolset, { query: 'f', limit: 5, offset: 10 })
    expect(beyond.details).toMatchObject({ returned: 0, total_matched: 10, has_more: null, entries_scanned: 11 })
  })

  row('FIND-09', ['magi'], 'relative paths stay inside, absolute ones reach', async () => {
    await bench.write({ 'a.txt': '', 'in/b.txt': '' })
    expect((await run('magi', { query: 'a', path: '../project' })).ok).toBe(true)
    expect((await run('magi', { query: 'a', path: '..' })).error?.code).toBe('outside_roots')
    expect((await run('magi', { query: 'a', path: 'a.txt' })).error?.code).toBe('not_a_directory')
    expect((await run('magi', { query: 'a', path: 'none' })).error?.code).toBe('not_a_directory')
    expect(paths((await run('magi', { query: 'b', path: path.join(bench.project, 'in') })).text)).toEqual(['in/b.txt'])
  })

  row(
    'FIND-09',
    ['plumbline', 'atomic', 'o4'],
    'takes files, folders and what lies beside the project',
    async (toolset) => {
      await bench.write({ 'a.txt': '', '../beside/b.txt': '' })
      const outside = path.join(bench.project, '../beside')
      const answer =
        toolset === 'plumbline'
          ? await run(toolset, { globs: ['*'], path: outside })
          : await all(toolset, `${outside}/*`)
      expect(paths(answer.text)).toEqual([`${outside}/b.txt`])
    },
  )

  row(
    'FIND-10',
    ['plumbline', 'magi', 'atomic', 'o4'],
    'shows paths from the working folder inside, absolute outside',
    async (toolset) => {
      await bench.write({ 'in/deep/b.txt': '', '../beside/b.txt': '' })
      const search = async (folder: string) => {
        const args = { plumbline: { globs: ['**/b.txt'], path: folder }, magi: { query: 'b.txt', path: folder } }
        const answer =
          toolset === 'plumbline' || toolset === 'magi'
            ? await run(toolset, args[toolset])
            : await all(toolset, `${folder}/**/b.txt`)
        return paths(answer.text)
      }
      const outside = path.join(bench.project, '../beside')
      expect(await search(path.join(bench.project, 'in'))).toEqual(['in/deep/b.txt'])
      expect(await search(outside)).toEqual([`${outside}/b.txt`])
    },
  )

  row('FIND-11', ['plumbline', 'magi', 'atomic', 'o4'], 'hidden files by the toolset’s own rule', async (toolset) => {
    await bench.write({ '.env.sample': '', 'a.env.sample': '' })
    const glob = '*env.sample'
    const answer = toolset === 'magi' ? await run('magi', { query: 'env.sample' }) : await all(toolset, glob)
    expect(paths(answer.text)).toEqual(toolset === 'atomic' ? ['.env.sample', 'a.env.sample'] : ['a.env.sample'])
  })

  row(
    'FIND-12',
    ['plumbline', 'magi', 'atomic', 'o4'],
    'honours Git’s, plain and Perforce’s ignore files',
    async (toolset) => {
      await bench.write({
        '.git/info/exclude': 'excluded.txt\n',
        '.gitignore': 'git.txt\n',
        '.ignore': 'plain.txt\n',
        '.p4ignore': 'perforce.txt\n',
        'sub/.gitignore': 'nested.txt\n',
        'git.txt': '',
        'plain.txt': '',
        'perforce.txt': '',
        'excluded.txt': '',
        'sub/nested.txt': '',
        'kept.txt': '',
      })
      const answer = toolset === 'magi' ? await run('magi', { query: '.txt' }) : await all(toolset, '**/*.txt')
      expect(paths(answer.text)).toEqual(['kept.txt'])
    },
  )

  row('FIND-12', ['plumbline', 'atomic', 'o4'], 'honours .gitignore outside a checkout too', async (toolset) => {
    await bench.write({ 'a/.gitignore': 'x.txt\n', 'a/x.txt': '', 'a/y.txt': '' })
    expect(paths((await all(toolset, 'a/*.txt')).text)).toEqual(['a/y.txt'])
  })

  row(
    'FIND-13',
    ['plumbline', 'magi', 'atomic', 'o4'],
    'follows Perforce’s configuration before the environment',
    async (toolset) => {
      await bench.write({
        'p4.cfg': 'P4IGNORE=mine.rules\n',
        'mine.rules': 'a.txt\n',
        'env.rules': 'b.txt\n',
        'a.txt': '',
        'b.txt': '',
      })
      search.walk = { environment: { HOME: bench.project, P4CONFIG: 'p4.cfg', P4IGNORE: 'env.rules' } }
      const answer = toolset === 'magi' ? await run('magi', { query: '.txt' }) : await all(toolset, '*.txt')
      expect(paths(answer.text)).toEqual(['b.txt'])
    },
  )

  row(
    'FIND-14',
    ['plumbline', 'magi', 'atomic', 'o4'],
    'takes rule files in order, and never shows Perforce’s own',
    async (toolset) => {
      await bench.write({
        'one.rules': '*.txt\n',
        'two.rules': '!b.txt\n',
        'p4.ini': '',
        'a.txt': '',
        'b.txt': '',
      })
      search.walk = { environment: { HOME: bench.project, P4IGNORE: 'one.rules;two.rules', P4CONFIG: 'p4.ini' } }
      const answer = toolset === 'magi' ? await run('magi', { query: '.' }) : await all(toolset, '*')
      expect(paths(answer.text).sort()).toEqual(['b.txt', 'one.rules', 'two.rules'])
    },
  )

  row(
    'FIND-15',
    ['plumbline', 'magi', 'atomic', 'o4'],
    'reads ~/.p4enviro where that is the default',
    async (toolset) => {
      await bench.write({
        'home/.p4enviro': 'P4IGNORE=enviro.rules\n',
        'enviro.rules': 'a.txt\n',
        'a.txt': '',
        'b.txt': '',
      })
      const HOME = path.join(bench.project, 'home')
      search.walk = { environment: { HOME }, platform: 'linux' }
      const answer = toolset === 'magi' ? await run('magi', { query: '.txt' }) : await all(toolset, '*.txt')
      expect(paths(answer.text)).toEqual(['b.txt'])
      search.walk = { environment: { HOME, P4ENVIRO: path.join(HOME, 'none') } }
      const given = toolset === 'magi' ? await run('magi', { query: '.txt' }) : await all(toolset, '*.txt')
      expect(paths(given.text)).toEqual(['a.txt', 'b.txt'])
    },
  )

  row('FIND-16', ['plumbline', 'magi', 'atomic', 'o4'], 'never opens what it leaves out', async (toolset) => {
    await bench.write({ '.gitignore': 'out\n', '.git/x': '', 'a.txt': '' })
    await bench.write(Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`out/${at}.txt`, ''])))
    const answer = toolset === 'magi' ? await run('magi', { query: 'txt' }) : await all(toolset, '**/*.txt')
    expect(paths(answer.text)).toEqual(['a.txt'])
    if (toolset !== 'atomic') expect(answer.details).toMatchObject({ entries_scanned: 5, walk_entries_omitted: 3 })
  })

  row('FIND-16', ['plumbline', 'atomic', 'o4'], 'opens node_modules only when it is named', async (toolset) => {
    await bench.write({ 'node_modules/p/i.js': '', 'a.js': '' })
    expect(paths((await all(toolset, '**/*.js')).text)).toEqual(['a.js'])
    expect(paths((await all(toolset, 'node_modules/**/*.js')).text)).toEqual(['node_modules/p/i.js'])
  })

  row('FIND-17', ['atomic'], 'takes quotes off and parts lists only where that helps', async () => {
    await bench.write({ 'a b.txt': '', 'c,d.txt': '', 'e;f.txt': '', 'g.txt': '', 'h.txt': '' })
    const found = async (given: string) => paths((await run('atomic', { paths: [given] })).text).sort()
    expect(await found("'a b.txt'")).toEqual(['a b.txt'])
    expect(await found('c,d.txt')).toEqual(['c,d.txt'])
    expect(await found('e;f.txt')).toEqual(['e;f.txt'])
    expect(await found('g.txt;h.txt')).toEqual(['g.txt', 'h.txt'])
    expect(await found('g.txt,none.txt')).toEqual(['g.txt'])
    expect(await found('g.txt h.txt')).toEqual(['g.txt', 'h.txt'])
    expect((await run('atomic', { paths: ['g.txt none.txt'] })).error?.code).toBe('not_found')
    expect((await run('atomic', {})).error?.code).toBe('invalid_arguments')
  })

  row('FIND-18', ['plumbline', 'magi', 'atomic'], 'tells what is known while it looks', async (toolset) => {
    await bench.write(many(64))
    await all(toolset, toolset === 'magi' ? 'f' : '**/*')
    expect(search.snapshots[0]).toBe(20)
  })

  row(
    'FIND-19',
    ['plumbline', 'magi', 'atomic', 'o4'],
    'remembers listings, and sees what changed since',
    async (toolset) => {
      await bench.write({ 'd/a.txt': '1' })
      const old = new Date(Date.now() - 60_000)
      for (const folder of ['d', '.']) await utimes(path.join(bench.project, folder), old, old)
      const list = async () =>
        paths((toolset === 'magi' ? await run('magi', { query: '.txt' }) : await all(toolset, '**/*.txt')).text)
      expect(await list()).toEqual(['d/a.txt'])
      expect(await list()).toEqual(['d/a.txt'])
      await bench.write({ 'd/b.txt': '' })
      expect(await list()).toEqual(['d/a.txt', 'd/b.txt'])
    },
  )

  row('FIND-20', ['plumbline', 'magi', 'o4'], 'lists the direct children, ignore files or not', async (toolset) => {
    await bench.write({ '.gitignore': '*\n', 'b.txt': '', 'sub/deep.txt': '' })
    await symlink('b.txt', path.join(bench.project, 'link'))
    const list = {
      plumbline: plumblineList(bench.engines),
      magi: listFilesTool(bench.engines),
      o4: lsTool(bench.engines),
    }
    const call = bench.session(toolset, [list[toolset]])
    const answer = await call(toolset === 'o4' ? 'ls' : 'list_files', { path: '.' })
    expect(answer.text).toBe(
      toolset === 'o4'
        ? 'file  .gitignore\nfile  b.txt\nsymlink  link\ndirectory  sub\n[4 entries, all shown.]'
        : '.gitignore\nb.txt\nlink\nsub/\n[4 entries, all shown.]',
    )
  })

  row(
    'FIND-21',
    ['plumbline', 'magi', 'atomic', 'o4'],
    'never asks, never writes, never looks into files',
    async (toolset) => {
      await bench.write({ 'a.txt': 'needle' })
      await mkdir(path.join(bench.project, 'needle-folder'))
      expect(tools[toolset].approval).toBe('never')
      const answer = toolset === 'magi' ? await run('magi', { query: 'needle' }) : await all(toolset, '*needle*')
      expect(paths(answer.text)).toEqual([])
    },
  )
})
