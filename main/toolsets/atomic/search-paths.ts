import { hasGlob } from '../../search/globs'
import { splitPathLists } from '../../search/path-lists'
import { resolveSearchTargets, type SearchTarget } from '../../search/search-targets'
import type { PathAuthority, PathScope } from '../../workspace/path-authority'

const OPTIONS = { globs: true, selectors: true } as const

/** The paths of atomic's `find` and `search`: quotes, lists, literals first, globs, line selectors. Nothing given is the root. */
export async function atomicPaths(
  paths: PathAuthority,
  given: string | readonly string[] | undefined,
  scope: PathScope,
): Promise<{ targets: SearchTarget[]; missing: string[] }> {
  const listed = typeof given === 'string' ? [given] : (given ?? [])
  const resolves = async (text: string): Promise<boolean> => {
    try {
      const { targets } = await resolveSearchTargets(paths, [text], scope, OPTIONS)
      // A glob with blanks or commas in it may as well be a list; as a whole it only counts when it begins literally.
      return targets.some((target) => target.glob === undefined || (!/[,;\s]/.test(text) && hasGlob(text)))
    } catch {
      return false
    }
  }
  const entries = await splitPathLists(listed, resolves)
  return resolveSearchTargets(paths, entries.length === 0 ? ['.'] : entries, scope, OPTIONS)
}
