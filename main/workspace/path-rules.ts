import path from 'node:path'

/** How paths are spelled and compared on one operating system; tests inject their own. */
export interface PathRules {
  readonly path: path.PlatformPath
  /** Two spellings that differ only in letter case name the same file. */
  readonly ignoresCase: boolean
  /** A colon after the drive names a hidden stream of a file. */
  readonly hasStreams: boolean
}

/** The rules of a platform. macOS and Windows are taken as blind to case: the safe side for refusals. */
export function pathRules(platform: NodeJS.Platform = process.platform): PathRules {
  return {
    path: platform === 'win32' ? path.win32 : path.posix,
    ignoresCase: platform === 'win32' || platform === 'darwin',
    hasStreams: platform === 'win32',
  }
}

/**
 * Whether `child` is `parent` or lies below it, by whole path parts. Both must be absolute and normalised. An empty or
 * relative parent contains nothing.
 */
export function isInside(child: string, parent: string, rules: PathRules): boolean {
  if (parent === '' || !rules.path.isAbsolute(parent) || !rules.path.isAbsolute(child)) return false
  const relative = rules.path.relative(foldPath(parent, rules), foldPath(child, rules))
  if (relative === '') return true
  return relative !== '..' && !relative.startsWith(`..${rules.path.sep}`) && !rules.path.isAbsolute(relative)
}

/** The spelling to compare by: equal for all spellings of one path that the file system takes as equal. */
export function foldPath(value: string, rules: PathRules): string {
  return rules.ignoresCase ? value.normalize('NFC').toLowerCase() : value
}

/** The path with `/` between its parts, as results show it. */
export function slashed(value: string, rules: PathRules): string {
  return rules.path.sep === '/' ? value : value.replaceAll(rules.path.sep, '/')
}
