import { execFile, execFileSync, spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { astGrepTool } from '../../main/toolsets/plumbline/ast-grep'
import { findTool } from '../../main/toolsets/plumbline/find'
import { grepTool } from '../../main/toolsets/plumbline/grep'
import { outlineProgram } from '../support/outline-oracle'
import { SearchBench } from '../support/search-bench'
import { type MeasureContext, type Measured, median, quantile } from './measuring'
import { type Corpus, corpus, SIZES, type SizeName, sources } from './search-corpus'

const run = promisify(execFile)
const ROUNDS = 7
const WARM_UPS = 3
/** Time between looks at whether the thread is free, in milliseconds. */
const LOOK_MS = 2
const MAX_BUFFER = 1024 * 1024 * 1024

const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  literal: ['createElement'],
  'regex with literal': ['function \\w+Handler\\('],
  'class-only regex': ['[A-Z]{4,}_[0-9]+'],
  'eight patterns': [
    'createElement',
    'useState',
    'readFileSync',
    'addEventListener',
    'prototype',
    'defineProperty',
    'querySelector',
    'encodeURI',
  ],
}

/** As our `grep` sees a folder: ignore rules also outside Git, no hidden files, the same limit of size. */
const RG_FLAGS = ['--no-config', '--no-require-git', '--max-filesize', '4M', '--glob', '!node_modules']

const AST_PATTERN = 'Promise.all($A)'

type Row = Record<string, string | number | boolean>
type Call = ReturnType<SearchBench['session']>

/**
 * Finding and searching beside the programs that others start for it. Options: `--small`, `--medium`, `--large`; the first
 * two by default. Goals are reported, only wrong answers fail.
 */
export default async function measureSearch({ root, work, options }: MeasureContext): Promise<Measured> {
  const missing = ['rg', 'fdfind', 'git'].filter((program) => !isInstalled(program))
  if (missing.length > 0) {
    return { title: 'Search', ok: false, notes: [`Missing: ${missing.join(', ')} (Debian: ripgrep, fd-find, git).`] }
  }
  process.env.PLUMBLINE_WORKERS = path.join(root, 'out/main/workers')
  const names = Object.keys(SIZES).filter((name): name is SizeName => name in SIZES)
  const asked = names.filter((name) => options.includes(`--${name}`))
  const rows: Row[] = []
  const bench = await SearchBench.make()
  const tools = [grepTool(bench.engines), findTool(bench.engines), astGrepTool(bench.engines)]
  const call = bench.session('plumbline', tools)
  const late: number[] = []
  try {
    for (const size of asked.length > 0 ? asked : (['small', 'medium'] as const)) {
      const place = await corpus(root, size)
      rows.push(...(await measureGrep(call, place, size, late)))
      rows.push(...(await measureFind(call, bench, place, size, path.join(work, `git-${size}`))))
    }
    rows.push(await measureAst(call, await sources(root)))
  } finally {
    await bench.dispose()
  }
  const notes = [
    `Medians of ${ROUNDS} runs in milliseconds, file caches warm. "peer" is this process starting rg --json and parsing it.`,
    `The main thread during our searches: p99 ${quantile(late, 0.99).toFixed(1)} ms late (goal 16), worst ${Math.max(...late).toFixed(1)} ms, of ${late.length} looks.`,
    `Memory of the process afterwards: ${Math.round(process.memoryUsage.rss() / 1e6)} MB.`,
  ]
  return { title: 'Search', rows, notes, ok: rows.every((row) => row.same !== false) }
}

async function measureGrep(call: Call, place: Corpus, size: SizeName, late: number[]): Promise<Row[]> {
  const rows: Row[] = []
  for (const [question, patterns] of Object.entries(QUESTIONS)) {
    const rgArgs = [...RG_FLAGS, ...patterns.flatMap((pattern) => ['-e', pattern]), place.folder]
    const [ours, peer, bare] = await inTurns(
      async () => {
        const stop = watchDelays(late)
        const { details } = await call('grep', { patterns, paths: [place.folder] })
        stop()
        return numbers(details, 'total_matched', 'matched_files')
      },
      () => peerGrep(rgArgs),
      async () => {
        await run('rg', ['--line-number', ...rgArgs], { maxBuffer: MAX_BUFFER }).catch(ignoreNoMatch)
        return []
      },
    )
    rows.push({
      corpus: `${size} (${place.files})`,
      what: question,
      ours: round(ours.ms),
      peer: round(peer.ms),
      bare: round(bare.ms),
      'of peer': ratio(ours.ms, peer.ms),
      'of bare': ratio(ours.ms, bare.ms),
      same: String(ours.answer) === String(peer.answer),
    })
  }
  return rows
}

async function measureFind(
  call: Call,
  bench: SearchBench,
  place: Corpus,
  size: SizeName,
  gitFolder: string,
): Promise<Row[]> {
  const ours = await repeat(async () => {
    const { details } = await call('find', { globs: ['**/*.json'], path: place.folder })
    return numbers(details, 'total_matched')
  })
  const fd = await repeat(async () => {
    const args = ['--exclude', 'node_modules', '--type', 'f', '--glob', '*.json', place.folder]
    const { stdout } = await run('fdfind', args, { maxBuffer: MAX_BUFFER })
    return [stdout.split('\n').length - 1]
  })
  await mkdir(gitFolder)
  const git = ['--git-dir', gitFolder, '--work-tree', place.folder]
  await run('git', [...git, 'init', '--quiet'])
  await run('git', [...git, 'add', '--all'], { cwd: place.folder, maxBuffer: MAX_BUFFER })
  const listed = await repeat(async () => {
    await run('git', [...git, 'ls-files', '*.json'], { cwd: place.folder, maxBuffer: MAX_BUFFER })
    return []
  })
  const fuzzy = await repeat(async () => {
    await call('find', { query: 'index', path: place.folder })
    return []
  })
  const first = await repeat(() => firstTwenty(bench, place.folder))
  const common = { corpus: `${size} (${place.files})` }
  return [
    {
      ...common,
      what: 'find, again (goal 20 on medium)',
      ours: round(ours.ms),
      peer: round(fd.ms),
      bare: round(listed.ms),
      'of peer': ratio(ours.ms, fd.ms),
      'of bare': ratio(ours.ms, listed.ms),
      same: String(ours.answer) === String(fd.answer),
    },
    { ...common, what: 'find, fuzzy, again', ours: round(fuzzy.ms) },
    { ...common, what: 'find, first 20 known (goal 100 on large)', ours: round(first.ms) },
  ]
}

/** Until twenty results are known, in threads that have just started: nothing is remembered. */
async function firstTwenty(bench: SearchBench, folder: string): Promise<number[]> {
  const scope = { cwd: folder, roots: [folder], narrowed: false }
  const style = {
    hidden: false,
    ignoreFiles: true,
    outsideGit: true,
    prune: ['.git', 'node_modules'],
    maxEntries: 1_000_000,
    timeoutMs: 60_000,
  }
  const walk = await bench.engines.search.walkOptions(await bench.engines.paths.resolve('.', scope), style, scope)
  const stop = new AbortController()
  const match = { type: 'fuzzy', query: 'index' } as const
  await bench.engines.search
    .find({ walk, kind: 'files', match, keep: 50 }, stop.signal, (soFar) => {
      if (soFar.paths.length >= 20) stop.abort()
    })
    .catch((failure: unknown) => {
      if (!stop.signal.aborted) throw failure
    })
  return []
}

async function measureAst(call: Call, place: Corpus): Promise<Row> {
  const program = outlineProgram()
  const ours = await repeat(async () => {
    const { details } = await call('ast_grep', { pattern: AST_PATTERN, path: place.folder, limit: 500 })
    return numbers(details, 'matches')
  })
  const common = { corpus: `sources (${place.files})`, what: 'ast_grep' }
  if (program === undefined) return { ...common, ours: round(ours.ms) }
  const counts = await repeat(async () => {
    let matches = 0
    for (const language of ['JavaScript', 'TypeScript', 'Tsx']) {
      const args = ['run', '--pattern', AST_PATTERN, '--lang', language, '--json=stream', place.folder]
      const { stdout } = await run(program, args, { maxBuffer: MAX_BUFFER }).catch(ignoreNoMatch)
      matches += stdout.split('\n').length - 1
    }
    return [matches]
  })
  return {
    ...common,
    ours: round(ours.ms),
    peer: round(counts.ms),
    'of peer': ratio(ours.ms, counts.ms),
    same: String(ours.answer) === String(counts.answer),
  }
}

async function peerGrep(args: readonly string[]): Promise<number[]> {
  const child = spawn('rg', ['--json', ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const files = new Map<string, { line: number; text: string }[]>()
  let lines = 0
  for await (const line of createInterface({ input: child.stdout })) {
    const event: unknown = JSON.parse(line)
    if (!isMatch(event)) continue
    lines += 1
    const { path: file, line_number: number, lines: text } = event.data
    const rows = files.get(file.text) ?? []
    rows.push({ line: number, text: text.text ?? '' })
    files.set(file.text, rows)
  }
  return [lines, files.size]
}

function isMatch(
  event: unknown,
): event is { data: { path: { text: string }; line_number: number; lines: { text?: string } } } {
  return typeof event === 'object' && event !== null && 'type' in event && event.type === 'match'
}

/** Notes how late the thread comes to a timer, until it is stopped. */
function watchDelays(late: number[]): () => void {
  let expected = performance.now() + LOOK_MS
  const timer = setInterval(() => {
    const now = performance.now()
    late.push(Math.max(0, now - expected))
    expected = now + LOOK_MS
  }, LOOK_MS)
  return () => clearInterval(timer)
}

interface Timed {
  readonly ms: number
  readonly answer: readonly number[]
}

async function repeat(work: () => Promise<number[]>): Promise<Timed> {
  const [timed] = await inTurns(work)
  return timed
}

/** Some rounds to warm up, then medians. All take their turn in every round, so that a busy machine is busy for all. */
async function inTurns<Works extends (() => Promise<number[]>)[]>(
  ...works: Works
): Promise<{ [Index in keyof Works]: Timed }> {
  const times = works.map((): number[] => [])
  const answers = works.map((): number[] => [])
  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
    for (const [index, work] of works.entries()) {
      const started = performance.now()
      answers[index] = await work()
      if (round >= 0) times[index]?.push(performance.now() - started)
    }
  }
  return works.map((_, index) => ({ ms: median(times[index] ?? []), answer: answers[index] ?? [] })) as {
    [Index in keyof Works]: Timed
  }
}

function numbers(details: unknown, ...names: string[]): number[] {
  const fields = new Map(Object.entries(typeof details === 'object' && details !== null ? details : {}))
  return names.map((name) => Number(fields.get(name)))
}

function ignoreNoMatch(failure: unknown): { stdout: string } {
  if (failure instanceof Error && 'code' in failure && failure.code === 1) return { stdout: '' }
  throw failure
}

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const round = (ms: number): number => Math.round(ms * 10) / 10
const ratio = (ours: number, theirs: number): string => `${(ours / theirs).toFixed(2)}×`
