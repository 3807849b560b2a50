import { z } from 'zod'
import { PlumblineError } from '../../platform/errors'
import type { SearchEngine } from '../../search/search-engine'
import { type PathAuthority, touch } from '../../workspace/path-authority'
import { type CallContext, defineTool, type RegisteredTool } from '../define'
import { findPage, walkMetadata } from '../find-result'

/** Longest scan, in milliseconds, and most entries it visits, the root included. */
const TIMEOUT_MS = 10_000
const MAX_ENTRIES = 100_000
const MAX_LIMIT = 200

const Args = z.strictObject({
  query: z.string().trim().min(1).max(512),
  kind: z.enum(['files', 'directories', 'mixed']).default('files'),
  path: z.string().optional(),
  limit: z.number().int().min(1).default(50),
  offset: z.number().int().min(0).default(0),
})

/** FIND rows of the magi contract: fuzzy paths, paged, honest about partial scans. */
export function findTool(engines: { search: SearchEngine; paths: PathAuthority }): RegisteredTool {
  const folder = (args: z.output<typeof Args>, call: CallContext) =>
    engines.paths.resolve(args.path ?? '.', call.session, { relativeMayEscape: false })
  return defineTool({
    name: 'find',
    title: 'Find',
    description:
      'Finds paths by fuzzy query, without reading contents. `kind`: files, directories or mixed. ' +
      'Example: {"query": "lib", "kind": "mixed", "path": "src", "limit": 20, "offset": 0}',
    args: Args,
    approval: 'never',
    subject: (args) => args.query,
    targets: async (args, call) => [touch('read', await folder(args, call))],
    prepare: async (args) => ({ effect: args }),
    act: async (args, call) => {
      const resolved = await folder(args, call)
      if (resolved.kind !== 'directory') {
        throw new PlumblineError('not_a_directory', `${resolved.display} is not an existing directory.`)
      }
      const walk = await engines.search.walkOptions(
        resolved,
        {
          hidden: false,
          ignoreFiles: true,
          outsideGit: false,
          prune: ['.git'],
          maxEntries: MAX_ENTRIES,
          timeoutMs: TIMEOUT_MS,
        },
        call.session,
      )
      const limit = Math.min(args.limit, MAX_LIMIT)
      const match = { type: 'fuzzy', query: args.query } as const
      const found = await engines.search.find(
        { walk, kind: args.kind, match, keep: args.offset + limit },
        call.signal,
        (soFar) => call.progress(`${soFar.total} matches, ${soFar.report.entriesScanned} entries\n`),
      )
      const page = findPage(found, resolved, { offset: args.offset, limit })
      const metadata = { ...page.metadata, ...walkMetadata(found) }
      const text = [...page.paths, JSON.stringify(metadata)].join('\n')
      return { content: [{ type: 'text', text }], details: { paths: page.paths, ...metadata } }
    },
  })
}
