import { z } from 'zod'
import { PlumblineError } from '../../platform/errors'
import type { FindOutcome, SearchEngine } from '../../search/search-engine'
import { displayPrefix, type SearchTarget } from '../../search/search-targets'
import { type PathAuthority, touch } from '../../workspace/path-authority'
import { type CallContext, defineTool, type RegisteredTool } from '../define'
import { scanComplete } from '../find-result'
import { atomicPaths } from './search-paths'

const DEFAULT_LIMIT = 200
const MAX_LIMIT = 10_000
const DEFAULT_TIMEOUT_SECONDS = 5
const MAX_ENTRIES = 100_000

const Args = z.object({
  paths: z.union([z.string(), z.array(z.string())]),
  hidden: z.boolean().default(true),
  gitignore: z.boolean().default(true),
  limit: z.number().int().min(1).default(DEFAULT_LIMIT),
  timeout: z.number().positive().max(60).default(DEFAULT_TIMEOUT_SECONDS),
})

type Parsed = z.output<typeof Args>

/** FIND rows of the atomic contract: files, folders and globs, hidden files included, `.gitignore` respected. */
export function findTool(engines: { search: SearchEngine; paths: PathAuthority }): RegisteredTool {
  const resolve = (args: Parsed, call: CallContext) => atomicPaths(engines.paths, args.paths, call.session)
  return defineTool({
    name: 'find',
    title: 'Find',
    description:
      'Finds files by path, folder or glob. Hidden files are included, ignored ones are not. Example: {"paths": ["src/**/*.ts"]}',
    args: Args,
    approval: 'never',
    subject: (args) => (typeof args.paths === 'string' ? args.paths : args.paths.join(', ')),
    targets: async (args, call) => (await resolve(args, call)).targets.map((target) => touch('read', target.resolved)),
    prepare: async (args) => ({ effect: args }),
    act: async (args, call) => {
      const { targets, missing } = await resolve(args, call)
      if (targets.length === 0) throw new PlumblineError('not_found', `Path not found: ${missing.join(', ')}`)
      const limit = Math.min(args.limit, MAX_LIMIT)
      const files = new Set<string>()
      let total = 0
      let complete = true
      const deadlineAt = Date.now() + args.timeout * 1000
      for (const target of targets) {
        const found = await filesOf(engines.search, args, target, deadlineAt, limit, call)
        total += found.total
        complete &&= found.complete
        for (const file of found.files) if (files.size < limit) files.add(file)
      }
      const shown = [...files]
      const truncated = !complete || total > shown.length
      const details = {
        scopePath: targets.length === 1 ? (targets[0]?.resolved.display ?? '.') : '.',
        fileCount: shown.length,
        files: shown,
        truncated,
        missingPaths: missing,
        ...(total > shown.length ? { meta: { limits: { resultLimit: limit } } } : {}),
        timedOut: !complete,
      }
      return {
        content: [{ type: 'text', text: [...shown, ...notes(shown.length, total, complete, missing)].join('\n') }],
        details,
      }
    },
  })
}

async function filesOf(
  search: SearchEngine,
  args: Parsed,
  target: SearchTarget,
  deadlineAt: number,
  limit: number,
  call: CallContext,
): Promise<{ files: string[]; total: number; complete: boolean }> {
  const { resolved, glob, given } = target
  if (resolved.kind !== 'directory') return { files: [resolved.display], total: 1, complete: true }
  const named = given.split('/').includes('node_modules')
  const walk = await search.walkOptions(
    resolved,
    {
      hidden: args.hidden,
      ignoreFiles: args.gitignore && !named,
      outsideGit: true,
      prune: named ? ['.git'] : ['.git', 'node_modules'],
      maxEntries: MAX_ENTRIES,
      timeoutMs: Math.max(1, deadlineAt - Date.now()),
    },
    call.session,
  )
  const match =
    glob === undefined ? ({ type: 'all' } as const) : ({ type: 'globs', globs: [glob], nameOnly: false } as const)
  const prefix = displayPrefix(resolved)
  const found: FindOutcome = await search.find({ walk, kind: 'files', match, keep: limit }, call.signal, (soFar) =>
    call.progress(`${soFar.total} files\n`),
  )
  return {
    files: found.paths.map((entry) => prefix + entry.relative),
    total: found.total,
    complete: scanComplete(found),
  }
}

function notes(shown: number, total: number, complete: boolean, missing: readonly string[]): string[] {
  const lines: string[] = []
  if (total === 0) lines.push('No files found matching pattern')
  else if (total > shown)
    lines.push(`[${shown} of ${complete ? total : `at least ${total}`} files shown. Raise limit or narrow the paths.]`)
  else lines.push(`[${total} files${complete ? '' : ' so far'}.]`)
  if (!complete) lines.push('[The scan did not finish in time; narrow the paths or raise timeout.]')
  if (missing.length > 0) lines.push(`[Not found: ${missing.join(', ')}]`)
  return lines
}
