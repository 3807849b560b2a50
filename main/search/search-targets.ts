import { PlumblineError } from '../platform/errors'
import type { LineRange } from '../reading/selectors'
import { NO_SELECTOR, splitSelector } from '../reading/selectors'
import type { PathAuthority, PathScope, ResolvedPath, ResolveOptions } from '../workspace/path-authority'
import { hasGlob } from './globs'
import { splitGlob } from './search-engine'

/** What one given path stands for: a file, a folder, or a glob below a folder. */
export interface SearchTarget {
  readonly given: string
  readonly resolved: ResolvedPath
  readonly glob?: string
  readonly ranges?: readonly LineRange[]
}

export interface TargetOptions extends ResolveOptions {
  readonly globs: boolean
  readonly selectors: boolean
}

/**
 * Resolves paths to search. What exists literally is taken literally, brackets and colons included (S11, S17); otherwise a
 * line selector is split off, or the text is a glob. `missing` lists what is neither. Throws as `PathAuthority.resolve`.
 */
export async function resolveSearchTargets(
  paths: PathAuthority,
  given: readonly string[],
  scope: PathScope,
  options: TargetOptions,
): Promise<{ targets: SearchTarget[]; missing: string[] }> {
  const targets: SearchTarget[] = []
  const missing: string[] = []
  for (const text of given) {
    const target = await resolveOne(paths, text, scope, options)
    if (target === undefined) missing.push(text)
    else targets.push(target)
  }
  return { targets, missing }
}

async function resolveOne(
  paths: PathAuthority,
  given: string,
  scope: PathScope,
  options: TargetOptions,
): Promise<SearchTarget | undefined> {
  const splits = options.selectors ? splitSelector(given) : [{ path: given, selector: NO_SELECTOR, suffix: '' }]
  for (const split of splits) {
    const resolved = await paths.resolve(split.path, scope, options)
    if (!resolved.exists) continue
    const { ranges } = split.selector
    return { given, resolved, ...(ranges.length === 0 ? {} : { ranges }) }
  }
  if (!options.globs || !hasGlob(given)) return undefined
  const { base, glob } = await splitGlob(given, (part) => paths.absolute(part, scope.cwd))
  const resolved = await paths.resolve(base, scope, options)
  if (resolved.kind !== 'directory') return undefined
  if (glob.split('/').includes('..')) {
    throw new PlumblineError('invalid_arguments', `The glob ${given} goes up after its first wildcard.`)
  }
  return { given, resolved, glob }
}

/** What stands before paths below a folder in results: relative to the working folder where it lies inside. */
export function displayPrefix(folder: ResolvedPath): string {
  if (folder.display === '.') return ''
  return folder.display.endsWith('/') ? folder.display : `${folder.display}/`
}
