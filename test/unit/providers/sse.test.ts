import { describe, expect, it } from 'vitest'
import { SseSplitter } from '../../../main/providers/sse'

function split(text: string, size: number): string[] {
  const splitter = new SseSplitter()
  const events: string[] = []
  for (let at = 0; at < text.length; at += size) events.push(...splitter.push(text.slice(at, at + size)))
  return [...events, ...splitter.end()]
}

describe('SseSplitter', () => {
  const text = ': hello\n\nevent: a\ndata: {"x":1}\n\r\ndata:two\r\ndata: lines\r\n\r\nid: 5\n\ndata\n\ndata: last'
  it.each([1, 2, 3, 7, 1000])('splits in pieces of %i', (size) => {
    expect(split(text, size)).toEqual(['{"x":1}', 'two\nlines', '', 'last'])
  })

  it('knows single carriage returns', () => {
    expect(split('data: a\r\rdata: b\r\r', 1)).toEqual(['a', 'b'])
  })

  it('takes a long line in time that grows with its length', () => {
    const splitter = new SseSplitter()
    const piece = 'x'.repeat(1000)
    splitter.push('data: ')
    const before = performance.now()
    for (let number = 0; number < 5000; number += 1) splitter.push(piece)
    // Searching all of it each time would take minutes.
    expect(performance.now() - before).toBeLessThan(5000)
    expect(splitter.push('\n\n')[0]).toHaveLength(5_000_000)
  })
})
