import { describe, expect, it } from 'vitest'
import { matchScore, titleParts } from '../../../../renderer/features/palette/match'

describe('matchScore', () => {
  it('prefers the beginning of words, then early hits', () => {
    const titles = ['Mark hunk reviewed', 'Review changes', 'Preview of a file', 'Open folder…']
    const scored = titles.flatMap((title) => {
      const score = matchScore(title, 'rev')
      return score === null ? [] : [{ title, score }]
    })
    scored.sort((left, right) => right.score - left.score)
    expect(scored.map(({ title }) => title)).toEqual(['Review changes', 'Mark hunk reviewed', 'Preview of a file'])
  })

  it('wants every word', () => {
    expect(matchScore('Open folder…', 'open fol')).not.toBeNull()
    expect(matchScore('Open folder…', 'open file')).toBeNull()
  })
})

describe('titleParts', () => {
  it('marks the hit and loses nothing', () => {
    expect(titleParts('Mark hunk reviewed', 'REV')).toEqual([
      { text: 'Mark hunk ', hit: false },
      { text: 'rev', hit: true },
      { text: 'iewed', hit: false },
    ])
    expect(titleParts('Settings', '')).toEqual([{ text: 'Settings', hit: false }])
  })
})
