import { z } from 'zod'
import type { SnapshotStores } from '../../editing/snapshots'
import { PlumblineError } from '../../platform/errors'
import type { FileReader } from '../../reading/file-reader'
import type { FileMatches, GrepArgs, GrepTarget } from '../../search/grep-types'
import { compilePattern } from '../../search/regex-dialect'
import type { GrepOutcome, SearchEngine } from '../../search/search-engine'
import { displayPrefix, type SearchTarget } from '../../search/search-targets'
import { printRows } from '../../search/tag-rows'
import { type PathAuthority, type PathScope, touch } from '../../workspace/path-authority'
import { type CallContext, defineTool, type RegisteredTool } from '../define'
import { grepMetadata, incompleteReasons, inOrder, totalHits } from '../grep-result'
import { atomicPaths } from './search-paths'

const TIMEOUT_MS = 30_000
const MAX_ENTRIES = 1_000_000
const FILE_BYTES = 4 * 1024 * 1024
const LINE_CHARACTERS = 512
const FILES_PER_PAGE = 20
const HITS_PER_FILE = 20
const HITS_IN_SINGLE_FILE = 200

/** Matching lines after which collecting ends and a narrower question is asked for. */
const COLLECTION_CEILING = 20_000

const Args = z.object({
  pattern: z.string().min(1),
  paths: z.union([z.string(), z.array(z.string())]).optional(),
  i: z.boolean().optional(),
  case: z.boolean().optional(),
  gitignore: z.boolean().default(true),
  skip: z.number().int().min(0).default(0),
})

type Parsed = z.output<typeof Args>

export interface SearchToolEngines {
  search: SearchEngine
  paths: PathAuthority
  files: FileReader
  snapshots: SnapshotStores
  /** `search.contextBefore` and `search.contextAfter` of the settings; 1 and 3 by default. */
  context?(): { before: number; after: number }
}

/** SEARCH rows of the atomic contract: pages of files, rows that mint tags, one line of context before and three after. */
export function searchTool(engines: SearchToolEngines): RegisteredTool {
  const resolve = (args: Parsed, call: CallContext) => atomicPaths(engines.paths, args.paths, call.session)
  return defineTool({
    name: 'search',
    title: 'Search',
    description:
      'Searches file contents with a regular expression, in files, folders and globs; the workspace by default. Rows ' +
      '`*LINE:` are matches under `[path#TAG]`, anchors for `edit`. Example: {"pattern": "TODO", "paths": ["src"], "i": true}',
    args: Args,
    approval: 'never',
    subject: (args) => args.pattern,
    targets: async (args, call) => (await resolve(args, call)).targets.map((target) => touch('read', target.resolved)),
    prepare: async (args) => ({ effect: args }),
    act: async (args, call) => {
      const { targets, missing } = await resolve(args, call)
      if (targets.length === 0) throw new PlumblineError('not_found', `Path not found: ${missing.join(', ')}`)
      const single = targets.length === 1 && targets[0]?.resolved.kind === 'file'
      const outcome = await engines.search.grep(
        await grepArgs(engines, args, targets, single, call.session),
        call.signal,
      )
      const page = single ? outcome.files : outcome.files.slice(args.skip, args.skip + FILES_PER_PAGE)
      const sections: string[] = []
      for await (const [, printed] of inOrder(page, (file) => print(engines, file, call))) sections.push(printed.text)
      const more = !single && outcome.files.length > args.skip + page.length
      const text = [sections.join('\n\n'), ...notes(args, outcome, page, more, missing)]
        .filter((part) => part !== '')
        .join('\n')
      const details = {
        scopePath: targets.length === 1 ? (targets[0]?.resolved.display ?? '.') : '.',
        matchCount: totalHits(outcome),
        fileCount: outcome.files.length,
        files: page.map((file) => file.path),
        fileMatches: page.map((file) => ({ path: file.path, count: file.hits, shown: file.kept })),
        missingPaths: missing,
        fileLimitReached: more,
        ...(more ? { meta: { limits: { fileLimit: FILES_PER_PAGE } } } : {}),
        ...grepMetadata(outcome.report),
      }
      return { content: [{ type: 'text', text }], details }
    },
  })
}

async function grepArgs(
  engines: SearchToolEngines,
  args: Parsed,
  targets: readonly SearchTarget[],
  single: boolean,
  scope: PathScope,
): Promise<GrepArgs> {
  const { before, after } = engines.context?.() ?? { before: 1, after: 3 }
  return {
    targets: await Promise.all(targets.map((target) => targetOf(engines.search, args, target, scope))),
    patterns: [compilePattern(args.pattern, args.i === true || args.case === false)],
    limits: {
      fileBytes: FILE_BYTES,
      totalBytes: Number.POSITIVE_INFINITY,
      files: Number.POSITIVE_INFINITY,
      hits: COLLECTION_CEILING,
      hitsPerFile: single ? HITS_IN_SINGLE_FILE : HITS_PER_FILE,
    },
    before,
    after,
    lineCharacters: LINE_CHARACTERS,
    ranked: false,
    filesOnly: false,
    deadlineAt: Date.now() + TIMEOUT_MS,
  }
}

async function targetOf(
  search: SearchEngine,
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
  const walk = await search.walkOptions(
    resolved,
    {
      hidden: true,
      ignoreFiles: args.gitignore && !named,
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

function print(engines: SearchToolEngines, file: FileMatches, call: CallContext) {
  const { absolute, path, rows, invalidUtf8 } = file
  const found = { absolute, display: path, rows, invalidUtf8 }
  return printRows(engines, engines.snapshots.of(call.session.id), found, call.session, call.signal)
}

function notes(
  args: Parsed,
  outcome: GrepOutcome,
  page: readonly FileMatches[],
  more: boolean,
  missing: readonly string[],
): string[] {
  const lines: string[] = []
  const { report } = outcome
  const total = totalHits(outcome)
  if (total === 0) lines.push('No matches found')
  else {
    const shown = page.reduce((sum, file) => sum + file.kept, 0)
    const known = report.stoppedEarly ? `at least ${total}` : String(total)
    lines.push(`[${shown} of ${known} matches shown, ${page.length} of ${outcome.files.length} files.]`)
  }
  if (more) lines.push(`[More files match. Next page: skip=${args.skip + page.length}.]`)
  if (report.stoppedEarly) lines.push('[Collecting stopped at its ceiling. Refine the pattern or the paths.]')
  const reasons = incompleteReasons(report)
  if (reasons.length > 0) lines.push(`[The search is not complete: ${reasons.join(', ')}.]`)
  if (missing.length > 0) lines.push(`[Not found: ${missing.join(', ')}]`)
  return lines
}
