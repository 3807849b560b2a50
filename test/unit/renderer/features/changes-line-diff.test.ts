import { describe, expect, it } from 'vitest'
import {
  type DiffLine,
  diffLines,
  foldUnchanged,
  markWords,
  splitLines,
} from '../../../../renderer/features/changes/line-diff'

const text = (line: DiffLine) => line.segments.map((segment) => segment.text).join('')
const shape = (lines: readonly DiffLine[]) =>
  lines.map((line) => `${{ context: ' ', added: '+', removed: '-' }[line.kind]}${text(line)}`)
const marks = (line: DiffLine | undefined) =>
  line?.segments.filter((segment) => segment.changed).map((segment) => segment.text)

describe('diffLines', () => {
  it('numbers both sides', () => {
    const lines = diffLines('a\nb\nc\n', 'a\nx\ny\nc\n')
    expect(lines.map((line) => [line.kind, line.before, line.after])).toEqual([
      ['context', 1, 1],
      ['removed', 2, null],
      ['added', null, 2],
      ['added', null, 3],
      ['context', 3, 4],
    ])
  })

  it('rebuilds both sides', () => {
    const before = 'one\ntwo\nthree\nfour\nfive\nsix\n'
    const after = 'zero\none\nthree\nFOUR\nfive\nsix\nseven\n'
    const lines = diffLines(before, after)
    expect(lines.filter((line) => line.before !== null).map(text)).toEqual(splitLines(before))
    expect(lines.filter((line) => line.after !== null).map(text)).toEqual(splitLines(after))
  })

  it('shows a new and a deleted file whole', () => {
    expect(shape(diffLines(null, 'a\nb'))).toEqual(['+a', '+b'])
    expect(shape(diffLines('a\nb', null))).toEqual(['-a', '-b'])
    expect(diffLines('', '')).toEqual([])
  })

  it('marks the words of the line that is the new version, not of the one at the same place', () => {
    const lines = diffLines(
      '  await run(job, { tries: 3 })',
      '  const clock = fakeClock()\n  await run(job, { tries: 3, clock })',
    )
    expect(shape(lines)).toEqual([
      '-  await run(job, { tries: 3 })',
      '+  const clock = fakeClock()',
      '+  await run(job, { tries: 3, clock })',
    ])
    expect(marks(lines[1])).toEqual([])
    expect(marks(lines[2])?.join('')).toContain('clock')
  })

  it('replaces the middle as a whole where the shortest difference would cost too much', () => {
    const before = ['same', ...Array.from({ length: 40 }, (_value, index) => `a${index}`), 'end'].join('\n')
    const after = ['same', ...Array.from({ length: 40 }, (_value, index) => `b${index}`), 'end'].join('\n')
    const lines = diffLines(before, after, 10)
    expect(lines.filter((line) => line.kind === 'context').map(text)).toEqual(['same', 'end'])
    expect(lines.filter((line) => line.kind === 'removed')).toHaveLength(40)
    expect(lines.filter((line) => line.kind === 'added')).toHaveLength(40)
  })
})

describe('markWords', () => {
  it('marks what differs on each side', () => {
    const { before, after } = markWords('let n = 0', 'let tries = 0')
    expect(before.filter((segment) => segment.changed).map((segment) => segment.text)).toEqual(['n'])
    expect(after.filter((segment) => segment.changed).map((segment) => segment.text)).toEqual(['tries'])
  })

  it('does not compare words of very long lines', () => {
    const { before } = markWords('a'.repeat(2000), 'b')
    expect(before).toEqual([{ text: 'a'.repeat(2000), changed: false }])
  })
})

describe('foldUnchanged', () => {
  const numbered = (count: number) => Array.from({ length: count }, (_value, index) => `line ${index + 1}`)

  it('keeps three lines around a change and counts the rest', () => {
    const before = numbered(30)
    const after = before.with(14, 'changed')
    const rows = foldUnchanged(diffLines(before.join('\n'), after.join('\n')))
    expect(rows.map((row) => (row.kind === 'fold' ? `${row.count} from ${row.from}` : text(row)))).toEqual([
      '11 from 1',
      'line 12',
      'line 13',
      'line 14',
      'line 15',
      'changed',
      'line 16',
      'line 17',
      'line 18',
      '12 from 19',
    ])
  })

  it('never folds a single line', () => {
    const before = numbered(8)
    const after = before.with(4, 'changed')
    const rows = foldUnchanged(diffLines(before.join('\n'), after.join('\n')))
    expect(rows.some((row) => row.kind === 'fold')).toBe(false)
    expect(rows).toHaveLength(9)
  })

  it('loses no line', () => {
    const before = numbered(200)
    const after = before.with(10, 'x').with(100, 'y').with(190, 'z')
    const lines = diffLines(before.join('\n'), after.join('\n'))
    const rows = foldUnchanged(lines)
    expect(rows.reduce((sum, row) => sum + (row.kind === 'fold' ? row.count : 1), 0)).toBe(lines.length)
  })
})
