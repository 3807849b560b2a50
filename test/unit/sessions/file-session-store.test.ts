import {
  appendFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { externalise } from '../../../main/sessions/externalise'
import { nodeFileOperations } from '../../../main/sessions/file-operations'
import { FileSessionStore, type FileSessionStoreOptions } from '../../../main/sessions/file-session-store'
import { readSession } from '../../../main/sessions/journal-lines'
import { findSession } from '../../../main/sessions/session-paths'
import type { SessionJournal } from '../../../main/sessions/types'
import type { EventBody, SessionEvent } from '../../../preload/contract/events'
import { reduce } from '../../../preload/contract/reduce'
import { emptySessionState, itemAt, PAGE_SIZE, type SessionState } from '../../../preload/contract/session-state'
import { randomBodies } from '../../fixtures/sessions/random-events'

let home: string
let project: string
let stores: FileSessionStore[]

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'plumbline-store-'))
  project = path.join(home, 'My Project')
  await mkdir(project)
  stores = []
})
afterEach(async () => {
  await Promise.allSettled(stores.map((store) => store.dispose()))
  await rm(home, { recursive: true, force: true })
})

function newStore(options: Partial<FileSessionStoreOptions> = {}): FileSessionStore {
  const store = new FileSessionStore({ home, ...options })
  stores.push(store)
  return store
}

const settings = { toolset: 'plumbline', mode: 'ask', sandbox: 'guarded', model: null } as const
const create = (store: FileSessionStore) => store.create({ cwd: project, ...settings })
const pathsOf = (journal: SessionJournal) => findSession(path.join(home, 'sessions'), journal.id)
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const header = ({ pages: _pages, live: _live, ...rest }: SessionState) => plain(rest)
const fold = (events: readonly SessionEvent[]) => events.reduce(reduce, emptySessionState)
const notice = (text: string): EventBody => ({ type: 'notice', level: 'info', text })
const requested = (call: string): EventBody => ({
  type: 'call.requested',
  call,
  tool: 'bash',
  title: 'Run',
  subject: 'x',
  args: '{}',
})

async function fileEvents(journal: SessionJournal): Promise<SessionEvent[]> {
  return collect(readSession((await pathsOf(journal)).journal))
}

async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = []
  for await (const value of values) all.push(value)
  return all
}

/** A copy of the home as it is at this moment, as after a crash. */
async function crashed(): Promise<FileSessionStore> {
  const copy = await mkdtemp(path.join(tmpdir(), 'plumbline-crash-'))
  await cp(home, copy, { recursive: true, filter: (source) => path.basename(source) !== 'lock' })
  await rm(home, { recursive: true, force: true })
  home = copy
  return newStore()
}

describe('a session on disk', () => {
  it('is one file of lines, each the child of one above it, that only its owner reads', async () => {
    const journal = await create(newStore())
    for (const body of randomBodies(1, 50)) journal.append(body)
    journal.append({ type: 'assistant.delta', text: 'not kept' })
    await journal.flush()
    const paths = await pathsOf(journal)
    expect(path.basename(path.dirname(paths.journal))).toMatch(/^my-project-[0-9a-f]{10}$/)
    const lines = (await readFile(paths.journal, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line): SessionEvent => JSON.parse(line))
    expect(lines).toHaveLength(51)
    expect(lines[0]).toMatchObject({ type: 'session.opened', session: journal.id, parent: null, cwd: project })
    const above = new Set([lines[0]?.id])
    for (const line of lines.slice(1)) {
      expect(above.has(line.parent ?? '')).toBe(true)
      expect(above.has(line.id)).toBe(false)
      above.add(line.id)
    }
    if (process.platform !== 'win32') {
      expect((await stat(paths.journal)).mode & 0o777).toBe(0o600)
      for (const folder of [paths.folder, path.dirname(paths.folder)])
        expect((await stat(folder)).mode & 0o777).toBe(0o700)
    }
  })

  it('comes back as it was, with its blobs, after it was closed', async () => {
    const journal = await create(newStore())
    for (const body of randomBodies(2, 1500)) journal.append(body)
    const blob = await journal.blobs.put(Buffer.from('kept'))
    const live = journal.state
    const events = await collect(journal.history())
    await journal.close()
    const again = await newStore().open(journal.id)
    const open = Object.keys(live.open).length
    expect(again.interrupted.length).toBe(open + (live.running === null ? 0 : 1))
    expect(header(again.state)).toEqual(header(again.interrupted.reduce(reduce, fold(events))))
    expect(Buffer.from(await again.blobs.get(blob.id)).toString()).toBe('kept')
    const whole = fold(events)
    for (let page = 0; page < whole.pages.length - 1; page += 1) {
      const shown = again.interrupted.reduce(reduce, whole).pages[page]
      expect(plain(await again.page(page))).toEqual(plain(shown))
    }
    expect(await collect(again.history())).toEqual(events)
  })

  it('holds a few pages in memory and still answers for all', async () => {
    const journal = await create(newStore())
    journal.append(requested('slow'))
    for (let index = 0; index < 8 * PAGE_SIZE; index += 1) journal.append(notice(`note ${index}`))
    expect(journal.state.pages.filter((page) => page !== undefined)).toHaveLength(4)
    journal.append({ type: 'call.finished', call: 'slow', ok: true, content: [], ms: 1 })
    expect(journal.state.pages[0]).toBeUndefined()
    expect((await journal.page(0))[0]).toMatchObject({ kind: 'call', state: 'done' })
    expect((await journal.page(3))[0]).toMatchObject({ text: `note ${3 * PAGE_SIZE - 1}` })
  })

  it('has arguments once, and items that show them', async () => {
    const journal = await create(newStore())
    const args = '{"content":"payload-4711"}'
    journal.append({
      type: 'assistant.message',
      model: 'work:m',
      content: [{ type: 'call', call: 'c1', tool: 'write', args }],
      usage: { input: 1, output: 1 },
      stop: 'calls',
      ms: 1,
    })
    const event = journal.append({
      type: 'call.requested',
      call: 'c1',
      tool: 'write',
      title: 'Write',
      subject: 'a',
      args,
    })
    expect(event).toMatchObject({ args: '' })
    expect(itemAt(journal.state, 1)).toMatchObject({ args })
    await journal.close()
    const text = await readFile((await pathsOf(journal)).journal, 'utf8')
    expect(text.split('payload-4711')).toHaveLength(2)
    expect(itemAt((await newStore().open(journal.id)).state, 1)).toMatchObject({ args })
  })

  it('of one project lies in one folder, by whatever name the project is reached', async () => {
    const link = path.join(home, 'link')
    await symlink(project, link, 'junction')
    const store = newStore()
    await create(store)
    await store.create({ cwd: link, ...settings })
    expect(await readdir(path.join(home, 'sessions'))).toHaveLength(1)
  })

  it('is opened by one writer', async () => {
    const journal = await create(newStore())
    await expect(newStore().open(journal.id)).rejects.toMatchObject({ code: 'journal_locked' })
    await journal.close()
    await expect(newStore().open('s_notthere')).rejects.toMatchObject({ code: 'session_not_found' })
    await expect(newStore().open('../../etc')).rejects.toMatchObject({ code: 'session_not_found' })
    expect(() => journal.append(notice('late'))).toThrow(/closed/)
  })
})

describe('after a crash', () => {
  it('the last complete event is shown, what ran is told, and nothing is written until the session goes on', async () => {
    const journal = await create(newStore())
    journal.append({ type: 'turn.started', turn: 1, model: 'work:m' })
    journal.append({ type: 'prompt', content: [{ type: 'text', text: 'go' }] })
    journal.append(requested('c1'))
    await journal.flush()
    const store = await crashed()
    const before = await readFile((await pathsOf(journal)).journal)
    expect(await store.list()).toMatchObject([{ id: journal.id, state: expect.stringMatching(/idle|failed/) }])
    const again = await store.open(journal.id)
    expect(again.interrupted).toMatchObject([
      { type: 'failed', what: 'call', call: 'c1', error: { message: 'Interrupted: one bash call, not run again.' } },
      {
        type: 'failed',
        what: 'turn',
        error: {
          message: expect.stringMatching(
            /Restored up to the last event\. Interrupted: one bash call, not run again\.$/,
          ),
        },
      },
    ])
    expect(itemAt(again.state, 1)).toMatchObject({ state: 'interrupted' })
    expect(itemAt(again.state, 2)).toMatchObject({ kind: 'note', source: 'interrupted' })
    expect(again.state).toMatchObject({ running: null, open: {} })
    await again.flush()
    expect(await readFile((await pathsOf(again)).journal)).toEqual(before)
    again.append(notice('on'))
    const shown = again.state
    await again.close()
    const events = await fileEvents(again)
    expect(events.map((event) => event.type).slice(-3)).toEqual(['failed', 'failed', 'notice'])
    expect(header(fold(events))).toEqual(header(shown))
    const third = await newStore().open(journal.id)
    expect(third.interrupted).toEqual([])
    expect(header(third.state)).toEqual(header(shown))
  })

  it('a torn last line is put aside and the rest stays, whatever place it was torn at', async () => {
    const journal = await create(newStore())
    for (let index = 0; index < 3; index += 1) journal.append(notice(`häßlich ${index}`))
    await journal.close()
    const paths = await pathsOf(journal)
    const whole = await readFile(paths.journal)
    const lines = whole.toString().trimEnd().split('\n')
    const last = Buffer.byteLength(lines.at(-1) ?? '')
    for (const cut of [1, 2, 20, last - 1, last]) {
      await writeFile(paths.journal, whole.subarray(0, whole.byteLength - cut))
      const store = newStore()
      const again = await store.open(journal.id)
      // Only the line's end was missing in the first case: the event is whole.
      expect(again.state.length).toBe(cut === 1 ? 3 : 2)
      const kept = (await readdir(paths.folder)).filter((name) => name.startsWith('torn-'))
      expect(kept).toHaveLength(cut === 1 ? 0 : 1)
      if (kept[0]) {
        const torn = whole.subarray(whole.byteLength - last - 1, whole.byteLength - cut)
        expect(await readFile(path.join(paths.folder, kept[0]))).toEqual(torn)
        await rm(path.join(paths.folder, kept[0]))
      }
      again.append(notice('after'))
      await store.dispose()
      expect((await fileEvents(again)).at(-1)).toMatchObject({ text: 'after' })
    }
  })

  it('a line in the middle that can not be read stays in the file and is reported', async () => {
    const journal = await create(newStore())
    journal.append(notice('one'))
    await journal.close()
    const paths = await pathsOf(journal)
    await appendFile(paths.journal, '\u0000\u0000 no json\n')
    const again = await newStore().open(journal.id)
    expect(again.issues).toMatchObject([{ problem: 'The line is not JSON.' }])
    again.append(notice('two'))
    await again.close()
    expect(await readFile(paths.journal, 'utf8')).toContain('no json')
    await rm(paths.index, { recursive: true })
    const third = await newStore().open(journal.id)
    expect(third.state.length).toBe(2)
  })

  it('a journal without a first line is refused in words and left alone', async () => {
    const journal = await create(newStore())
    await journal.close()
    const { journal: file } = await pathsOf(journal)
    for (const text of ['', '{"type":"session.op', 'rubbish\n']) {
      await writeFile(file, text)
      await expect(newStore().open(journal.id)).rejects.toMatchObject({ code: 'journal_corrupt' })
      expect(await readFile(file, 'utf8')).toBe(text)
    }
    expect((await newStore().list()).map((row) => row.id)).toEqual([journal.id])
    await truncate(file, 0)
    await rm(path.join(path.dirname(file), journal.id, 'summary.json'), { force: true })
    expect(await newStore().list()).toEqual([])
  })
})

describe('a disk that refuses', () => {
  it('is told, and nothing that is not saved is called saved', async () => {
    let full = false
    const fileOperations: FileSessionStoreOptions['fileOperations'] = {
      ...nodeFileOperations,
      async openJournal(file, options) {
        const real = await nodeFileOperations.openJournal(file, options)
        return {
          ...real,
          async write(bytes, position) {
            if (!full) return real.write(bytes, position)
            await real.write(bytes.subarray(0, 10), position)
            throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
          },
        }
      },
    }
    const warnings: string[] = []
    const store = newStore({ fileOperations, logger: { warn: (message) => warnings.push(message) } })
    const journal = await create(store)
    journal.append(notice('saved'))
    await journal.flush()
    full = true
    journal.append(notice('lost'))
    await expect(journal.flush()).rejects.toMatchObject({ code: 'io' })
    expect(journal.failure?.message).toMatch(/^The disk is full\. The last 1 event is not saved/)
    expect(warnings).toHaveLength(1)
    const { length } = journal.state
    expect(() => journal.append(notice('more'))).toThrow(/not saved/)
    expect(journal.state.length).toBe(length)
    expect((await fileEvents(journal)).length).toBe(2)
    await expect(journal.close()).rejects.toMatchObject({ code: 'io' })
    full = false
    const again = await newStore().open(journal.id)
    expect(again.state.length).toBe(1)
  })

  it('at opening is told, and the lock is given back', async () => {
    const journal = await create(newStore())
    await journal.close()
    const openJournal = () =>
      Promise.reject(Object.assign(new Error('EROFS: read-only file system, open'), { code: 'EROFS' }))
    const store = newStore({ fileOperations: { ...nodeFileOperations, openJournal } })
    await expect(store.open(journal.id)).rejects.toMatchObject({
      code: 'io',
      message: expect.stringContaining('EROFS'),
    })
    await expect(stat((await pathsOf(journal)).lock)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('the list', () => {
  it('comes from small files, newest first, and knows archived ones', async () => {
    const store = newStore()
    const first = await create(store)
    first.append({ type: 'session.titled', title: 'First', by: 'person' })
    first.append({ type: 'turn.started', turn: 1, model: 'work:m' })
    first.append({
      type: 'turn.finished',
      turn: 1,
      stop: 'failed',
      usage: { input: 1, output: 1 },
      ms: 1,
      error: { code: 'io', message: 'No answer.' },
    })
    await first.close()
    await new Promise((resolve) => setTimeout(resolve, 5))
    const second = await create(store)
    await store.annotate(first.id, { archived: true })
    const { journal } = await pathsOf(first)
    // Only the size of the journal is looked at.
    await writeFile(journal, 'not read')
    const rows = await store.list()
    expect(rows.map((row) => row.id)).toEqual([second.id, first.id])
    expect(rows[1]).toMatchObject({
      title: 'First',
      projectName: 'My Project',
      state: 'failed',
      detail: 'No answer.',
      archived: true,
    })
    await expect(store.annotate('s_notthere', { archived: true })).rejects.toMatchObject({ code: 'session_not_found' })
  })
})

describe('a long journal without a sidecar', () => {
  it('shows its end first, takes new events meanwhile, and then is whole', async () => {
    const long = 'x'.repeat(4000)
    const journal = await create(newStore())
    journal.append(requested('old'))
    for (let index = 0; index < 1600; index += 1) journal.append(notice(`${index} ${long}`))
    journal.append({ type: 'mode.changed', mode: 'bypass' })
    await journal.flush()
    const store = await crashed()
    const paths = await pathsOf(journal)
    await rm(paths.index, { recursive: true, force: true })
    await rm(paths.summary, { force: true })
    const again = await store.open(journal.id)
    expect(again.state.length).toBeLessThan(400)
    expect(itemAt(again.state, again.state.length - 1)).toMatchObject({ text: 'Mode is now bypass' })
    again.append(notice('while it is made'))
    await again.indexed
    expect(again.state).toMatchObject({ length: 1603, mode: 'bypass', open: {} })
    expect(again.interrupted).toMatchObject([{ what: 'call', call: 'old' }])
    expect(itemAt(again.state, 1602)).toMatchObject({ text: 'while it is made' })
    expect((await again.page(0))[1]).toMatchObject({ text: `0 ${long}` })
    again.append(notice('on'))
    const shown = again.state
    await again.close()
    expect(header(fold(await fileEvents(again)))).toEqual(header(shown))
  })
})

describe('what the agent hands over', () => {
  it('is put aside first when it is long', async () => {
    const journal = await create(newStore())
    const text = 'long '.repeat(10_000)
    journal.append(await externalise({ type: 'prompt', content: [{ type: 'text', text }] }, journal.blobs))
    await journal.flush()
    expect((await stat((await pathsOf(journal)).journal)).size).toBeLessThan(4096)
    const [item] = await journal.page(0)
    const part = item?.kind === 'prompt' ? item.content[0] : undefined
    const blob = part?.type === 'text' ? part.blob : undefined
    expect(Buffer.from(await journal.blobs.get(blob?.id ?? '')).toString()).toBe(text)
  })
})
