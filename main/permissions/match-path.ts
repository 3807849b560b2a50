import path from 'node:path'
import ignore from 'ignore'

export interface PathPlaces {
  readonly roots: readonly string[]
  readonly home: string
  readonly platform?: NodeJS.Platform
}

/**
 * Whether a path pattern covers an absolute path. Gitignore-style: `~/` starts at the home folder, `//` at the file
 * system's root, everything else at each root of the session.
 */
export function matchesPath(pattern: string, absolute: string, places: PathPlaces): boolean {
  const platform = places.platform ?? process.platform
  const rules = platform === 'win32' ? path.win32 : path.posix
  const [body, bases] = anchored(pattern, places, rules)
  if (body === '') return false
  const matcher = ignore({ ignorecase: platform === 'win32' || platform === 'darwin' }).add(body)
  return bases.some((base) => {
    const relative = rules.relative(base, absolute).split(rules.sep).join('/')
    if (relative === '') return body === '/**' || body === '**' || body === '*'
    if (relative === '..' || relative.startsWith('../') || rules.isAbsolute(relative)) return false
    return matcher.ignores(relative) || matcher.ignores(`${relative}/`)
  })
}

/** The pattern without its anchor, and the absolute folders that it starts from. */
export function anchored(pattern: string, places: PathPlaces, rules: path.PlatformPath): [string, readonly string[]] {
  if (pattern === '~') return ['/**', [places.home]]
  if (pattern.startsWith('~/')) return [`/${pattern.slice(2)}`, [places.home]]
  if (pattern.startsWith('//')) return [`/${pattern.slice(2)}`, [rules.parse(places.home).root || '/']]
  return [pattern.replace(/^\.\//, '/'), places.roots]
}
