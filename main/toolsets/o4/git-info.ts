import { z } from 'zod'
import type { GitReader } from '../../workspace/git-reader'
import { type PathAuthority, touch } from '../../workspace/path-authority'
import { defineTool, type RegisteredTool } from '../define'

const DEFAULT_COUNT = 10
const MAX_COUNT = 1000

/** SEARCH-19: read-only `git status`, `diff` and `log`; the same in the default toolset. */
export function gitInfoTool(engines: { git: GitReader; paths: PathAuthority }): RegisteredTool {
  return defineTool({
    name: 'git_info',
    title: 'Git',
    description:
      'Runs read-only git: `status`, `diff` or `log`. `ref` is a revision or range for diff and log, `path` limits a diff, ' +
      '`count` a log. Example: {"subcommand": "diff", "ref": "HEAD~1", "path": "src"}',
    args: z.object({
      subcommand: z.enum(['status', 'diff', 'log']),
      ref: z.string().min(1).max(1024).optional(),
      path: z.string().min(1).optional(),
      count: z.number().int().min(1).max(MAX_COUNT).optional(),
    }),
    approval: 'never',
    subject: (args) => [args.subcommand, args.ref, args.path].filter((part) => part !== undefined).join(' '),
    targets: async (args, call) => [touch('read', await engines.paths.resolve(args.path ?? '.', call.session))],
    prepare: async (args) => ({ effect: args }),
    act: async (args, call) => {
      const path = args.path === undefined ? undefined : await engines.paths.resolve(args.path, call.session)
      const { text, truncated } = await engines.git.query(
        call.session.cwd,
        {
          subcommand: args.subcommand,
          ...(args.ref === undefined || args.subcommand === 'status' ? {} : { ref: args.ref }),
          ...(path === undefined || args.subcommand !== 'diff' ? {} : { path: path.absolute }),
          ...(args.subcommand === 'log' ? { count: args.count ?? DEFAULT_COUNT } : {}),
        },
        call.signal,
      )
      const shown =
        text.trim() === '' ? (args.subcommand === 'diff' ? 'No differences.' : 'Nothing to show.') : text.trimEnd()
      return {
        content: [{ type: 'text', text: truncated ? `${shown}\n[Output cut at 4 MiB.]` : shown }],
        details: { subcommand: args.subcommand, ref: args.ref ?? null, path: path?.display ?? null, truncated },
      }
    },
  })
}
