import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { searchTool } from '../../main/toolsets/atomic/search'
import type { RegisteredTool } from '../../main/toolsets/define'
import { grepTool as magiGrep } from '../../main/toolsets/magi/grep'
import { gitInfoTool } from '../../main/toolsets/o4/git-info'
import { grepTool as o4Grep } from '../../main/toolsets/o4/grep'
import { grepTool } from '../../main/toolsets/plumbline/grep'
import { GitReader } from '../../main/workspace/git-reader'
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
    plumbline: grepTool(engines),
    magi: magiGrep(engines),
    atomic: searchTool(engines),
    o4: o4Grep(engines),
  }
})
afterEach(() => bench.dispose())

const run = (toolset: ToolsetName, args: object) =>
  bench.session(toolset, [tools[toolset]])(toolset === 'atomic' ? 'search' : 'grep', args)

/** One pattern in each toolset's words, flat rows where it has them. */
const look = (toolset: ToolsetName, pattern: string, more: object = {}) => {
  const args = {
    plumbline: { patterns: [pattern], mode: 'raw' },
    magi: { patterns: [pattern], mode: 'raw' },
    atomic: { pattern },
    o4: { pattern },
  }
  return run(toolset, { ...args[toolset], ...more })
}

/** `path:line` of all matching lines of an answer. */
function hits(toolset: ToolsetName, text: string): string[] {
  if (toolset !== 'atomic') return [...text.matchAll(/^([^\n:[{]+:\d+):/gm)].map((match) => match[1] ?? '')
  let file = ''
  return text.split('\n').flatMap((line) => {
    file = /^\[([^#\]]+)(?:#\w+)?\]$/.exec(line)?.[1] ?? file
    const number = /^\*(\d+):/.exec(line)?.[1]
    return number === undefined ? [] : [`${file}:${number}`]
  })
}
const found = async (toolset: ToolsetName, pattern: string, more: object = {}) =>
  hits(toolset, (await look(toolset, pattern, more)).text)

const lines = (count: number, text = 'needle') => `${text}\n`.repeat(count)

describe('search', () => {
  row(
    'SEARCH-01',
    ['plumbline', 'magi', 'atomic', 'o4'],
    'searches contents by expression, in process',
    async (toolset) => {
      await bench.write({ 'a.txt': 'x\nneedle 12\n', 'b/c.txt': 'needle\n', 'needle.txt': '' })
      expect(await found(toolset, 'needle( \\d+)?$')).toEqual(['a.txt:2', 'b/c.txt:1'])
    },
  )

  row('SEARCH-02', ['plumbline', 'magi', 'atomic', 'o4'], 'needs no program', async (toolset) => {
    await bench.write({ 'a.txt': 'needle\n' })
    const before = process.env.PATH
    process.env.PATH = ''
    try {
      expect(await found(toolset, 'needle')).toEqual(['a.txt:1'])
    } finally {
      process.env.PATH = before
    }
  })

  row('SEARCH-03', ['plumbline', 'magi'], 'takes 1 to 8 patterns, any of which may match', async (toolset) => {
    await bench.write({ 'a.txt': 'one\ntwo\nthree\n' })
    const answer = await run(toolset, { patterns: ['one', 'three'], mode: 'raw' })
    expect(hits(toolset, answer.text)).toEqual(['a.txt:1', 'a.txt:3'])
    for (const patterns of [[], Array.from({ length: 9 }, () => 'x')]) {
      expect((await run(toolset, { patterns })).error?.code).toBe('invalid_arguments')
    }
  })

  row('SEARCH-04', ['plumbline', 'magi'], 'minds case, mends brackets, falls back to plain text', async (toolset) => {
    await bench.write({ 'a.txt': 'call(\nCALL(\n*x\nif (a) {\n' })
    expect(await found(toolset, 'call(')).toEqual(['a.txt:1'])
    expect(await found(toolset, 'if (a) {')).toEqual([])
    expect(await found(toolset, '*x')).toEqual(['a.txt:3'])
    const told = await run(toolset, { patterns: ['*x', 'call('] })
    const expected = [
      { pattern: '*x', [toolset === 'magi' ? 'matcher' : 'kind']: 'literal' },
      { pattern: 'call(', [toolset === 'magi' ? 'matcher' : 'kind']: 'repaired' },
    ]
    expect(told.details).toMatchObject(toolset === 'magi' ? { matcher_adjustments: expected } : { matchers: expected })
  })

  row('SEARCH-04', ['atomic', 'o4'], 'takes patterns as they are, inline flags too', async (toolset) => {
    await bench.write({ 'a.txt': 'needle\nNEEDLE\n' })
    expect(await found(toolset, '(?i)needle')).toEqual(['a.txt:1', 'a.txt:2'])
    expect(await found(toolset, '(?x) need le # both')).toEqual(['a.txt:1'])
    expect((await look(toolset, 'call(')).error?.code).toBe('invalid_arguments')
  })

  row('SEARCH-05', ['magi'], 'grouped_v1 with labels, or flat rows', async () => {
    await bench.write({ 'a.ts': "import { run } from 'x'\nrun()\nexport function run() {}\n" })
    const ranked = await run('magi', { patterns: ['run'] })
    expect(ranked.text.split('\n').slice(0, 4)).toEqual([
      'a.ts',
      "1:[import] import { run } from 'x'",
      '2:[match] run()',
      '3:[def-like] export function run() {}',
    ])
    expect(ranked.details).toMatchObject({ format: 'grouped_v1', returned: 3, total_matched: 3 })
    const raw = await run('magi', { patterns: ['run'], mode: 'raw' })
    expect(raw.text.split('\n')[0]).toBe("a.ts:1:import { run } from 'x'")
  })

  row('SEARCH-05', ['plumbline', 'atomic'], 'rows say what matched and what stands around', async (toolset) => {
    await bench.write({ 'a.txt': 'before\nneedle\nafter\n' })
    const more = toolset === 'plumbline' ? { mode: 'ranked', context: 1 } : {}
    expect((await look(toolset, 'needle', more)).text).toMatch(
      /^\[a\.txt#[0-9A-F]{4}\]\n 1:before\n\*2:needle\n 3:after\n/,
    )
  })

  row('SEARCH-05', ['o4'], 'content, files_with_matches or count', async () => {
    await bench.write({ 'a.txt': lines(2), 'b.txt': lines(1) })
    const mode = async (output_mode: string) =>
      (await look('o4', 'needle', { output_mode })).text.split('\n').slice(0, -1)
    expect(await mode('content')).toEqual(['a.txt:1:needle', 'a.txt:2:needle', 'b.txt:1:needle'])
    expect(await mode('files_with_matches')).toEqual(['a.txt', 'b.txt'])
    expect(await mode('count')).toEqual(['a.txt:2', 'b.txt:1'])
  })

  row('SEARCH-06', ['plumbline', 'magi'], 'five lines a file when ranked, and says how many more', async (toolset) => {
    await bench.write({ 'a.txt': lines(12), 'b.txt': lines(2) })
    const answer = await run(toolset, { patterns: ['needle'] })
    expect(answer.details).toMatchObject({ returned: 7, total_matched: 14 })
    const [first] = fileDetails(answer.details)
    expect(first).toMatchObject(toolset === 'magi' ? { returned: 5, matched: 12, omitted: 7 } : { hits: 5, omitted: 7 })
  })

  row('SEARCH-06', ['atomic'], '20 lines a file, 200 in a single one', async () => {
    await bench.write({ 'a.txt': lines(300), 'b.txt': lines(1) })
    expect(await found('atomic', 'needle')).toHaveLength(21)
    expect(await found('atomic', 'needle', { paths: 'a.txt' })).toHaveLength(200)
  })

  row('SEARCH-07', ['plumbline', 'magi'], 'pages by matching lines', async (toolset) => {
    await bench.write({ 'a.txt': lines(3), 'b.txt': lines(3) })
    const page = async (offset: number) => found(toolset, 'needle', { limit: 2, offset })
    expect([await page(0), await page(2), await page(4), await page(6)]).toEqual([
      ['a.txt:1', 'a.txt:2'],
      ['a.txt:3', 'b.txt:1'],
      ['b.txt:2', 'b.txt:3'],
      [],
    ])
  })

  row('SEARCH-07', ['atomic'], 'pages by files, 20 at a time', async () => {
    await bench.write(
      Object.fromEntries(Array.from({ length: 23 }, (_, at) => [`f${String(at).padStart(2, '0')}`, lines(1)])),
    )
    const first = await look('atomic', 'needle')
    expect(first.details).toMatchObject({ fileLimitReached: true, meta: { limits: { fileLimit: 20 } }, fileCount: 23 })
    expect(await found('atomic', 'needle', { skip: 20 })).toEqual(['f20:1', 'f21:1', 'f22:1'])
    expect(await found('atomic', 'needle', { skip: 20, paths: 'f00' })).toEqual(['f00:1'])
  })

  row('SEARCH-07', ['o4'], 'stops at 200 lines', async () => {
    await bench.write({ 'a.txt': lines(300) })
    const answer = await look('o4', 'needle')
    expect(answer.text.split('\n')).toHaveLength(201)
    expect(answer.details).toMatchObject({ returned_lines: 200, truncated: true })
  })

  row('SEARCH-08', ['plumbline', 'magi', 'o4'], 'context is asked for, bounded and free', async (toolset) => {
    await bench.write({ 'a.txt': `${'x\n'.repeat(150)}needle\n${'y\n'.repeat(150)}needle\n` })
    const max = toolset === 'o4' ? 100 : 20
    const text = (await look(toolset, 'needle', { context: max })).text
    expect(text.match(/^a\.txt-\d+-x$/gm)).toHaveLength(max)
    expect(await found(toolset, 'needle', { context: max })).toEqual(
      toolset === 'o4' ? ['a.txt:151'] : ['a.txt:151', 'a.txt:302'],
    )
    const more = await look(toolset, 'needle', { context: max + 1 })
    if (toolset === 'magi') expect(more.text.match(/^a\.txt-\d+-x$/gm)).toHaveLength(20)
    else expect(more.error?.code).toBe('invalid_arguments')
  })

  row('SEARCH-08', ['atomic'], 'one line before and three after', async () => {
    await bench.write({ 'a.txt': 'a\nb\nneedle\nc\nd\ne\nf\n' })
    expect((await look('atomic', 'needle')).text).toContain(' 2:b\n*3:needle\n 4:c\n 5:d\n 6:e\n[1 of 1')
  })

  row('SEARCH-09', ['plumbline', 'magi', 'atomic', 'o4'], 'leaves out files beyond its size', async (toolset) => {
    const limit = (toolset === 'o4' ? 1 : 4) * 1024 * 1024
    const filled = (bytes: number) => Buffer.alloc(bytes, 'needle\n')
    await bench.write({ 'large.txt': filled(limit + 7), 'small.txt': 'needle\n' })
    const answer = await look(toolset, 'needle')
    expect(hits(toolset, answer.text)).toEqual(['small.txt:1'])
    expect(answer.details).toMatchObject({ files_too_large: 1, exhaustive: false })
  })

  row(
    'SEARCH-09',
    ['plumbline', 'magi', 'atomic', 'o4'],
    'has a time, and files and bytes where the contract says so',
    async (toolset) => {
      await bench.write(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`f${at}`, 'needle\n'])))
      await look(toolset, 'zzz')
      const [asked] = search.asked
      const time = toolset === 'magi' || toolset === 'plumbline' ? 10_000 : 30_000
      expect(search.given[0]).toBe(time)
      if (toolset === 'magi') expect(asked?.limits).toMatchObject({ totalBytes: 128 * 1024 * 1024, files: 10_000 })
      search.limits = { files: 5, hits: Number.POSITIVE_INFINITY }
      expect((await look(toolset, 'needle')).details).toMatchObject({
        file_limit_reached: true,
        files_scanned: 5,
        exhaustive: false,
      })
      search.limits = { totalBytes: 10, hits: Number.POSITIVE_INFINITY }
      expect((await look(toolset, 'needle')).details).toMatchObject({ byte_limit_reached: true, exhaustive: false })
      search.limits = {}
      search.walk = { deadlineAt: Date.now() - 1 }
      expect((await look(toolset, 'needle')).details).toMatchObject({ timed_out: true, exhaustive: false })
    },
  )

  row('SEARCH-10', ['plumbline', 'magi'], 'puts out whole records up to 65,536 bytes', async (toolset) => {
    await bench.write({ 'a.txt': `needle ${'é'.repeat(400)}\n`.repeat(400) })
    const answer = await look(toolset, 'needle', { limit: 400 })
    const records = answer.text.split('\n').slice(0, -1)
    expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(65_536 + 256)
    expect(records.every((record) => record.endsWith('é'))).toBe(true)
  })

  row('SEARCH-11', ['plumbline', 'magi', 'atomic', 'o4'], 'cuts long lines and says by how much', async (toolset) => {
    const max = toolset === 'o4' ? 2000 : 512
    await bench.write({ 'a.txt': `needle${'x'.repeat(max)}\n` })
    expect((await look(toolset, 'needle')).text).toContain(`needle${'x'.repeat(max - 6)} … (6 more characters)`)
  })

  row(
    'SEARCH-12',
    ['plumbline', 'magi', 'atomic', 'o4'],
    'skips binary, ignored and special files',
    async (toolset) => {
      await bench.write({
        '.gitignore': 'out.txt\n',
        '.git/x': 'needle\n',
        'out.txt': 'needle\n',
        'bin.dat': Buffer.from('needle\0\n'),
        'a.txt': 'needle\n',
        '.hidden': 'needle\n',
      })
      if (process.platform !== 'win32') execFileSync('mkfifo', [path.join(bench.project, 'pipe')])
      const answer = await look(toolset, 'needle')
      expect(hits(toolset, answer.text)).toEqual(toolset === 'atomic' ? ['.hidden:1', 'a.txt:1'] : ['a.txt:1'])
      expect(answer.details).toMatchObject({ files_binary: 1 })
    },
  )

  row('SEARCH-12', ['magi'], 'skips target folders', async () => {
    await bench.write({ 'target/a.txt': 'needle\n', 'b.txt': 'needle\n' })
    expect(await found('magi', 'needle')).toEqual(['b.txt:1'])
  })

  row('SEARCH-12', ['plumbline', 'atomic', 'o4'], 'skips node_modules', async (toolset) => {
    await bench.write({ 'node_modules/a.txt': 'needle\n', 'b.txt': 'needle\n' })
    expect(await found(toolset, 'needle')).toEqual(['b.txt:1'])
  })

  row('SEARCH-13', ['plumbline', 'magi', 'atomic', 'o4'], 'tells what was looked at', async (toolset) => {
    await bench.write({ 'a.txt': 'needle\n', 'b.txt': Buffer.from('\xe9\n', 'latin1'), 'c.bin': Buffer.from([0]) })
    const { details } = await look(toolset, 'needle')
    expect(details).toMatchObject({
      exhaustive: true,
      files_scanned: 3,
      bytes_scanned: 10,
      file_limit_reached: false,
      byte_limit_reached: false,
      files_too_large: 0,
      files_binary: 1,
      files_invalid_utf8: 1,
      files_unreadable: 0,
      timed_out: false,
      entries_scanned: 4,
      entry_limit_reached: false,
      walk_errors: 0,
      walk_entries_omitted: 0,
    })
    if (toolset === 'atomic') {
      expect(details).toMatchObject({
        scopePath: '.',
        matchCount: 1,
        fileCount: 1,
        files: ['a.txt'],
        fileMatches: [{ path: 'a.txt', count: 1, shown: 1 }],
        missingPaths: [],
        fileLimitReached: false,
      })
    }
  })

  row('SEARCH-14', ['plumbline', 'atomic'], 'takes files, folders and globs', async (toolset) => {
    await bench.write({ 'a/x.ts': 'needle\n', 'a/y.js': 'needle\n', 'b/z.ts': 'needle\n', '(c)/w.ts': 'needle\n' })
    const paths = (given: string[]) => found(toolset, 'needle', { paths: given })
    expect(await paths(['a/x.ts'])).toEqual(['a/x.ts:1'])
    expect(await paths(['a', 'b'])).toEqual(['a/x.ts:1', 'a/y.js:1', 'b/z.ts:1'])
    expect(await paths(['a/*.ts', '(c)/*.ts'])).toEqual(['a/x.ts:1', '(c)/w.ts:1'])
    expect((await look(toolset, 'needle', { paths: ['none'] })).error?.code).toBe('not_found')
  })

  row('SEARCH-14', ['magi', 'o4'], 'takes one path', async (toolset) => {
    await bench.write({ 'a/x.ts': 'needle\n', 'b/z.ts': 'needle\n' })
    expect(await found(toolset, 'needle', { path: 'a' })).toEqual(['a/x.ts:1'])
    expect(await found(toolset, 'needle', { path: 'b/z.ts' })).toEqual(['b/z.ts:1'])
    expect((await look(toolset, 'needle', { path: 'none' })).error?.code).toBe('not_found')
    if (toolset === 'o4') expect(await found(toolset, 'needle', { glob: '*.rs' })).toEqual([])
  })

  row('SEARCH-15', ['plumbline', 'magi', 'atomic', 'o4'], 'refuses patterns of white space', async (toolset) => {
    for (const pattern of ['', ' ', '\t\n']) {
      expect((await look(toolset, pattern)).error?.code).toBe('invalid_arguments')
    }
  })

  row(
    'SEARCH-16',
    ['plumbline', 'atomic'],
    'a line selector scopes matches; context may lie outside',
    async (toolset) => {
      await bench.write({ 'a.txt': 'needle 1\nneedle 2\nneedle 3\nneedle 4\n' })
      const more = { paths: ['a.txt:2-3'], ...(toolset === 'plumbline' ? { context: 1 } : {}) }
      const answer = await look(toolset, 'needle', more)
      expect(hits(toolset, answer.text)).toEqual(['a.txt:2', 'a.txt:3'])
      expect(answer.text).toContain('needle 1')
    },
  )

  row('SEARCH-17', ['atomic'], 'asks to refine where collecting ends', async () => {
    await bench.write(Object.fromEntries(Array.from({ length: 1010 }, (_, at) => [`d${at % 10}/${at}`, lines(20)])))
    const answer = await look('atomic', 'needle')
    expect(answer.text).toContain('[Collecting stopped at its ceiling. Refine the pattern or the paths.]')
    expect(answer.text).toContain('[400 of at least 20000 matches shown, 20 of 1000 files.]')
  })

  row('SEARCH-18', ['plumbline', 'atomic'], 'rows carry a tag that edit takes', async (toolset) => {
    await bench.write({ 'a.txt': 'x\nneedle\n' })
    const answer = await look(toolset, 'needle', toolset === 'plumbline' ? { mode: 'ranked' } : {})
    const tag = /^\[a\.txt#([0-9A-F]{4})\]/.exec(answer.text)?.[1] ?? ''
    const store = bench.snapshots.of(bench.lastSession)
    expect(store.byTag(path.join(bench.project, 'a.txt'), tag)).toBeDefined()
  })

  row('SEARCH-18', ['magi'], 'gives no authority to edit', async () => {
    await bench.write({ 'a.txt': 'needle\n' })
    expect((await look('magi', 'needle')).text).not.toContain('#')
  })

  row('SEARCH-19', ['plumbline', 'o4'], 'reads git without changing anything', async (toolset) => {
    await bench.write({ 'a.txt': 'one\n' })
    const git = (...args: string[]) => execFileSync('git', ['-C', bench.project, ...args], { stdio: 'ignore' })
    git('init', '-q', '-b', 'main')
    git('add', '.')
    git('-c', 'user.name=t', '-c', 'user.email=t@example.test', 'commit', '-q', '-m', 'first')
    await bench.write({ 'a.txt': 'two\n' })
    const tool = gitInfoTool({ git: new GitReader(), paths: bench.engines.paths })
    const call = bench.session(toolset, [tool])
    expect((await call('git_info', { subcommand: 'status' })).text).toBe('## main\n M a.txt')
    expect((await call('git_info', { subcommand: 'diff' })).text).toContain('-one\n+two')
    expect((await call('git_info', { subcommand: 'log', count: 1 })).text).toContain('first')
    expect((await call('git_info', { subcommand: 'commit' })).error?.code).toBe('invalid_arguments')
  })

  row('SEARCH-20', ['plumbline', 'atomic'], 'without paths it searches the working folder', async (toolset) => {
    await bench.write({ 'a.txt': 'needle\n' })
    const given = toolset === 'atomic' ? [undefined, '', []] : [undefined, []]
    for (const paths of given)
      expect(await found(toolset, 'needle', paths === undefined ? {} : { paths })).toEqual(['a.txt:1'])
  })

  row('SEARCH-20', ['magi', 'o4'], 'without a path it searches the working folder', async (toolset) => {
    await bench.write({ 'a.txt': 'needle\n' })
    expect(await found(toolset, 'needle')).toEqual(['a.txt:1'])
  })
})

describe('pages of a search by several threads', () => {
  it('SEARCH-07 are the same every time, however the work was shared', async () => {
    await bench.write(
      Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`d${at % 7}/f${at}.txt`, lines(at % 5)])),
    )
    const page = async () =>
      (await look('magi', 'needle', { limit: 30, offset: 90 })).text.split('\n').slice(0, -1).join('\n')
    const first = await page()
    expect(first.split('\n')).toHaveLength(30)
    for (let round = 0; round < 10; round += 1) expect(await page()).toBe(first)
  })
})

function fileDetails(details: unknown): unknown[] {
  const fields = new Map(Object.entries(typeof details === 'object' && details !== null ? details : {}))
  const files: unknown = fields.get('per_file') ?? fields.get('files')
  return Array.isArray(files) ? files : []
}
