/**
 * How well a path answers a query, higher is better; undefined when it does not. Case does not count. The name counts
 * before the folders, whole and contiguous matches before scattered ones, short paths before long ones. Words of the query,
 * parted by white space, must all be found.
 */
export class FuzzyQuery {
  readonly #words: readonly string[]

  constructor(query: string) {
    this.#words = query
      .toLowerCase()
      .replaceAll('\\', '/')
      .split(/\s+/)
      .filter((word) => word !== '')
  }

  score(relative: string): number | undefined {
    const path = relative.toLowerCase()
    const nameStart = path.lastIndexOf('/') + 1
    let total = 0
    for (const word of this.#words) {
      const score = scoreWord(path, nameStart, word)
      if (score === undefined) return undefined
      total += score
    }
    return total - path.length / 4096
  }
}

function scoreWord(path: string, nameStart: number, word: string): number | undefined {
  const inName = path.indexOf(word, nameStart)
  if (inName !== -1) {
    const end = inName + word.length
    if (inName === nameStart) {
      if (end === path.length) return 1000
      return path[end] === '.' ? 950 : 900
    }
    return isBoundary(path, inName) ? 800 : 700
  }
  const inPath = path.indexOf(word)
  if (inPath !== -1) return isBoundary(path, inPath) ? 600 : 500
  const scattered = subsequence(path, nameStart, word)
  if (scattered !== undefined) return 300 + scattered
  const anywhere = subsequence(path, 0, word)
  return anywhere === undefined ? undefined : 100 + anywhere
}

/** 0 to 100: how many of the characters follow each other or begin a word; undefined when they are not all there. */
function subsequence(path: string, from: number, word: string): number | undefined {
  let at = from
  let good = 0
  let previous = -2
  for (let index = 0; index < word.length; index += 1) {
    const found = path.indexOf(word.charAt(index), at)
    if (found === -1) return undefined
    if (found === previous + 1 || isBoundary(path, found)) good += 1
    previous = found
    at = found + 1
  }
  return (100 * good) / word.length
}

function isBoundary(path: string, at: number): boolean {
  return at === 0 || '/._- '.includes(path.charAt(at - 1))
}
