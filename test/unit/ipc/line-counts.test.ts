import { diffLines } from 'diff'
import { describe, expect, it } from 'vitest'
import { CountedVersions, countLines } from '../../../main/ipc/line-counts'

/** What the library itself counts, without any shortcut. */
function plainCount(before: string, after: string) {
  const counts = { added: 0, removed: 0 }
  for (const change of diffLines(before, after)) {
    if (change.added) counts.added += change.count
    if (change.removed) counts.removed += change.count
  }
  return counts
}

describe('countLines', () => {
  it.each([
    ['', 'a\nb\n', 2, 0],
    ['a\nb\n', '', 0, 2],
    ['a\n', 'a', 1, 1],
    ['a\r\nb\n', 'a\nb\n', 1, 1],
    ['a\nb\na\n', 'a\na\n', 0, 1],
    ['a\na\n', 'a\nb\na\n', 1, 0],
    ['same\n', 'same\n', 0, 0],
  ])('%j to %j', async (before, after, added, removed) => {
    expect(await countLines(before, after)).toEqual({ added, removed })
  })

  it('agrees with a plain diff on random edits', async () => {
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return seed % below
    }
    const text = () => Array.from({ length: random(30) }, () => `line ${random(6)}\n`).join('')
    for (let round = 0; round < 300; round += 1) {
      const [before, after] = [text(), text()]
      expect(await countLines(before, after), JSON.stringify([before, after])).toEqual(plainCount(before, after))
    }
  })
})

describe('CountedVersions', () => {
  it('counts a pair once and tries again what was given up', async () => {
    const counted = new CountedVersions()
    let counts = 0
    const count = async () => {
      counts += 1
      return counts === 1 ? undefined : { added: counts, removed: 0 }
    }
    expect(await counted.of('a', count)).toBeUndefined()
    expect(await counted.of('a', count)).toEqual({ added: 2, removed: 0 })
    expect(await counted.of('a', count)).toEqual({ added: 2, removed: 0 })
    expect(counts).toBe(2)
  })
})
