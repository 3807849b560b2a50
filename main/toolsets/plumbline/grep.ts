import { z } from 'zod'
import type { SnapshotStores } from '../../editing/snapshots'
import { PlumblineError } from '../../platform/errors'
import type { FileReader } from '../../reading/file-reader'
import type { FileMatches, GrepArgs, GrepTarget } from '../../search/grep-types'
import { type PageFile, pageOf, rankFiles } from '../../search/rank'
import { compileForgiving } from '../../search/regex-dialect'
import type { GrepOutcome, SearchEngine } from '../../search/search-engine'
import { displayPrefix, resolveSearchTargets, type SearchTarget } from '../../search/search-targets'
import { printRows } from '../../search/tag-rows'
import { type PathAuthority, type PathScope, touch } from '../../workspace/path-authority'
import { type CallContext, defineTool, type RegisteredTool } from '../define'
import { grepMetadata, incompleteReasons, inOrder, RecordBudget, totalHits } from '../grep-result'

const TIMEOUT_MS = 10_000
const MAX_ENTRIES = 1_000_000
const MAX_LIMIT = 500
const FILE_BYTES = 4 * 1024 * 1024
const TOTAL_BYTES = 4 * 1024 * 1024 * 1024
const OUTPUT_BYTES = 64 * 1024
const LINE_CHARACTERS = 512
const RANKED_HITS_PER_FILE = 5

const Args = z.strictObject({
  patterns: z.array(z.string().min(1)).min(1).max(8),
  paths: z.array(z.string().min(1)).max(64).optional(),
  mode: z.enum(['ranked', 'raw', 'files', 'count']).default('ranked'),
  context: z.number().int().min(0).max(20).default(0),
  limit: z.number().int().min(1).default(50),
  offset: z.number().int().min(0).default(0),
  ignore_case: z.boolean().default(false),
  hidden: z.boolean().default(false),
  ignored: z.boolean().default(false),
})

type Parsed = z.output<typeof Args>

export interface GrepEngines {
  search: SearchEngine
  paths: PathAuthority
  files: FileReader
  snapshots: SnapshotStores
}

/** SEARCH rows of the default toolset: ranked or raw lines, files or counts; rows carry tags that `edit` takes. */
export function grepTool(engines: GrepEngines): RegisteredTool {
  const resolve = (args: Parsed, call: CallContext) =>
    resolveSearchTargets(engines.paths, args.paths?.length ? args.paths : ['.'], call.session, {
      globs: true,
      selectors: true,
    })
  return defineTool({
    name: 'grep',
    title: 'Search',
    description:
      'Searches contents for 1 to 8 regular expressions (any of them), in files, folders or globs. Modes: ranked (definitions ' +
      'first, at most 5 lines a file), raw, files, count. Rows `*LINE:TEXT` under `[path#TAG]` are anchors for `edit`. ' +
      'Example: {"patterns": ["fn run"], "paths": ["src"], "context": 2}',
    args: Args,
    approval: 'never',
    subject: (args) => args.patterns.join(' | '),
    targets: async (args, call) => (await resolve(args, call)).targets.map((target) => touch('read', target.resolved)),
    prepare: async (args) => ({ effect: args }),
    act: async (args, call) => {
      const { targets, missing } = await resolve(args, call)
      if (targets.length === 0) throw new PlumblineError('not_found', `Nothing is found at ${missing.join(', ')}.`)
      const patterns = args.patterns.map((pattern) => compileForgiving(pattern, args.ignore_case))
      const grep = await grepArgs(engines, args, targets, patterns, call.session)
      const outcome = await engines.search.grep(grep, call.signal)
      const adjusted = patterns
        .filter((pattern) => pattern.kind !== 'regex')
        .map(({ pattern, kind }) => ({ pattern, kind }))
      const shown = await show(engines, args, outcome, call)
      const notes = [
        shown.note,
        ...adjusted.map(
          ({ pattern, kind }) =>
            `[${JSON.stringify(pattern)} was taken as ${kind === 'literal' ? 'plain text' : 'a repaired expression'}.]`,
        ),
        ...(missing.length === 0 ? [] : [`[Not found: ${missing.join(', ')}.]`]),
      ]
      const details = { ...shown.details, missing_paths: missing, matchers: adjusted, ...grepMetadata(outcome.report) }
      return { content: [{ type: 'text', text: [...shown.records, ...notes].join('\n') }], details }
    },
  })
}

async function grepArgs(
  engines: GrepEngines,
  args: Parsed,
  targets: readonly SearchTarget[],
  patterns: GrepArgs['patterns'],
  scope: PathScope,
): Promise<GrepArgs> {
  const wanted = args.offset + Math.min(args.limit, MAX_LIMIT)
  const ranked = args.mode === 'ranked'
  return {
    targets: await Promise.all(targets.map((target) => toGrepTarget(engines, args, target, scope))),
    patterns,
    limits: {
      fileBytes: FILE_BYTES,
      totalBytes: TOTAL_BYTES,
      files: Number.POSITIVE_INFINITY,
      hits: args.mode === 'raw' ? wanted + 1 : Number.POSITIVE_INFINITY,
      hitsPerFile: ranked ? RANKED_HITS_PER_FILE : args.mode === 'raw' ? wanted + 1 : 0,
    },
    before: args.context,
    after: args.context,
    lineCharacters: LINE_CHARACTERS,
    ranked,
    filesOnly: args.mode === 'files',
    deadlineAt: Date.now() + TIMEOUT_MS,
  }
}

async function toGrepTarget(
  engines: GrepEngines,
  args: Parsed,
  target: SearchTarget,
  scope: PathScope,
): Promise<GrepTarget> {
  const { resolved, glob, ranges, given } = target
  if (resolved.kind !== 'directory') {
    return {
      kind: 'file',
      absolute: resolved.real,
      display: resolved.display,
      ...(ranges === undefined ? {} : { ranges }),
    }
  }
  const named = given.split('/').includes('node_modules')
  const walk = await engines.search.walkOptions(
    resolved,
    {
      hidden: args.hidden,
      ignoreFiles: !args.ignored && !named,
      outsideGit: true,
      prune: named ? ['.git'] : ['.git', 'node_modules'],
      maxEntries: MAX_ENTRIES,
      timeoutMs: TIMEOUT_MS,
    },
    scope,
  )
  return {
    kind: 'folder',
    walk,
    prefix: displayPrefix(resolved),
    ...(glob === undefined ? {} : { globs: { patterns: [glob], byName: !given.includes('/') } }),
  }
}

async function show(engines: GrepEngines, args: Parsed, outcome: GrepOutcome, call: CallContext) {
  const files = args.mode === 'raw' ? [...outcome.files] : rankFiles(outcome.files)
  if (args.mode === 'files' || args.mode === 'count') return showFiles(args, files, outcome)
  const page = pageOf(files, args.offset, Math.min(args.limit, MAX_LIMIT), args.context, args.context)
  const budget = new RecordBudget(OUTPUT_BYTES)
  const shownFiles: { path: string; tag?: string | undefined; hits: number; omitted: number; lines: number[] }[] = []
  let hits = 0
  const records = inOrder(page, (part) =>
    args.mode === 'raw' ? Promise.resolve({ text: rawRows(part) }) : taggedRows(engines, part, call),
  )
  for await (const [part, record] of records) {
    if (!budget.add(record.text)) break
    hits += part.hits
    shownFiles.push({
      path: part.file.path,
      ...('tag' in record && typeof record.tag === 'string' ? { tag: record.tag } : {}),
      hits: part.hits,
      omitted: part.file.hits - part.file.kept,
      lines: part.rows.filter((row) => row.hit).map((row) => row.line),
    })
  }
  const note = linesNote(args, outcome, hits, shownFiles.length < page.length)
  const details = {
    mode: args.mode,
    files: shownFiles,
    returned: hits,
    total_matched: totalHits(outcome),
    matched_files: outcome.files.length,
  }
  return { records: budget.records, note, details }
}

function linesNote(args: Parsed, outcome: GrepOutcome, shown: number, cut: boolean): string {
  const { report, files } = outcome
  const total = totalHits(outcome)
  const reachable = files.reduce((sum, file) => sum + file.kept, 0)
  const next = args.offset + shown
  const more = next < reachable || cut ? ` Next page: offset ${next}.` : ''
  const reasons = incompleteReasons(report)
  const incomplete = reasons.length === 0 ? '' : ` The search is not complete: ${reasons.join(', ')}.`
  if (total === 0) return `[No line matches.${incomplete}]`
  const omitted =
    total - reachable > 0 && args.mode === 'ranked'
      ? ` ${total - reachable} more lines in these files are left out; mode raw shows all.`
      : ''
  const known = report.stoppedEarly || reasons.length > 0 ? `at least ${total}` : String(total)
  return `[${shown} of ${known} matching lines in ${files.length} files shown.${omitted}${more}${incomplete}]`
}

function showFiles(args: Parsed, files: readonly FileMatches[], outcome: GrepOutcome) {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1))
  const page = sorted.slice(args.offset, args.offset + Math.min(args.limit, MAX_LIMIT))
  const budget = new RecordBudget(OUTPUT_BYTES)
  let shown = 0
  for (const file of page) {
    if (!budget.add(args.mode === 'count' ? `${file.path}:${file.hits}` : file.path)) break
    shown += 1
  }
  const next = args.offset + shown
  const reasons = incompleteReasons(outcome.report)
  const more = next < sorted.length ? ` Next page: offset ${next}.` : ''
  const incomplete = reasons.length === 0 ? '' : ` The search is not complete: ${reasons.join(', ')}.`
  const lines = args.mode === 'count' ? `, ${totalHits(outcome)} matching lines` : ''
  const note =
    sorted.length === 0
      ? `[No file matches.${incomplete}]`
      : `[${shown} of ${sorted.length} files shown${lines}.${more}${incomplete}]`
  const details = {
    mode: args.mode,
    files: page.slice(0, shown).map((file) => ({ path: file.path, hits: file.hits })),
    returned: shown,
    total_matched: args.mode === 'count' ? totalHits(outcome) : sorted.length,
    matched_files: sorted.length,
  }
  return { records: budget.records, note, details }
}

function taggedRows(engines: GrepEngines, part: PageFile, call: CallContext) {
  const { absolute, path, invalidUtf8 } = part.file
  const found = { absolute, display: path, invalidUtf8, rows: part.rows }
  return printRows(engines, engines.snapshots.of(call.session.id), found, call.session, call.signal)
}

function rawRows(part: PageFile): string {
  return part.rows
    .map(
      (row) =>
        `${part.file.path}${row.hit ? ':' : '-'}${row.line}${row.hit ? ':' : '-'}${row.text}${row.cut > 0 ? ` … (${row.cut} more characters)` : ''}`,
    )
    .join('\n')
}
