import { type ChangeObject, diffLines } from 'diff'

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
 * Counts changed lines exactly, without holding up the main process: half a frame at once, which does for nearly all
 * files, else in steps between which everything else goes on. Undefined when that took too long.
 */
export async function countLines(before: string, after: string): Promise<LineCounts | undefined> {
  if (before === after) return { added: 0, removed: 0 }
  const quick = diffLines(before, after, { timeout: AT_ONCE_MS })
  const changes = quick ?? (await diffInSteps(before, after))
  if (changes === undefined) return undefined
  const sum = (wanted: (change: ChangeObject<string>) => boolean) =>
    changes.reduce((total, change) => (wanted(change) ? total + change.count : total), 0)
  return { added: sum((change) => change.added), removed: sum((change) => change.removed) }
}

function diffInSteps(before: string, after: string): Promise<ChangeObject<string>[] | undefined> {
  return new Promise((resolve) => diffLines(before, after, { timeout: IN_STEPS_MS, callback: resolve }))
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
