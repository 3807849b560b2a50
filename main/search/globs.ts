import picomatch from 'picomatch'

/** Whether a text means something as a glob. */
export function hasGlob(text: string): boolean {
  return /[*?[\]{}]|[!@+]\(/.test(text)
}

/**
 * A test for paths below a folder, with `/`. Dot files count like others: hiding them is the walk's task. A glob without
 * `/` is tried on the name alone when `nameOnly` is set, else on the whole path.
 */
export function globTest(
  globs: readonly string[],
  options: { nameOnly: boolean; ignoresCase: boolean },
): (relative: string, name: string) => boolean {
  const settings = { dot: true, nocase: options.ignoresCase, nonegate: true }
  const tests = globs.map((glob) => {
    const normal = glob.replace(/^\.\//, '')
    const test = picomatch(normal, settings)
    const byName = options.nameOnly && !normal.includes('/')
    return (relative: string, name: string) => test(byName ? name : relative)
  })
  return (relative, name) => tests.some((test) => test(relative, name))
}
