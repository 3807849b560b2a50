import { z } from 'zod'
import type { SearchEngine } from '../../search/search-engine'
import { displayPrefix } from '../../search/search-targets'
import { type PathAuthority, touch } from '../../workspace/path-authority'
import { type CallContext, defineTool, type RegisteredTool } from '../define'

/** Entries listed at most. */
const MAX_ENTRIES = 10_000

/** FIND-20: the direct children of a folder, raw; also the `list_files` of the default toolset, where paths reach further. */
export function listFilesTool(
  engines: { search: SearchEngine; paths: PathAuthority },
  options: { relativeMayEscape: boolean } = { relativeMayEscape: false },
): RegisteredTool {
  const folder = (args: { path?: string | undefined }, call: CallContext) =>
    engines.paths.resolve(args.path ?? '.', call.session, options)
  return defineTool({
    name: 'list_files',
    title: 'List files',
    description:
      'Lists the direct children of a folder, folders with a trailing `/`; ignore files are not honoured. Example: {"path": "src"}',
    args: z.strictObject({ path: z.string().min(1).optional() }),
    approval: 'never',
    subject: (args) => args.path ?? '.',
    targets: async (args, call) => [touch('read', await folder(args, call))],
    prepare: async (args) => ({ effect: args }),
    act: async (args, call) => {
      const resolved = await folder(args, call)
      const { entries, more } = await engines.search.list(resolved, MAX_ENTRIES, call.signal)
      const prefix = displayPrefix(resolved)
      const rows = entries.map((entry) => `${prefix}${entry.name}${entry.kind === 'directory' ? '/' : ''}`)
      const note = more
        ? `[The first ${MAX_ENTRIES} entries; there are more, and their number is not known. Use find.]`
        : `[${entries.length} entries, all shown.]`
      return {
        content: [{ type: 'text', text: [...rows, note].join('\n') }],
        details: { path: resolved.display, entries, total: more ? null : entries.length, truncated: more },
      }
    },
  })
}
