import { describe, expect, it } from 'vitest'
import { hunksOf, withoutHunk } from '../../../main/editing/review-hunks'

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`)

describe('hunks', () => {
  it('keep changes apart that more than two lines lie between', async () => {
    const lines = numbered(20)
    const now = lines.with(1, 'two\n').with(4, 'five\n').with(12, 'thirteen\n').with(15, 'sixteen\n')
    const hunks = await hunksOf('a.ts', lines.join(''), now.join(''))
    expect(hunks.map(({ before, after }) => [before, after])).toEqual([
      [
        { from: 2, count: 4 },
        { from: 2, count: 4 },
      ],
      [
        { from: 13, count: 4 },
        { from: 13, count: 4 },
      ],
    ])
  })

  it('keep their names when lines above come or go, and differ by path', async () => {
    const lines = numbered(20)
    const edited = lines.with(10, 'eleven\n')
    const [alone] = await hunksOf('a.ts', lines.join(''), edited.join(''))
    const shifted = await hunksOf('a.ts', lines.join(''), ['first\n', 'second\n', ...edited].join(''))
    expect(shifted.map((hunk) => hunk.id)).toContain(alone?.id)
    const [other] = await hunksOf('b.ts', lines.join(''), edited.join(''))
    expect(other?.id).not.toBe(alone?.id)
  })

  it('tell the same change at two places of a file apart', async () => {
    const before = [...numbered(5), 'same\n', ...numbered(5), 'same\n', ...numbered(5)]
    const hunks = await hunksOf(
      'a.ts',
      before.join(''),
      before.map((line) => (line === 'same\n' ? 'other\n' : line)).join(''),
    )
    expect(new Set(hunks.map((hunk) => hunk.id)).size).toBe(2)
  })

  it('see a lost final newline and a changed line ending', async () => {
    expect(await hunksOf('a', 'one\ntwo\n', 'one\ntwo')).toMatchObject([{ removed: ['two\n'], added: ['two'] }])
    expect(await hunksOf('a', 'one\r\n', 'one\n')).toMatchObject([{ removed: ['one\r\n'], added: ['one\n'] }])
  })

  it('taken away one after the other, in any order, give the text from before', async () => {
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((seed / 2_147_483_648) * below)
    }
    const rows = ['a\n', 'b\r\n', 'c\n', '\n']
    const text = () => Array.from({ length: random(12) }, () => rows[random(4)]).join('') + (random(3) === 0 ? 'd' : '')
    for (let round = 0; round < 300; round += 1) {
      const before = text()
      let now = text()
      for (let step = 0; step < 40; step += 1) {
        const hunks = await hunksOf('a', before, now)
        const hunk = hunks[random(hunks.length)]
        if (hunk === undefined) break
        now = withoutHunk(now, hunk)
      }
      expect(now).toBe(before)
    }
  })
})
