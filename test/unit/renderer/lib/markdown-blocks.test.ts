import { describe, expect, it } from 'vitest'
import { BlockSplitter, splitMarkdown } from '../../../../renderer/lib/markdown-blocks'

const sample = `# Title

A paragraph
of two lines.

- one
  more of one

- two

1. first
2. second

\`\`\`ts title="a.ts"
const a = '\`\`'

# not a heading
\`\`\`
After the code.

~~~~
\`\`\`
still code
~~~~

| a | b |
| - | - |
| 1 | 2 |
`

describe('BlockSplitter', () => {
  it('keeps headings, paragraphs and whole lists apart', () => {
    const prose = splitMarkdown(sample)
      .filter((block) => block.kind === 'prose')
      .map((block) => block.text.trim())
    expect(prose.slice(0, 2)).toEqual(['# Title', 'A paragraph\nof two lines.'])
    expect(prose[2]).toContain('- one\n  more of one\n\n- two')
    expect(prose.at(-1)).toBe('| a | b |\n| - | - |\n| 1 | 2 |')
  })

  it('takes a fence with its language and everything up to a fence at least as long', () => {
    const code = splitMarkdown(sample).filter((block) => block.kind === 'code')
    expect(code).toEqual([
      { kind: 'code', language: 'ts', text: "const a = '``'\n\n# not a heading" },
      { kind: 'code', language: '', text: '```\nstill code' },
    ])
  })

  it('gives the same blocks however the text is cut into pieces', () => {
    const whole = splitMarkdown(sample)
    for (const size of [1, 2, 3, 7, 50]) {
      const splitter = new BlockSplitter()
      for (let at = 0; at < sample.length; at += size) splitter.append(sample.slice(at, at + size))
      expect(splitter.blocks()).toEqual(whole)
      expect(splitter.length).toBe(sample.length)
    }
  })

  it('never changes a completed block and keeps the array while only the tail grows', () => {
    const splitter = new BlockSplitter()
    splitter.append('First.\n\nSecond\nline')
    const before = splitter.completed
    expect(before.map((block) => block.text.trim())).toEqual(['First.'])
    splitter.append(' goes on')
    expect(splitter.completed).toBe(before)
    expect(splitter.tail?.text).toBe('Second\nline goes on')
  })

  it('shows an open fence as growing code', () => {
    const splitter = new BlockSplitter()
    splitter.append('Text\n```py\nprint(1)\npri')
    expect(splitter.tail).toEqual({ kind: 'code', language: 'py', text: 'print(1)\npri' })
  })

  it('loses no text and bounds the growing end of long lists and paragraphs', () => {
    const list = Array.from({ length: 2000 }, (_, index) => `- item ${index} with some words\n`).join('')
    const lines = 'a line without an empty one after it\n'.repeat(2000)
    for (const text of [list, lines]) {
      const splitter = new BlockSplitter()
      splitter.append(text)
      expect(
        splitter
          .blocks()
          .map((block) => block.text)
          .join(''),
      ).toBe(text)
      expect(splitter.tail?.text.length ?? 0).toBeLessThan(9 * 1024)
      expect(Math.max(...splitter.completed.map((block) => block.text.length))).toBeLessThan(9 * 1024)
    }
  })

  it('does not take a fence inside a list item out of the list', () => {
    const text = '- item\n\n  ```ts\n  const a = 1\n  ```\n\nAfter.\n'
    expect(splitMarkdown(text).map((block) => block.kind)).toEqual(['prose', 'prose'])
  })
})
