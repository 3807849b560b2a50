import { z } from 'zod'
import { PlumblineError } from '../../platform/errors'
import type { FindOutcome, SearchEngine } from '../../search/search-engine'
import { splitGlob } from '../../search/search-engine'
import { type PathAuthority, type ResolvedPath, touch } from '../../workspace/path-authority'
import { type CallContext, defineTool, type RegisteredTool } from '../define'
import { findPage, scanComplete, walkMetadata } from '../find-result'

/** Longest scan, in milliseconds, and most entries it visits, the root included. */
const TIMEOUT_MS = 10_000
const MAX_ENTRIES = 100_000
const MAX_LIMIT = 200

const Args = z
  .strictObject({
    query: z.string().trim().min(1).max(512).optional(),
    globs: z.array(z.string().trim().min(1).max(1024)).min(1).max(16).optional(),
    path: z.string().optional(),
    kind: z.enum(['files', 'directories', 'mixed']).default('files'),
    limit: z.number().int().min(1).default(50),
    offset: z.number().int().min(0).default(0),
    hidden: z.boolean().default(false),
    ignored: z.boolean().default(false),
  })
  .refine((args) => (args.query === undefined) !== (args.globs === undefined), {
    message: 'give exactly one of query and globs',
  })

type Parsed = z.output<typeof Args>

/** Paths by fuzzy query or globs in the default toolset (FIND rows): one page, with what is known of the rest. */
export function findTool(engines: { search: SearchEngine; paths: PathAuthority }): RegisteredTool {
  const folder = (args: Parsed, call: CallContext) => engines.paths.resolve(args.path ?? '.', call.session)
  return defineTool({
    name: 'find',
    title: 'Find',
    description:
      'Finds paths by fuzzy `query` or by `globs`, best first, without reading contents. `kind`: files, directories, mixed. ' +
      'Ignored and hidden paths only with `ignored` and `hidden`. Example: {"globs": ["src/**/*.ts"], "limit": 50}',
    args: Args,
    approval: 'never',
    subject: (args) => args.query ?? (args.globs ?? []).join(', '),
    targets: async (args, call) => [touch('read', await folder(args, call))],
    prepare: async (args) => ({ effect: args }),
    act: async (args, call) => {
      const resolved = await folder(args, call)
      if (resolved.kind !== 'directory') {
        throw new PlumblineError('not_a_directory', `${resolved.display} is not an existing folder.`)
      }
      const found = await scan(engines, args, resolved, call)
      const { paths, metadata } = findPage(found, resolved, {
        offset: args.offset,
        limit: Math.min(args.limit, MAX_LIMIT),
      })
      const note = describe(found, args, paths.length)
      const details = { paths, ...metadata, ...walkMetadata(found) }
      return { content: [{ type: 'text', text: [...paths, note].join('\n') }], details }
    },
  })
}

async function scan(
  engines: { search: SearchEngine; paths: PathAuthority },
  args: Parsed,
  folder: ResolvedPath,
  call: CallContext,
): Promise<FindOutcome> {
  const named = args.globs?.some((glob) => glob.split('/').includes('node_modules')) ?? false
  const walk = await engines.search.walkOptions(
    folder,
    {
      hidden: args.hidden || (args.globs?.some((glob) => /(^|\/)\./.test(glob.replace(/^\.\//, ''))) ?? false),
      ignoreFiles: !args.ignored && !named,
      outsideGit: true,
      prune: named ? ['.git'] : ['.git', 'node_modules'],
      maxEntries: MAX_ENTRIES,
      timeoutMs: TIMEOUT_MS,
    },
    call.session,
  )
  const match =
    args.query === undefined
      ? ({
          type: 'globs',
          globs: await literalBases(args.globs ?? [], engines.paths, folder),
          nameOnly: false,
        } as const)
      : ({ type: 'fuzzy', query: args.query } as const)
  return engines.search.find(
    { walk, kind: args.kind, match, keep: args.offset + Math.min(args.limit, MAX_LIMIT) },
    call.signal,
    (soFar) => call.progress(`${soFar.total} matches, ${soFar.report.entriesScanned} entries\n`),
  )
}

/** Folders that exist as they are written lose their meaning as globs: `app/[id]/*.tsx` finds what is in `[id]`. */
async function literalBases(globs: readonly string[], paths: PathAuthority, folder: ResolvedPath): Promise<string[]> {
  return Promise.all(
    globs.map(async (text) => {
      const glob = text.replace(/^\.\//, '')
      const split = await splitGlob(glob, (part) => paths.absolute(part, folder.real))
      const inFolder = paths.absolute(glob, folder.real)
      const literal = await paths
        .inspect(inFolder, { cwd: folder.real, roots: [folder.real], narrowed: true })
        .then((found) => found.exists)
      if (literal) return escapeGlob(glob)
      return split.base === '.' ? split.glob : `${escapeGlob(split.base)}/${split.glob}`
    }),
  )
}

function escapeGlob(text: string): string {
  return text.replace(/[\\*?[\]{}()!@+|]/g, '\\$&')
}

function describe(found: FindOutcome, args: Parsed, shown: number): string {
  const what = args.kind === 'mixed' ? 'paths' : args.kind
  if (scanComplete(found)) {
    if (found.total === 0) return `[No ${what} match.]`
    if (args.offset >= found.total) return `[Offset ${args.offset} is beyond the ${found.total} ${what} that match.]`
    const next = args.offset + shown
    const more = next < found.total ? ` Next page: offset ${next}.` : ''
    return `[${args.offset + 1}-${next} of ${found.total} ${what} shown.${more}]`
  }
  const why = found.timedOut
    ? 'time limit'
    : found.report.entryLimitReached
      ? 'entry limit'
      : 'folders that could not be read'
  return `[${shown} shown of at least ${found.total} ${what}; the scan is not complete (${why}). Narrow \`path\`.]`
}
