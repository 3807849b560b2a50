import type { PathAuthority, PathScope } from '../workspace/path-authority'
import type { SearchEngine } from './search-engine'

/** Longest listing, in milliseconds. */
const TIMEOUT_MS = 30_000

/** Entries looked at for each file that may be kept: folders, ignored files. */
const ENTRIES_PER_FILE = 10

/**
 * The files of a project that are worth keeping: without what ignore files leave out, version control's own folders and
 * credential locations. Paths are below the root, with `/`.
 */
export async function projectFiles(
  engines: { search: SearchEngine; paths: PathAuthority },
  where: { scope: PathScope; root: string; max: number },
  signal: AbortSignal,
): Promise<{ files: readonly string[]; complete: boolean }> {
  const { scope, root, max } = where
  const folder = await engines.paths.resolve(root, scope)
  const walk = await engines.search.walkOptions(
    folder,
    {
      hidden: true,
      ignoreFiles: true,
      outsideGit: true,
      prune: ['.git', '.hg', '.svn', '.jj', 'node_modules'],
      maxEntries: max * ENTRIES_PER_FILE,
      timeoutMs: TIMEOUT_MS,
    },
    scope,
  )
  const found = await engines.search.find({ walk, kind: 'files', match: { type: 'all' }, keep: max + 1 }, signal)
  const whole = !found.timedOut && !found.report.entryLimitReached
  return { files: found.paths.map((entry) => entry.relative), complete: whole && found.total <= max }
}
