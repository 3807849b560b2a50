import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Envelope } from '../../../preload/contract/rpc'
import { type BridgePair, connect } from '../../bridge/bridge-pair'
import { FakeSession } from '../../support/fake-services'

let pair: BridgePair
let session: FakeSession
let folder: string

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'plumbline-review-')))
  pair = await connect()
  session = pair.services.sessions.add(new FakeSession({ cwd: folder }))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const lines = (changes: Record<number, string> = {}) =>
  Array.from({ length: 20 }, (_, index) => `${changes[index + 1] ?? `line ${index + 1}`}\n`).join('')

function keep(text: string) {
  const bytes = new TextEncoder().encode(text)
  const id = createHash('sha256').update(bytes).digest('hex')
  session.blobs.set(id, bytes)
  return { id, bytes: bytes.byteLength }
}

/** A file that the session changed, as it is on disk and in the events. */
function changed(name: string, before: string | null, after: string | null) {
  const file = path.join(folder, name)
  if (after === null) rmSync(file, { force: true })
  else writeFileSync(file, after)
  session.emit({
    type: 'files.changed',
    call: 'c1',
    entry: 'u1',
    files: [
      {
        path: name,
        kind: before === null ? 'added' : after === null ? 'deleted' : 'modified',
        before: before === null ? null : keep(before),
        after: after === null ? null : keep(after),
        added: 1,
        removed: 1,
      },
    ],
  })
}

async function value<Value>(answer: Promise<Envelope<Value>>): Promise<Value> {
  const envelope = await answer
  if (!envelope.ok) throw new Error(`${envelope.failure.code}: ${envelope.failure.message}`)
  return envelope.value
}

const at = (name: string) => ({ session: session.id, scope: 'session' as const, path: name })
const diff = (name: string) => value(pair.bridge.changes.diff(at(name)))
const list = () => value(pair.bridge.changes.list({ session: session.id, scope: 'session' }))
const reject = (name: string, hunk = '') => value(pair.bridge.changes.reject({ ...at(name), hunk }))
const onDisk = (name: string) => readFileSync(path.join(folder, name), 'utf8')
const told = () =>
  session.state.queue
    .flatMap((entry) => entry.content.map((part) => (part.type === 'text' ? part.text : '')))
    .join('\n')

describe('a rejected hunk', () => {
  it('is gone from disk, the other one stays, and the model is told where and what', async () => {
    changed('a.ts', lines(), lines({ 3: 'three', 15: 'fifteen' }))
    const [first, second] = (await diff('a.ts')).hunks
    await reject('a.ts', first?.id)
    expect(onDisk('a.ts')).toBe(lines({ 15: 'fifteen' }))
    expect((await diff('a.ts')).hunks).toMatchObject([
      { id: second?.id, state: 'open' },
      { id: first?.id, state: 'rejected', rejected: { removed: 'line 3\n', added: 'three\n' } },
    ])
    expect(await list()).toMatchObject([{ path: 'a.ts', review: { hunks: 2, decided: 1, rejected: 1 } }])
    expect(told()).toContain('a.ts, line 3')
    expect(told()).toContain('-line 3\n+three')
  })

  it('is put back where it was, although lines above it changed meanwhile', async () => {
    changed('a.ts', lines(), lines({ 15: 'fifteen' }))
    const [hunk] = (await diff('a.ts')).hunks
    await reject('a.ts', hunk?.id)
    expect(await list()).toMatchObject([{ path: 'a.ts', review: { hunks: 1, decided: 1, rejected: 1 } }])
    changed('a.ts', lines(), `zero\n${lines()}`)
    await value(pair.bridge.changes.putBack({ session: session.id, hunk: hunk?.id ?? '' }))
    expect(onDisk('a.ts')).toBe(`zero\n${lines({ 15: 'fifteen' })}`)
  })

  it('is not put back where its place is not certain', async () => {
    changed('a.ts', lines(), lines({ 15: 'fifteen' }))
    const [hunk] = (await diff('a.ts')).hunks
    await reject('a.ts', hunk?.id)
    changed('a.ts', lines(), lines({ 14: 'other' }))
    await expect(value(pair.bridge.changes.putBack({ session: session.id, hunk: hunk?.id ?? '' }))).rejects.toThrow(
      'conflict',
    )
    expect(onDisk('a.ts')).toBe(lines({ 14: 'other' }))
  })

  it('is refused when the file changed since it was shown; nothing is written', async () => {
    changed('a.ts', lines(), lines({ 3: 'three' }))
    const [hunk] = (await diff('a.ts')).hunks
    writeFileSync(path.join(folder, 'a.ts'), lines({ 3: 'somebody else' }))
    await expect(reject('a.ts', hunk?.id)).rejects.toThrow('a.ts changed since it was shown')
    expect(onDisk('a.ts')).toBe(lines({ 3: 'somebody else' }))
    expect(await diff('a.ts')).toMatchObject({ outside: true, after: lines({ 3: 'somebody else' }) })
    expect(session.state.queue).toEqual([])
  })

  it('leaves a link alone that took the place of the folder', async () => {
    const elsewhere = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'plumbline-elsewhere-')))
    changed('a.ts', lines(), lines({ 3: 'three' }))
    const inner = path.join(folder, 'src')
    session.emit({
      type: 'files.changed',
      call: null,
      entry: 'u2',
      files: [{ path: 'src/b.ts', kind: 'added', before: null, after: keep('b\n'), added: 1, removed: 0 }],
    })
    writeFileSync(path.join(elsewhere, 'b.ts'), 'b\n')
    symlinkSync(elsewhere, inner)
    await expect(reject('src/b.ts', 'all')).rejects.toThrow('leads elsewhere')
    expect(readFileSync(path.join(elsewhere, 'b.ts'), 'utf8')).toBe('b\n')
    renameSync(inner, path.join(folder, 'gone'))
    rmSync(elsewhere, { recursive: true })
  })

  it('of a new file removes it, of a deleted one brings it back', async () => {
    changed('new.ts', null, 'new\n')
    const [hunk] = (await diff('new.ts')).hunks
    await reject('new.ts', hunk?.id)
    expect(existsSync(path.join(folder, 'new.ts'))).toBe(false)
    await value(pair.bridge.changes.putBack({ session: session.id, hunk: hunk?.id ?? '' }))
    expect(onDisk('new.ts')).toBe('new\n')
    changed('old.ts', 'old\n', null)
    const [gone] = (await diff('old.ts')).hunks
    await reject('old.ts', gone?.id)
    expect(onDisk('old.ts')).toBe('old\n')
  })

  it('is undone and done again like any change', async () => {
    changed('a.ts', lines(), lines({ 3: 'three' }))
    const [hunk] = (await diff('a.ts')).hunks
    await reject('a.ts', hunk?.id)
    expect(await value(pair.bridge.changes.undo({ session: session.id }))).toEqual({
      what: 'Rejected change',
      files: ['a.ts'],
    })
    expect(onDisk('a.ts')).toBe(lines({ 3: 'three' }))
    expect((await diff('a.ts')).hunks).toMatchObject([{ id: hunk?.id, state: 'open' }])
    await value(pair.bridge.changes.redo({ session: session.id }))
    expect(onDisk('a.ts')).toBe(lines())
  })
})

describe('marks', () => {
  it('stay with a hunk when lines above it come, and are taken back', async () => {
    changed('a.ts', lines(), lines({ 15: 'fifteen' }))
    const id = (await diff('a.ts')).hunks[0]?.id ?? ''
    const mark = (state: 'open' | 'reviewed' | 'accepted') =>
      value(pair.bridge.changes.mark({ session: session.id, hunks: [id], state }))
    await mark('reviewed')
    changed('a.ts', lines(), `zero\n${lines({ 15: 'fifteen' })}`)
    expect((await diff('a.ts')).hunks).toMatchObject([{ state: 'open' }, { id, state: 'reviewed' }])
    await mark('open')
    expect((await diff('a.ts')).hunks).toMatchObject([{ state: 'open' }, { id, state: 'open' }])
  })

  it('accept the rest of one file or of all', async () => {
    changed('a.ts', lines(), lines({ 3: 'three', 15: 'fifteen' }))
    changed('b.ts', null, 'b\n')
    const rest = (name?: string) =>
      value(pair.bridge.changes.acceptRest({ session: session.id, scope: 'session', ...(name && { path: name }) }))
    expect(await rest('a.ts')).toBe(2)
    expect(await rest()).toBe(1)
    expect((await list()).map((file) => file.review)).toEqual([
      { hunks: 2, decided: 2, rejected: 0 },
      { hunks: 1, decided: 1, rejected: 0 },
    ])
  })

  it('judge a file without lines as one', async () => {
    changed('image.bin', 'a\0b', 'a\0c')
    const [hunk] = (await diff('image.bin')).hunks
    expect(hunk).toMatchObject({ before: null, after: null })
    await reject('image.bin', hunk?.id)
    expect(onDisk('image.bin')).toBe('a\0b')
  })
})

describe('an edit by hand', () => {
  it('is written and told, and refused over other bytes', async () => {
    changed('a.ts', lines(), lines({ 3: 'three' }))
    const { version } = await diff('a.ts')
    const save = (text: string) => value(pair.bridge.changes.save({ ...at('a.ts'), version: version ?? '', text }))
    await save(lines({ 3: 'mine' }))
    expect(onDisk('a.ts')).toBe(lines({ 3: 'mine' }))
    expect(told()).toContain('edited your change in a.ts')
    await expect(save(lines({ 3: 'again' }))).rejects.toThrow('conflict')
    expect(onDisk('a.ts')).toBe(lines({ 3: 'mine' }))
  })
})

describe('a comment', () => {
  it('waits for the model with file, line and quoted code, and can be removed', async () => {
    changed('a.ts', lines(), lines({ 3: 'three' }))
    const comment = await value(
      pair.bridge.changes.comment({ session: session.id, path: 'a.ts', line: 3, quote: 'three', text: 'Why?' }),
    )
    expect(told()).toContain('a.ts, line 3:\n> three\nWhy?')
    expect(await value(pair.bridge.changes.comments({ session: session.id }))).toEqual([comment])
    await value(pair.bridge.changes.removeComment({ session: session.id, comment: comment.id }))
    expect(session.state.queue).toEqual([])
    expect(await value(pair.bridge.changes.comments({ session: session.id }))).toEqual([])
  })
})
