import { z } from 'zod'
import { PlumblineError } from '../../platform/errors'
import type { GrepArgs, GrepTarget } from '../../search/grep-types'
import { type PageFile, pageOf, rankFiles } from '../../search/rank'
import { compileForgiving } from '../../search/regex-dialect'
import type { GrepOutcome, SearchEngine } from '../../search/search-engine'
import { displayPrefix, resolveSearchTargets, type SearchTarget } from '../../search/search-targets'
import { type PathAuthority, type PathScope, touch } from '../../workspace/path-authority'
import { type CallContext, defineTool, type RegisteredTool } from '../define'
import { grepMetadata, incompleteReasons, RecordBudget, totalHits } from '../grep-result'

const TIMEOUT_MS = 10_000
const MAX_FILES = 10_000
const MAX_ENTRIES = 1_000_000
const FILE_BYTES = 4 * 1024 * 1024
const TOTAL_BYTES = 128 * 1024 * 1024
const OUTPUT_BYTES = 65_536
const LINE_CHARACTERS = 512
const RANKED_HITS_PER_FILE = 5
const DEFAULT_LIMIT = 50
const MAX_LIMIT = 500
const MAX_CONTEXT = 20

/** Room in the output for the line of metadata, in bytes. */
const METADATA_BYTES = 2048

const Args = z.strictObject({
  patterns: z.array(z.string().min(1)).min(1).max(8),
  path: z.string().min(1).optional(),
  mode: z.enum(['ranked', 'raw']).default('ranked'),
  limit: z.number().int().min(1).default(DEFAULT_LIMIT),
  offset: z.number().int().min(0).default(0),
  context: z.number().int().min(0).default(0),
})

type Parsed = z.output<typeof Args>

/** SEARCH rows of the magi contract: OR patterns, `grouped_v1` or raw rows, pages of matching lines, honest metadata. */
export function grepTool(engines: { search: SearchEngine; paths: PathAuthority }): RegisteredTool {
  const resolve = async (args: Parsed, call: CallContext): Promise<SearchTarget> => {
    const options = { globs: false, selectors: true, relativeMayEscape: false }
    const { targets, missing } = await resolveSearchTargets(engines.paths, [args.path ?? '.'], call.session, options)
    const [target] = targets
    if (target === undefined) throw new PlumblineError('not_found', `${missing.join(', ')} does not exist.`)
    return target
  }
  return defineTool({
    name: 'grep',
    title: 'Search',
    description:
      'Searches contents for 1 to 8 case-sensitive regular expressions (any of them). Ranked groups by file, raw lists ' +
      '`path:line:content`. Example: {"patterns": ["fn run"], "path": "src", "limit": 20, "context": 2}',
    args: Args,
    approval: 'never',
    subject: (args) => args.patterns.join(' | '),
    targets: async (args, call) => [touch('read', (await resolve(args, call)).resolved)],
    prepare: async (args) => ({ effect: args }),
    act: async (given, call) => {
      const target = await resolve(given, call)
      const args = { ...given, limit: Math.min(given.limit, MAX_LIMIT), context: Math.min(given.context, MAX_CONTEXT) }
      const patterns = args.patterns.map((pattern) => compileForgiving(pattern, false))
      const outcome = await engines.search.grep(
        await grepArgs(engines.search, args, target, patterns, call.session),
        call.signal,
      )
      const files = args.mode === 'ranked' ? rankFiles(outcome.files) : outcome.files
      const page = pageOf(files, args.offset, args.limit, args.context, args.context)
      const budget = new RecordBudget(OUTPUT_BYTES - METADATA_BYTES)
      const shown = takeRecords(page, args.mode, budget)
      const matchers = patterns
        .filter((pattern) => pattern.kind !== 'regex')
        .map(({ pattern, kind }) => ({ pattern, matcher: kind }))
      const metadata = {
        ...pageMetadata(args, outcome, shown),
        matcher_adjustments: matchers,
        ...grepMetadata(outcome.report),
      }
      return {
        content: [{ type: 'text', text: [...budget.records, JSON.stringify(metadata)].join('\n') }],
        details: { ...metadata, per_file: perFile(page.slice(0, shown.files)) },
      }
    },
  })
}

async function grepArgs(
  search: SearchEngine,
  args: Parsed,
  target: SearchTarget,
  patterns: GrepArgs['patterns'],
  scope: PathScope,
): Promise<GrepArgs> {
  const wanted = args.offset + args.limit + 1
  const ranked = args.mode === 'ranked'
  return {
    targets: [await targetOf(search, target, scope)],
    patterns,
    limits: {
      fileBytes: FILE_BYTES,
      totalBytes: TOTAL_BYTES,
      files: MAX_FILES,
      hits: ranked ? Number.POSITIVE_INFINITY : wanted,
      hitsPerFile: ranked ? RANKED_HITS_PER_FILE : wanted,
    },
    before: args.context,
    after: args.context,
    lineCharacters: LINE_CHARACTERS,
    ranked,
    filesOnly: false,
    deadlineAt: Date.now() + TIMEOUT_MS,
  }
}

async function targetOf(search: SearchEngine, target: SearchTarget, scope: PathScope): Promise<GrepTarget> {
  const { resolved, ranges } = target
  if (resolved.kind !== 'directory') {
    return {
      kind: 'file',
      absolute: resolved.real,
      display: resolved.display,
      ...(ranges === undefined ? {} : { ranges }),
    }
  }
  const walk = await search.walkOptions(
    resolved,
    {
      hidden: false,
      ignoreFiles: true,
      outsideGit: false,
      prune: ['.git', 'target'],
      maxEntries: MAX_ENTRIES,
      timeoutMs: TIMEOUT_MS,
    },
    scope,
  )
  return { kind: 'folder', walk, prefix: displayPrefix(resolved) }
}

/** `grouped_v1`: a path, then rows `LINE:[label] text` for matches and `LINE- text` for context. Raw: flat rows. */
function takeRecords(
  page: readonly PageFile[],
  mode: Parsed['mode'],
  budget: RecordBudget,
): { files: number; hits: number } {
  let hits = 0
  let files = 0
  for (const { file, rows } of page) {
    if (mode === 'ranked' && !budget.add(file.path)) return { files, hits }
    files += 1
    for (const row of rows) {
      const text = row.cut > 0 ? `${row.text} … (${row.cut} more characters)` : row.text
      const raw = row.hit ? `${file.path}:${row.line}:${text}` : `${file.path}-${row.line}-${text}`
      const grouped = row.hit ? `${row.line}:[${row.label ?? 'match'}] ${text}` : `${row.line}- ${text}`
      if (!budget.add(mode === 'ranked' ? grouped : raw)) return { files, hits }
      if (row.hit) hits += 1
    }
  }
  return { files, hits }
}

function pageMetadata(args: Parsed, outcome: GrepOutcome, shown: { files: number; hits: number }) {
  const reachable = outcome.files.reduce((sum, file) => sum + file.kept, 0)
  const next = args.offset + shown.hits
  const total = totalHits(outcome)
  const reasons = incompleteReasons(outcome.report)
  const hasMore = next < reachable
  const omitted = args.mode === 'ranked' ? total - reachable : 0
  return {
    format: args.mode === 'ranked' ? 'grouped_v1' : 'raw',
    returned: shown.hits,
    offset: args.offset,
    total_matched: total,
    total_matched_exact: reasons.length === 0 && !outcome.report.stoppedEarly,
    matched_files: outcome.files.length,
    has_more: hasMore,
    ...(hasMore ? { next_offset: next } : {}),
    omitted_by_per_file_limit: omitted,
    truncated: hasMore || omitted > 0 || reasons.length > 0,
    truncation_reasons: [...(hasMore ? ['page'] : []), ...(omitted > 0 ? ['per-file limit'] : []), ...reasons],
  }
}

function perFile(page: readonly PageFile[]) {
  return page.map(({ file, hits }) => ({
    path: file.path,
    returned: hits,
    matched: file.hits,
    omitted: file.hits - file.kept,
  }))
}
