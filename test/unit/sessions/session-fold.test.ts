import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeFolder } from '../../../main/sessions/file-operations'
import { foldJournal, rebuildSidecar } from '../../../main/sessions/index-rebuild'
import { openFold } from '../../../main/sessions/open-fold'
import { readPage } from '../../../main/sessions/page-reader'
import { type SessionPaths, sessionPaths } from '../../../main/sessions/session-paths'
import { readSidecar, SidecarWriter } from '../../../main/sessions/sidecar'
import type { SessionEvent } from '../../../preload/contract/events'
import { reduce } from '../../../preload/contract/reduce'
import { emptySessionState, PAGE_SIZE, type SessionState } from '../../../preload/contract/session-state'
import { chained, journalText, openedBody, randomBodies, randomSession } from '../../fixtures/sessions/random-events'

let folder: string
let paths: SessionPaths

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'plumbline-fold-'))
  paths = sessionPaths(folder, 's_00000000')
  await makeFolder(paths.index)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const store = async (events: readonly SessionEvent[]): Promise<number> => {
  await writeFile(paths.journal, journalText(events))
  return Buffer.byteLength(journalText(events))
}
const whole = (events: readonly SessionEvent[]) => events.reduce(reduce, emptySessionState)
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const header = ({ pages: _pages, ...rest }: SessionState) => plain(rest)

async function expectPages(index: Parameters<typeof readPage>[1], expected: SessionState, end: number): Promise<void> {
  for (let page = 0; page < expected.pages.length; page += 1) {
    expect(plain(await readPage(paths.journal, index, page, end)), `page ${page}`).toEqual(plain(expected.pages[page]))
  }
}

describe('a fold of a journal', () => {
  it('finds every page again from its own lines, with calls that ended pages later', async () => {
    for (const seed of [1, 2, 3, 4]) {
      const events = randomSession(seed, 3000)
      const size = await store(events)
      const { fold, issues } = await foldJournal(paths.journal, size)
      const expected = whole(events)
      expect(issues).toEqual([])
      expect(fold.pages.length).toBeGreaterThan(4)
      expect(fold.pages.some((page) => page.late.length > 0)).toBe(true)
      expect(header(fold.state)).toEqual(header(expected))
      await expectPages(fold, expected, size)
    }
  })

  it('holds a few pages only', async () => {
    const size = await store(chained([openedBody, ...Array.from({ length: 20 * PAGE_SIZE }, () => notice)]))
    const { fold } = await foldJournal(paths.journal, size)
    expect(fold.state.length).toBe(20 * PAGE_SIZE)
    expect(fold.state.pages.filter((page) => page !== undefined).length).toBeLessThanOrEqual(4)
  })

  it('goes on from a sidecar written at any moment as if it had read everything', async () => {
    const events = randomSession(7, 2600)
    const size = await store(events)
    const expected = whole(events)
    for (const part of [1, 300, 1000, 1750, 2600]) {
      const offset = Buffer.byteLength(journalText(events.slice(0, part)))
      const { fold } = await foldJournal(paths.journal, offset)
      const { state, pages, skipped, announcedAt } = fold
      const sidecar = new SidecarWriter(paths, 0)
      sidecar.add(fold.takeRecords())
      await sidecar.write({ state, pageCount: pages.length, skipped, announcedAt, offset })
      const opened = await openFold(paths, size)
      expect(opened).toMatchObject({ storedOffset: offset, provisional: false })
      expect(header(opened.fold.state)).toEqual(header(expected))
      expect(plain(opened.fold.state.pages.at(-1))).toEqual(plain(expected.pages.at(-1)))
      await expectPages(opened.fold, expected, size)
    }
  })

  it('stores the same when its records come in several snapshots', async () => {
    const events = randomSession(9, 2000)
    const size = await store(events)
    await rebuildSidecar(paths, size)
    const once = await readSidecar(paths)
    const sidecar = new SidecarWriter(paths, 0)
    const { fold } = await foldJournal(paths.journal, size)
    const records = fold.takeRecords()
    const { state, pages, skipped, announcedAt } = fold
    for (let start = 0; start < records.length; start += 3) {
      sidecar.add(records.slice(start, start + 3))
      await sidecar.write({ state, pageCount: pages.length, skipped, announcedAt, offset: size })
    }
    expect(plain({ ...(await readSidecar(paths)) })).toEqual(plain({ ...once }))
  })
})

describe('a sidecar that does not fit', () => {
  let events: SessionEvent[]
  let size: number

  beforeEach(async () => {
    events = randomSession(11, 800)
    size = await store(events)
    await rebuildSidecar(paths, size)
    expect(await readSidecar(paths)).not.toBeNull()
  })

  const damages: [string, () => Promise<unknown>][] = [
    ['a journal that is shorter', () => writeFile(paths.journal, journalText(events.slice(0, 700)))],
    ['other bytes before its place', () => writeFile(paths.journal, journalText(randomSession(12, 900)))],
    [
      'a snapshot cut in the middle',
      async () => writeFile(paths.snapshot, (await readFile(paths.snapshot)).subarray(0, 90)),
    ],
    [
      'another version',
      async () =>
        writeFile(paths.snapshot, (await readFile(paths.snapshot, 'utf8')).replace('"version":1', '"version":0')),
    ],
    ['a list of pages that is too short', () => writeFile(paths.pages, '')],
    [
      'a list of pages that is no JSON',
      async () => writeFile(paths.pages, '#'.repeat((await readFile(paths.pages)).length)),
    ],
  ]
  it.each(damages)('is not used: %s', async (_name, damage) => {
    await damage()
    expect(await readSidecar(paths)).toBeNull()
    const text = await readFile(paths.journal)
    const opened = await openFold(paths, text.byteLength)
    expect(opened.storedOffset).toBe(0)
    const kept = text
      .toString('utf8')
      .trimEnd()
      .split('\n')
      .map((line): SessionEvent => JSON.parse(line))
    expect(header(opened.fold.state)).toEqual(header(whole(kept)))
  })
})

const notice = { type: 'notice', level: 'info', text: 'one' } as const

describe('a journal with branches', () => {
  it('folds the branch that its last line is on, and its pages from that branch', async () => {
    const trunk = chained([openedBody, ...randomBodies(21, 900)])
    const fork = trunk[500]
    if (fork === undefined) throw new Error('no fork')
    const branch = chained(randomBodies(22, 900), fork.id).map((event, index, all) => {
      const name = (at: number) => `e_branch${(100_000 + at).toString(36)}`
      return { ...event, id: name(index), parent: index === 0 ? fork.id : name(all.indexOf(event) - 1) }
    })
    const size = await store([...trunk, ...branch])
    const expected = whole([...trunk.slice(0, 501), ...branch])
    const { fold } = await foldJournal(paths.journal, size)
    expect(fold.skipped).toHaveLength(1)
    expect(header(fold.state)).toEqual(header(expected))
    await expectPages(fold, expected, size)
    await rebuildSidecar(paths, size)
    const stored = await readSidecar(paths)
    if (stored === null) throw new Error('no sidecar')
    await expectPages(stored, expected, size)
  })

  it('sees a branch that begins after the sidecar', async () => {
    const trunk = randomSession(31, 300)
    await rebuildSidecar(paths, await store(trunk))
    const from = trunk[100]
    if (from === undefined) throw new Error('no event')
    const side: SessionEvent = { id: 'e_side00', parent: from.id, at: 1, ...notice }
    await appendFile(paths.journal, journalText([side]))
    const { size } = await stat(paths.journal)
    const opened = await openFold(paths, size)
    expect(header(opened.fold.state)).toEqual(header(whole([...trunk.slice(0, 101), side])))
  })
})

describe('a line that can not be read', () => {
  it('is skipped and reported, and what follows it counts', async () => {
    const events = randomSession(41, 200)
    const lines = events.map((event) => `${JSON.stringify(event)}\n`)
    lines[50] = '{"id":"e_torn00","parent"\n'
    lines[120] = `${JSON.stringify({ ...events[120], type: 'from.the.future' })}\n`
    await writeFile(paths.journal, lines.join(''))
    const { fold, issues } = await foldJournal(paths.journal, Buffer.byteLength(lines.join('')))
    expect(issues.map((issue) => issue.offset)).toEqual(
      [50, 120].map((at) => Buffer.byteLength(lines.slice(0, at).join(''))),
    )
    expect(issues[0]?.problem).toBe('The line is not JSON.')
    const readable = events.filter((_, index) => index !== 50 && index !== 120)
    expect(header(fold.state)).toEqual(header(whole(readable)))
    expect(fold.skipped).toEqual([])
  })
})
