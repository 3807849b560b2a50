import { describe, expect, it } from 'vitest'
import { type CallItem, type Item, PAGE_SIZE } from '../../../../preload/contract/session-state'
import { filtersOf, timelineIndex } from '../../../../renderer/features/timeline/timeline-index'
import { rowWords } from '../../../../renderer/features/timeline/timeline-words'

let count = 0
const base = () => {
  count += 1
  return { id: `e_${String(count).padStart(8, '0')}`, at: count * 1000, turn: 1 }
}
const call = (tool: string, extra: Partial<CallItem> = {}): CallItem => ({
  kind: 'call',
  ...base(),
  call: `c${count}`,
  tool,
  title: tool,
  subject: 'x',
  args: '{}',
  state: 'done',
  output: '',
  ms: 8,
  ...extra,
})
const prompt = (): Item => ({ kind: 'prompt', ...base(), content: [{ type: 'text', text: 'Mend it\nplease' }] })
const end = (stop: 'done' | 'stopped' = 'done'): Item => ({
  kind: 'turn-end',
  ...base(),
  stop,
  usage: { input: 1, output: 1 },
  cost: 0.21,
  ms: 118_000,
})

describe('filtersOf', () => {
  it('sorts calls by their tool, by what they touch, and by how they went', () => {
    expect([...filtersOf(call('read'))]).toEqual(['all', 'files'])
    expect([...filtersOf(call('bash', { state: 'failed' }))]).toEqual(['all', 'shell', 'failed'])
    expect([...filtersOf(call('custom', { touches: [{ kind: 'host', target: 'nodejs.org' }] }))]).toEqual([
      'all',
      'web',
    ])
  })

  it('gives a turn that ended well no row of its own, and one that was stopped one', () => {
    expect(filtersOf(end()).size).toBe(0)
    expect([...filtersOf(end('stopped'))]).toEqual(['all'])
  })
})

describe('timelineIndex', () => {
  const items = [prompt(), call('read'), call('bash'), end(), prompt(), call('bash', { state: 'failed' })]

  it('leaves out what a filter does not show and keeps the items’ own indices', () => {
    const index = timelineIndex([items], items.length, 'shell')
    expect(index.count).toBe(2)
    expect([index.entry(0)?.index, index.entry(1)?.index]).toEqual([2, 5])
    expect(index.entry(2)).toBeUndefined()
    expect(index.counts.failed).toBe(1)
    expect(index.turnEnds.get(1)?.ms).toBe(118_000)
  })

  it('gives pages that are not loaded room without a filter, and none with one', () => {
    const pages = [undefined, undefined, items]
    const length = 2 * PAGE_SIZE + items.length
    const all = timelineIndex(pages, length, 'all')
    expect(all.count).toBe(2 * PAGE_SIZE + 5)
    expect(all.unloaded).toBe(2 * PAGE_SIZE)
    expect(all.entry(PAGE_SIZE + 3)).toEqual({ index: PAGE_SIZE + 3, item: undefined })
    expect(all.entry(2 * PAGE_SIZE)?.item).toBe(items[0])
    const failed = timelineIndex(pages, length, 'failed')
    expect(failed.count).toBe(1)
    expect(failed.entry(0)?.index).toBe(2 * PAGE_SIZE + 5)
  })

  it('steps over pages in which nothing is shown', () => {
    const quiet = Array.from({ length: PAGE_SIZE }, () => call('read'))
    const pages = [[...quiet.slice(1), call('bash')], quiet, quiet, items]
    const index = timelineIndex(pages, 3 * PAGE_SIZE + items.length, 'shell')
    expect([0, 1, 2].map((row) => index.entry(row)?.index)).toEqual([
      PAGE_SIZE - 1,
      3 * PAGE_SIZE + 2,
      3 * PAGE_SIZE + 5,
    ])
  })
})

describe('rowWords', () => {
  it('says a turn by its first line, with the time and cost of its end', () => {
    const item = prompt()
    const ended = end()
    if (ended.kind !== 'turn-end') throw new Error('not an end')
    expect(rowWords(item, ended, false)).toMatchObject({ verb: 'Turn 1', subject: 'Mend it', ms: 118_000, cost: 0.21 })
    expect(rowWords(item, undefined, true)).toMatchObject({ since: item.at })
  })

  it('says how a call went', () => {
    expect(rowWords(call('bash', { state: 'failed', details: { exitCode: 1 } }), undefined, false).subject).toBe(
      'x, exit 1',
    )
    expect(rowWords(call('edit', { state: 'denied', answeredBy: 'person' }), undefined, false).subject).toBe(
      'x, denied by you',
    )
    expect(
      rowWords(
        call('read', { subject: '', state: 'failed', error: { code: 'invalid_arguments', message: '' } }),
        undefined,
        false,
      ).subject,
    ).toBe('invalid arguments')
    const files = [{ path: 'x', kind: 'modified' as const, before: null, after: null, added: 2, removed: 1 }]
    expect(rowWords(call('edit', { files }), undefined, false).subject).toBe('x +2 −1')
    expect(rowWords(call('bash', { state: 'running' }), undefined, false).ms).toBeUndefined()
  })

  it('says that a script is no model', () => {
    const item: Item = {
      kind: 'message',
      ...base(),
      model: 'scripted:demo.jsonl',
      content: [],
      usage: { input: 1, output: 1 },
      stop: 'done',
      ms: 5,
    }
    expect(rowWords(item, undefined, false).subject).toBe('script, no model')
  })
})
