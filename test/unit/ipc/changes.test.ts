import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DiffContent } from '../../../preload/contract/changes'
import type { ChangedFile } from '../../../preload/contract/effects'
import type { Envelope } from '../../../preload/contract/rpc'
import { type BridgePair, connect } from '../../bridge/bridge-pair'
import { FakeSession } from '../../support/fake-services'

let pair: BridgePair
let session: FakeSession
let folder: string

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'plumbline-changes-')))
  pair = await connect()
  session = pair.services.sessions.add(new FakeSession({ cwd: folder }))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function keep(text: string | Uint8Array) {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  const id = createHash('sha256').update(bytes).digest('hex')
  session.blobs.set(id, bytes)
  return { id, bytes: bytes.byteLength }
}

function change(path: string, before: string | Uint8Array | null, after: string | Uint8Array | null): ChangedFile {
  return {
    path,
    kind: before === null ? 'added' : after === null ? 'deleted' : 'modified',
    before: before === null ? null : keep(before),
    after: after === null ? null : keep(after),
    added: 1,
    removed: 1,
  }
}

function changed(...files: ChangedFile[]) {
  session.emit({ type: 'files.changed', call: null, entry: 'u1', files })
}

async function value<Value>(answer: Promise<Envelope<Value>>): Promise<Value> {
  const envelope = await answer
  if (!envelope.ok) throw new Error(`${envelope.failure.code}: ${envelope.failure.message}`)
  return envelope.value
}

const list = (scope: 'turn' | 'session' | 'git') => value(pair.bridge.changes.list({ session: session.id, scope }))
const diff = (scope: 'turn' | 'session' | 'git', name: string): Promise<DiffContent> =>
  value(pair.bridge.changes.diff({ session: session.id, scope, path: name }))

describe('changes of a session', () => {
  it('count the lines between the first and the last version, not the sum of all edits', async () => {
    changed(change('a.ts', 'one\ntwo\nthree\n', 'one\n2\nthree\n'))
    changed(change('a.ts', 'one\n2\nthree\n', 'one\nzwei\nthree\nfour\n'))
    expect(await list('session')).toMatchObject([{ path: 'a.ts', added: 2, removed: 1 }])
    expect(await diff('session', 'a.ts')).toMatchObject({
      before: 'one\ntwo\nthree\n',
      after: 'one\nzwei\nthree\nfour\n',
      notice: null,
    })
  })

  it('count large rewrites exactly', async () => {
    const lines = (word: string) => Array.from({ length: 1500 }, (_, index) => `${word} ${index}`).join('\n')
    changed(change('big.txt', `${lines('old')}\n`, `${lines('new')}\n`))
    expect(await list('session')).toMatchObject([{ added: 1500, removed: 1500 }])
  })

  it('say why there is no text to compare', async () => {
    changed(change('a.bin', Uint8Array.of(0, 1, 2), Uint8Array.of(0, 1, 3)))
    changed(change('latin.txt', 'ok', Uint8Array.of(0xe4, 0x0a)))
    changed(change('big.txt', null, 'x'.repeat(1024 * 1024 + 1)))
    expect(await diff('session', 'a.bin')).toMatchObject({ before: null, after: null, notice: /Binary/ })
    expect(await diff('session', 'latin.txt')).toMatchObject({ notice: /Binary/ })
    expect(await diff('session', 'big.txt')).toMatchObject({ notice: /Too large .* 1\.0 MB/ })
    expect((await list('session')).map(({ path: name, added }) => [name, added])).toContainEqual(['big.txt', 1])
  })

  it('keep the turn apart from the session', async () => {
    changed(change('a.ts', null, 'a\n'))
    session.emit({ type: 'turn.started', turn: 2, model: 'scripted:a' })
    changed(change('b.ts', null, 'b\n'))
    expect((await list('turn')).map((file) => file.path)).toEqual(['b.ts'])
    expect((await list('session')).map((file) => file.path)).toEqual(['a.ts', 'b.ts'])
    await expect(diff('turn', 'a.ts')).rejects.toThrow('not_found')
  })

  it('show what a waiting call would do', async () => {
    session.emit({ type: 'call.requested', call: 'c1', tool: 'edit', title: 'Edit', subject: 'a.ts', args: '{}' })
    const files = [change('a.ts', 'old\n', 'new\n')]
    session.emit({ type: 'call.prepared', call: 'c1', touches: [], preview: { kind: 'diff', files } })
    const pending = () => value(pair.bridge.changes.pending({ session: session.id, call: 'c1' }))
    expect(await pending()).toMatchObject([{ before: 'old\n', after: 'new\n' }])
    session.emit({ type: 'call.finished', call: 'c1', ok: true, content: [], ms: 1 })
    await expect(pending()).rejects.toThrow('not_found')
  })
})

describe('changes against HEAD', () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      stdio: 'pipe',
    })
  const write = (name: string, text: string | Uint8Array) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }

  beforeEach(() => {
    pair.services.trusted.add(folder)
    git('init', '-q', '-b', 'main')
    write('kept.txt', 'same\n')
    write('changed.txt', 'one\ntwo\n')
    write('gone.txt', 'bye\n')
    write('moved here.txt', 'a\nb\nc\nd\ne\nf\n')
    git('add', '.')
    git('commit', '-q', '-m', 'first')
  })

  it('list what is modified, new, gone and renamed, with counts', async () => {
    write('changed.txt', 'one\n2\n3\n')
    write('sub/ü new.txt', 'x\ny\n')
    unlinkSync(path.join(folder, 'gone.txt'))
    git('mv', 'moved here.txt', 'moved there.txt')
    const files = (await list('git')).map(({ path: name, from, kind, added, removed }) => ({
      name,
      from,
      kind,
      added,
      removed,
    }))
    expect(files).toEqual([
      { name: 'changed.txt', from: undefined, kind: 'modified', added: 2, removed: 1 },
      { name: 'gone.txt', from: undefined, kind: 'deleted', added: 0, removed: 1 },
      { name: 'moved there.txt', from: 'moved here.txt', kind: 'renamed', added: 0, removed: 0 },
      { name: 'sub/ü new.txt', from: undefined, kind: 'added', added: 2, removed: 0 },
    ])
    expect(await diff('git', 'changed.txt')).toMatchObject({ before: 'one\ntwo\n', after: 'one\n2\n3\n' })
    expect(await diff('git', 'gone.txt')).toMatchObject({ before: 'bye\n', after: null })
    expect(await diff('git', 'sub/ü new.txt')).toMatchObject({ before: null, after: 'x\ny\n' })
  })

  it('never follow a link out of the project', async () => {
    symlinkSync('/etc/passwd', path.join(folder, 'link'))
    expect(await diff('git', 'link')).toMatchObject({ after: '/etc/passwd' })
  })

  it('run nothing that the repository names', async () => {
    const trap = path.join(folder, '.git', 'trap.sh')
    writeFileSync(trap, `#!/bin/sh\ntouch "${folder}/.git/sprung"\n`)
    chmodSync(trap, 0o755)
    for (const key of ['core.fsmonitor', 'diff.external', 'core.pager']) git('config', key, trap)
    write('changed.txt', 'other\n')
    expect(await list('git')).toHaveLength(1)
    await diff('git', 'changed.txt')
    write('.git/seen', '')
    expect(() => realpathSync(path.join(folder, '.git', 'sprung'))).toThrow('ENOENT')
  })

  it('need a trusted folder, since filters are programs', async () => {
    pair.services.trusted.clear()
    await expect(list('git')).rejects.toThrow('access_denied')
  })

  it('say so outside of a repository', async () => {
    rmSync(path.join(folder, '.git'), { recursive: true })
    await expect(list('git')).rejects.toThrow('not_supported')
  })
})
