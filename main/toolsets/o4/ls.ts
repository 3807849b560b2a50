import { z } from 'zod'
import type { SearchEngine } from '../../search/search-engine'
import { type PathAuthority, touch } from '../../workspace/path-authority'
import { defineTool, type RegisteredTool } from '../define'

const MAX_ENTRIES = 10_000

/** FIND-20 in the o4 contract: the entries of a folder with their type. */
export function lsTool(engines: { search: SearchEngine; paths: PathAuthority }): RegisteredTool {
  return defineTool({
    name: 'ls',
    title: 'List',
    description: 'Lists a directory\'s entries with their type. Example: {"path": "/project/src"}',
    args: z.object({ path: z.string().min(1) }),
    approval: 'never',
    subject: (args) => args.path,
    targets: async (args, call) => [touch('read', await engines.paths.resolve(args.path, call.session))],
    prepare: async (args) => ({ effect: args }),
    act: async (args, call) => {
      const resolved = await engines.paths.resolve(args.path, call.session)
      const { entries, more } = await engines.search.list(resolved, MAX_ENTRIES, call.signal)
      const rows = entries.map((entry) => `${entry.kind === 'link' ? 'symlink' : entry.kind}  ${entry.name}`)
      const note = more
        ? `[The first ${MAX_ENTRIES} entries; there are more, and their number is not known.]`
        : `[${entries.length} entries, all shown.]`
      return {
        content: [{ type: 'text', text: [...rows, note].join('\n') }],
        details: { path: resolved.display, entries, total: more ? null : entries.length, truncated: more },
      }
    },
  })
}
