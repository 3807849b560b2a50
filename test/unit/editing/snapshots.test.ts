import { describe, expect, it } from 'vitest'
import { hashlineRows, printHashline } from '../../../main/editing/hashline-format'
import { LineSet } from '../../../main/editing/line-set'
import { SnapshotStore, SnapshotStores } from '../../../main/editing/snapshots'

const seen = (set: LineSet) => set.ranges().map((range) => `${range.start}-${range.end}`)

describe('snapshots', () => {
  it('EDIT-06 the tag follows from the exact normal text alone', () => {
    const store = new SnapshotStore()
    const one = store.record('/a', 'x\ny\n', [])
    expect(one.tag).toMatch(/^[0-9A-F]{4}$/)
    expect(store.record('/a', Buffer.from('\uFEFFx\r\ny\r\n'), [])).toBe(one)
    expect(store.record('/a', 'x \ny\n', []).digest).not.toBe(one.digest)
    expect(store.byTag('/a', one.tag.toLowerCase())).toEqual([one])
    expect(store.byTag('/b', one.tag)).toEqual([])
  })

  it('S07 texts that share a tag are told apart by more digits', () => {
    const store = new SnapshotStore({ tagOf: () => 'AAAA' })
    const one = store.record('/a', 'one\n', [])
    const two = store.record('/a', 'two\n', [])
    expect(one.tag).toBe('AAAA')
    expect(two.tag).toMatch(/^AAAA[0-9A-F]$/)
    expect(store.byTag('/a', 'aaaa')).toEqual([one, two])
    expect(store.byTag('/a', two.tag)).toEqual([two])
    expect(store.tagOf('/a', 'two\r\n')).toBe(two.tag)
    expect(store.record('/b', 'three\n', []).tag).toBe('AAAA')
  })

  it('EDIT-14 seen lines of several reads of one text are joined', () => {
    const store = new SnapshotStore()
    store.record('/a', 'a\nb\nc\nd\ne\n', [1, 2])
    const snapshot = store.record('/a', 'a\nb\nc\nd\ne\n', [4])
    expect(seen(snapshot.seen)).toEqual(['1-2', '4-4'])
    store.record('/a', 'a\nb\nc\nd\ne\n', 'all')
    expect(seen(snapshot.seen)).toEqual(['1-5'])
  })

  it('keeps 256 files and more, and lets the oldest go by count and by bytes', () => {
    const store = new SnapshotStore()
    for (let index = 0; index < 300; index += 1) store.record(`/${index}`, `${index}\n`, [])
    expect(store.newest('/0')?.text).toBe('0\n')
    const small = new SnapshotStore({ limits: { files: 2, versions: 2, textBytes: 100 } })
    for (const name of ['/a', '/b', '/c']) small.record(name, name, [])
    expect([small.newest('/a'), small.newest('/b')?.text, small.wasIssued('/a', small.tagOf('/a', '/a'))]).toEqual([
      undefined,
      '/b',
      true,
    ])
    for (const text of ['1', '2', '3']) small.record('/c', text, [])
    expect(small.byText('/c', '1')).toBeUndefined()
    expect(small.byText('/c', '2')).toBeDefined()
    small.record('/d', 'x'.repeat(200), [])
    expect(small.newest('/d')).toBeDefined()
    expect(small.newest('/c')).toBeUndefined()
  })

  it('WRITE-07 observations outlive their text', () => {
    const store = new SnapshotStore({ limits: { files: 1 } })
    store.record('/a', 'a\n', [1])
    expect(store.observed('/a')).toBeUndefined()
    store.observe('/a', Buffer.from('a\n'), 'a\n')
    expect(store.observed('/a')?.text).toBe('a\n')
    store.record('/b', 'b', [])
    expect(store.observed('/a')).toMatchObject({ text: null })
  })

  it('follows edits of the session from text to text, also in a circle', () => {
    const store = new SnapshotStore()
    const digest = (text: string) => store.record('/a', text, []).digest
    const [a, b, c] = [digest('a'), digest('b'), digest('c')]
    const splices = [{ start: 1, removed: 1, added: 1 }]
    store.logEdit('/a', a, b, splices)
    store.logEdit('/a', b, c, splices)
    expect(store.editsSince('/a', a).map((step) => step.to)).toEqual([b, c])
    store.logEdit('/a', c, a, splices)
    expect(store.editsSince('/a', a).map((step) => step.to)).toEqual([b, c])
    store.move('/a', '/z')
    expect(store.byTag('/z', store.tagOf('/z', 'a'))).toHaveLength(1)
    expect(store.editsSince('/z', a)).toHaveLength(2)
    expect(store.newest('/a')).toBeUndefined()
    store.forget('/z')
    expect(store.wasIssued('/z', store.tagOf('/z', 'a'))).toBe(false)
  })

  it('EDIT-13 sessions know nothing of each other', () => {
    const stores = new SnapshotStores()
    const { tag } = stores.of('one').record('/a', 'a', [])
    expect(stores.of('two').byTag('/a', tag)).toEqual([])
    stores.release('one')
    expect(stores.of('one').byTag('/a', tag)).toEqual([])
  })

  it('EDIT-14 records exactly the rows that it prints', () => {
    const store = new SnapshotStore()
    const rows = [
      { number: 1, text: 'a', hit: true },
      { number: 2, text: 'b' },
      { number: 3, text: 'ccc', cut: 97 },
    ]
    const printed = printHashline(store, { path: '/p/a', display: 'a', content: 'a\nb\nc\n' }, rows, 'search')
    expect(printed.header).toBe(`[a#${printed.snapshot.tag}]`)
    expect(printed.rows).toBe('*1:a\n 2:b\n 3:ccc … (97 more characters)')
    expect(seen(printed.snapshot.seen)).toEqual(['1-2'])
    expect(hashlineRows(rows, 'read').text).toBe('1:a\n2:b\n3:ccc … (97 more characters)')
  })

  it('a line set equals a plain set, whatever the order', () => {
    let state = 7
    const below = (limit: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return state % limit
    }
    for (let round = 0; round < 200; round += 1) {
      const set = new LineSet()
      const plain = new Set<number>()
      for (let step = 0; step < 12; step += 1) {
        const start = 1 + below(40)
        const end = start + below(6) - 1
        set.add(start, end)
        for (let line = start; line <= end; line += 1) plain.add(line)
      }
      for (let line = 0; line <= 50; line += 1) expect(set.has(line)).toBe(plain.has(line))
      for (const [index, range] of set.ranges().entries()) {
        const next = set.ranges()[index + 1]
        if (next !== undefined) expect(next.start).toBeGreaterThan(range.end + 1)
      }
    }
  })
})
