import { type ChangeObject, diffArrays } from 'diff'

/** Milliseconds that a diff may take at once, half a frame. */
const AT_ONCE_MS = 8

/** Milliseconds after which a diff that goes on in small steps is given up. */
const IN_STEPS_MS = 3000

/** Pairs of versions whose counts are remembered. */
const MAX_REMEMBERED = 2000

export interface LineCounts {
  added: number
  removed: number
}

/**
 * Counts changed lines exactly, without holding up the main process. Lines that only one side has are counted and left
 * out first: that changes nothing in the result and makes rewrites cheap. The rest is compared for half a frame at
 * once, which does for nearly all files, else in steps between which everything else goes on. Undefined when that took
 * too long.
 */
export async function countLines(before: string, after: string): Promise<LineCounts | undefined> {
  if (before === after) return { added: 0, removed: 0 }
  const [left, right] = withoutCommonEnds(linesOf(before), linesOf(after))
  const inLeft = new Set(left)
  const inRight = new Set(right)
  const leftShared = left.filter((line) => inRight.has(line))
  const rightShared = right.filter((line) => inLeft.has(line))
  const quick = diffArrays(leftShared, rightShared, { timeout: AT_ONCE_MS })
  const changes = quick ?? (await diffInSteps(leftShared, rightShared))
  if (changes === undefined) return undefined
  const sum = (wanted: (change: ChangeObject<string[]>) => boolean) =>
    changes.reduce((total, change) => (wanted(change) ? total + change.count : total), 0)
  return {
    added: right.length - rightShared.length + sum((change) => change.added),
    removed: left.length - leftShared.length + sum((change) => change.removed),
  }
}

/** Lines with their ends, so that a missing last line break counts as a change. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function withoutCommonEnds(left: string[], right: string[]): [string[], string[]] {
  const shorter = Math.min(left.length, right.length)
  let start = 0
  while (start < shorter && left[start] === right[start]) start += 1
  let end = 0
  while (end < shorter - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end += 1
  return [left.slice(start, left.length - end), right.slice(start, right.length - end)]
}

function diffInSteps(before: string[], after: string[]): Promise<ChangeObject<string[]>[] | undefined> {
  return new Promise((resolve) => diffArrays(before, after, { timeout: IN_STEPS_MS, callback: resolve }))
}

/** Counts by the names of both versions; contents never change under a name. */
export class CountedVersions {
  readonly #counts = new Map<string, LineCounts>()

  async of(key: string, count: () => Promise<LineCounts | undefined>): Promise<LineCounts | undefined> {
    const known = this.#counts.get(key)
    if (known !== undefined) return known
    const counted = await count()
    if (counted === undefined) return undefined
    const [oldest] = this.#counts.keys()
    if (oldest !== undefined && this.#counts.size >= MAX_REMEMBERED) this.#counts.delete(oldest)
    this.#counts.set(key, counted)
    return counted
  }
}
