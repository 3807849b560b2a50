import { z } from 'zod'
import { PlumblineError } from '../../platform/errors'
import type { FileMatches, GrepArgs, GrepTarget } from '../../search/grep-types'
import { compilePattern } from '../../search/regex-dialect'
import type { GrepOutcome, SearchEngine } from '../../search/search-engine'
import { displayPrefix } from '../../search/search-targets'
import { type PathAuthority, type PathScope, type ResolvedPath, touch } from '../../workspace/path-authority'
import { type CallContext, defineTool, type RegisteredTool } from '../define'
import { grepMetadata, incompleteReasons, totalHits } from '../grep-result'

const TIMEOUT_MS = 30_000
const MAX_LINES = 200
const FILE_BYTES = 1024 * 1024
const MAX_ENTRIES = 1_000_000
const LINE_CHARACTERS = 2000

const Args = z.object({
  pattern: z.string().min(1),
  path: z.string().min(1).optional(),
  glob: z.string().min(1).max(1024).optional(),
  case_insensitive: z.boolean().default(false),
  context: z.number().int().min(0).max(100).default(0),
  output_mode: z.enum(['content', 'files_with_matches', 'count']).default('content'),
})

type Parsed = z.output<typeof Args>

/** SEARCH rows of the o4 contract: one expression, three output modes, 200 lines. */
export function grepTool(engines: { search: SearchEngine; paths: PathAuthority }): RegisteredTool {
  const resolve = (args: Parsed, call: CallContext) => engines.paths.resolve(args.path ?? '.', call.session)
  return defineTool({
    name: 'grep',
    title: 'Search',
    description:
      'Searches file contents with a regular expression. `output_mode`: content, files_with_matches or count. ' +
      'Example: {"pattern": "fn \\\\w+", "path": "src", "glob": "*.rs", "context": 2}',
    args: Args,
    approval: 'never',
    subject: (args) => args.pattern,
    targets: async (args, call) => [touch('read', await resolve(args, call))],
    prepare: async (args) => ({ effect: args }),
    act: async (args, call) => {
      const resolved = await resolve(args, call)
      if (!resolved.exists) throw new PlumblineError('not_found', `${resolved.display} does not exist.`)
      const outcome = await engines.search.grep(
        await grepArgs(engines.search, args, resolved, call.session),
        call.signal,
      )
      const { rows, omitted } = render(args, outcome)
      const notes = [...rows, ...noteOf(outcome, rows.length, omitted)]
      const details = {
        mode: args.output_mode,
        files: outcome.files.map((file) => ({ path: file.path, hits: file.hits })),
        returned_lines: rows.length,
        total_matched: totalHits(outcome),
        truncated: omitted || outcome.report.stoppedEarly,
        ...grepMetadata(outcome.report),
      }
      return { content: [{ type: 'text', text: notes.join('\n') }], details }
    },
  })
}

async function grepArgs(
  search: SearchEngine,
  args: Parsed,
  resolved: ResolvedPath,
  scope: PathScope,
): Promise<GrepArgs> {
  const lines = args.output_mode === 'content'
  return {
    targets: [await targetOf(search, args, resolved, scope)],
    patterns: [compilePattern(args.pattern, args.case_insensitive)],
    limits: {
      fileBytes: FILE_BYTES,
      totalBytes: Number.POSITIVE_INFINITY,
      files: Number.POSITIVE_INFINITY,
      hits: lines ? MAX_LINES + 1 : Number.POSITIVE_INFINITY,
      hitsPerFile: lines ? MAX_LINES + 1 : 0,
    },
    before: args.context,
    after: args.context,
    lineCharacters: LINE_CHARACTERS,
    ranked: false,
    filesOnly: args.output_mode === 'files_with_matches',
    deadlineAt: Date.now() + TIMEOUT_MS,
  }
}

async function targetOf(
  search: SearchEngine,
  args: Parsed,
  resolved: ResolvedPath,
  scope: PathScope,
): Promise<GrepTarget> {
  if (resolved.kind !== 'directory') return { kind: 'file', absolute: resolved.real, display: resolved.display }
  const walk = await search.walkOptions(
    resolved,
    {
      hidden: false,
      ignoreFiles: true,
      outsideGit: true,
      prune: ['.git', 'node_modules'],
      maxEntries: MAX_ENTRIES,
      timeoutMs: TIMEOUT_MS,
    },
    scope,
  )
  const prefix = displayPrefix(resolved)
  return {
    kind: 'folder',
    walk,
    prefix,
    ...(args.glob === undefined ? {} : { globs: { patterns: [args.glob], byName: true } }),
  }
}

function render(args: Parsed, outcome: GrepOutcome): { rows: string[]; omitted: boolean } {
  const rows = outcome.files.flatMap((file) => rowsOf(args, file))
  if (args.output_mode === 'content' && args.context > 0 && rows[0] === '--') rows.shift()
  return { rows: rows.slice(0, MAX_LINES), omitted: rows.length > MAX_LINES }
}

function rowsOf(args: Parsed, file: FileMatches): string[] {
  if (args.output_mode === 'files_with_matches') return [file.path]
  if (args.output_mode === 'count') return [`${file.path}:${file.hits}`]
  const rows: string[] = []
  let last: number | undefined
  for (const row of file.rows) {
    if (args.context > 0 && (last === undefined || row.line !== last + 1)) rows.push('--')
    last = row.line
    const mark = row.hit ? ':' : '-'
    const cut = row.cut > 0 ? ` … (${row.cut} more characters)` : ''
    rows.push(`${file.path}${mark}${row.line}${mark}${row.text}${cut}`)
  }
  return rows
}

function noteOf(outcome: GrepOutcome, shown: number, omitted: boolean): string[] {
  const reasons = incompleteReasons(outcome.report)
  const incomplete = reasons.length === 0 ? '' : ` The search is not complete: ${reasons.join(', ')}.`
  if (shown === 0) return [`No matches found.${incomplete}`]
  if (omitted || outcome.report.stoppedEarly) {
    return [`[Output stops at ${MAX_LINES} lines; there are more. Narrow the pattern, path or glob.${incomplete}]`]
  }
  const total = totalHits(outcome)
  return [`[${shown} lines shown, ${total} matches in ${outcome.files.length} files.${incomplete}]`]
}
