import { z } from 'zod'
import { PlumblineError } from '../../platform/errors'
import type { SearchEngine } from '../../search/search-engine'
import { splitGlob } from '../../search/search-engine'
import { type PathAuthority, touch } from '../../workspace/path-authority'
import { type CallContext, defineTool, type RegisteredTool } from '../define'
import { findPage, scanComplete, walkMetadata } from '../find-result'

const TIMEOUT_MS = 30_000
const MAX_ENTRIES = 100_000
const MAX_PATHS = 10_000

/** FIND rows of the o4 contract: paths by glob, 10,000 at most. */
export function globTool(engines: { search: SearchEngine; paths: PathAuthority }): RegisteredTool {
  const resolve = async (pattern: string, call: CallContext) => {
    const literal = await engines.paths.resolve(pattern, call.session)
    if (literal.kind === 'file') return { literal, folder: undefined, glob: '' }
    const split = await splitGlob(pattern, (part) => engines.paths.absolute(part, call.session.cwd))
    return { literal: undefined, folder: await engines.paths.resolve(split.base, call.session), glob: split.glob }
  }
  return defineTool({
    name: 'glob',
    title: 'Find files',
    description: 'Finds files by glob pattern. Example: {"pattern": "**/*.rs"}',
    args: z.object({ pattern: z.string().trim().min(1).max(4096) }),
    approval: 'never',
    subject: (args) => args.pattern,
    targets: async (args, call) => {
      const { literal, folder } = await resolve(args.pattern, call)
      return [literal ?? folder].flatMap((path) => (path === undefined ? [] : [touch('read', path)]))
    },
    prepare: async (args) => ({ effect: args }),
    act: async (args, call) => {
      const { literal, folder, glob } = await resolve(args.pattern, call)
      if (literal !== undefined) {
        return {
          content: [{ type: 'text', text: literal.display }],
          details: { paths: [literal.display], total_matched: 1, truncated: false },
        }
      }
      if (glob.split('/').includes('..'))
        throw new PlumblineError('invalid_arguments', 'The pattern goes up after its first wildcard.')
      const named = args.pattern.split('/').includes('node_modules')
      const walk = await engines.search.walkOptions(
        folder,
        {
          hidden: /(^|\/)\.[^./]/.test(glob),
          ignoreFiles: !named,
          outsideGit: true,
          prune: named ? ['.git'] : ['.git', 'node_modules'],
          maxEntries: MAX_ENTRIES,
          timeoutMs: TIMEOUT_MS,
        },
        call.session,
      )
      const match = { type: 'globs', globs: [glob === '' ? '**' : glob], nameOnly: false } as const
      const found = await engines.search.find({ walk, kind: 'files', match, keep: MAX_PATHS }, call.signal)
      const page = findPage(found, folder, { offset: 0, limit: MAX_PATHS })
      const complete = scanComplete(found)
      const note =
        found.total === 0
          ? `No files found.${complete ? '' : ' The scan is not complete.'}`
          : complete && found.total <= MAX_PATHS
            ? `[${found.total} files, all shown.]`
            : `[${page.paths.length} of ${complete ? found.total : `at least ${found.total}`} files shown. Narrow the pattern.]`
      return {
        content: [{ type: 'text', text: [...page.paths, note].join('\n') }],
        details: { paths: page.paths, ...page.metadata, ...walkMetadata(found) },
      }
    },
  })
}
