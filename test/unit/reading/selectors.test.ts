import { describe, expect, it } from 'vitest'
import { LineIndex } from '../../../main/reading/line-index'
import { parseRanges, splitSelector } from '../../../main/reading/selectors'

describe('selectors', () => {
  it.each([
    ['5', [{ start: 5, end: 5 }]],
    ['-7', [{ start: 1, end: 7 }]],
    ['5-16', [{ start: 5, end: 16 }]],
    ['L5-L16', [{ start: 5, end: 16 }]],
    ['5+', [{ start: 5, end: null }]],
    ['5-', [{ start: 5, end: null }]],
    ['5+3', [{ start: 5, end: 7 }]],
    [
      '960-973,5-16',
      [
        { start: 5, end: 16 },
        { start: 960, end: 973 },
      ],
    ],
    ['1-4,5-9,7+', [{ start: 1, end: null }]],
    ['0', undefined],
    ['5+0', undefined],
    ['9-5', undefined],
    ['', undefined],
    ['-', undefined],
    ['5,', undefined],
    ['1x', undefined],
    ['9'.repeat(16), undefined],
  ])('%s is %j', (text, expected) => {
    expect(parseRanges(text)).toEqual(expected)
  })

  it('offers every split, the longest path first, raw and ranges once each', () => {
    expect(splitSelector('a:raw:1-2').map((split) => [split.path, split.suffix])).toEqual([
      ['a:raw:1-2', ''],
      ['a:raw', ':1-2'],
      ['a', ':raw:1-2'],
    ])
    expect(splitSelector('a:1:2').map((split) => split.path)).toEqual(['a:1:2', 'a:1'])
    expect(splitSelector('C:\\x').map((split) => split.path)).toEqual(['C:\\x'])
    expect(splitSelector(':5')).toHaveLength(1)
  })
})

describe('LineIndex', () => {
  it.each([
    ['', []],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\n\n', ['a', '']],
    ['a\r\nb\r\n', ['a', 'b']],
    ['a\rb\n', ['a\rb']],
    ['a\r', ['a\r']],
  ])('%j has lines %j', async (text, expected) => {
    const index = await LineIndex.of(text)
    expect(index.count).toBe(expected.length)
    expect([...index.lines(1, 99)]).toEqual(expected)
  })

  it('finds any line of a long text', async () => {
    const index = await LineIndex.of(Array.from({ length: 5000 }, (_, line) => `l${line + 1}\n`).join(''))
    for (const line of [1, 1024, 1025, 1026, 2048, 4999, 5000])
      expect([...index.lines(line, line)]).toEqual([`l${line}`])
    expect([...index.lines(5001, 5002)]).toEqual([])
  })
})
