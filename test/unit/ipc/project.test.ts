import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { currentBranch } from '../../../main/ipc/project'
import { type BridgePair, connect } from '../../bridge/bridge-pair'
import { FakeSession } from '../../support/fake-services'

let pair: BridgePair
let folder: string

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'plumbline-project-')))
  pair = await connect()
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('opening a project', () => {
  it('refuses a folder that the person has not chosen', async () => {
    const refused = { ok: false, failure: { code: 'access_denied', message: expect.stringContaining('Open folder') } }
    expect(await pair.bridge.project.open({ path: folder })).toEqual(refused)
    expect(await pair.bridge.session.create({ project: folder })).toEqual(refused)
  })

  it('takes one that was picked, and remembers it', async () => {
    pair.shell.picked = folder
    expect(await pair.bridge.project.pick(undefined)).toMatchObject({ value: { path: folder } })
    expect(await pair.bridge.project.open({ path: folder })).toMatchObject({ ok: true })
    expect(await pair.bridge.session.create({ project: folder })).toMatchObject({ value: { project: folder } })
  })

  it('takes one that a session has', async () => {
    pair.services.sessions.add(new FakeSession({ cwd: folder }))
    expect(await pair.bridge.project.open({ path: folder })).toMatchObject({ ok: true })
  })

  it('answers null when the dialog was cancelled', async () => {
    pair.shell.picked = null
    expect(await pair.bridge.project.pick(undefined)).toEqual({ ok: true, value: null })
  })

  it('goes by the real folder, not by a link to it', async () => {
    const link = path.join(folder, 'link')
    mkdirSync(path.join(folder, 'real'))
    symlinkSync(path.join(folder, 'real'), link)
    pair.shell.picked = link
    expect(await pair.bridge.project.pick(undefined)).toMatchObject({ value: { path: path.join(folder, 'real') } })
  })

  it('refuses a file and what is not there', async () => {
    writeFileSync(path.join(folder, 'file'), '')
    pair.shell.picked = path.join(folder, 'file')
    expect(await pair.bridge.project.pick(undefined)).toMatchObject({ failure: { code: 'not_a_directory' } })
    pair.shell.picked = path.join(folder, 'nothing')
    expect(await pair.bridge.project.pick(undefined)).toMatchObject({ failure: { code: 'not_found' } })
  })
})

describe('mode bypass', () => {
  it('needs the typed word and a trusted folder', async () => {
    const session = pair.services.sessions.add(new FakeSession({ cwd: folder }))
    const ask = (confirmation?: string) =>
      pair.bridge.session.setMode({ session: session.id, mode: 'bypass', ...(confirmation ? { confirmation } : {}) })
    expect(await ask()).toMatchObject({ failure: { code: 'permission_denied' } })
    expect(await ask('bypass')).toMatchObject({ failure: { message: expect.stringContaining('trusted') } })
    pair.services.trusted.add(folder)
    expect(await ask('yes')).toMatchObject({ failure: { code: 'permission_denied' } })
    expect(session.state.mode).toBe('ask')
    expect(await ask('bypass')).toMatchObject({ ok: true })
    expect(session.state.mode).toBe('bypass')
  })

  it('is not what a new session begins with', async () => {
    pair.shell.folders.add(folder)
    const created = await pair.bridge.session.create({ project: folder, mode: 'bypass' })
    const id = created.ok ? created.value.id : ''
    expect((await pair.services.sessions.open(id)).state.mode).toBe('ask')
  })
})

describe('showing a file', () => {
  it('reaches no further than the project', async () => {
    const session = pair.services.sessions.add(new FakeSession({ cwd: folder }))
    symlinkSync('/etc', path.join(folder, 'out'))
    writeFileSync(path.join(folder, '..a'), '')
    const reveal = (name: string) => pair.bridge.app.revealPath({ session: session.id, path: name })
    for (const name of ['out/passwd', '..', '/etc/passwd']) {
      expect(await reveal(name)).toMatchObject({ failure: { code: 'outside_roots' } })
    }
    expect(await reveal('..a')).toMatchObject({ ok: true })
    expect(pair.shell.calls).toEqual([{ name: 'reveal', args: [path.join(folder, '..a')] }])
  })
})

describe('currentBranch', () => {
  const head = (text: string) => {
    mkdirSync(path.join(folder, '.git'), { recursive: true })
    writeFileSync(path.join(folder, '.git', 'HEAD'), text)
  }

  it('reads the branch, also from a folder below', async () => {
    head('ref: refs/heads/feature/a b\n')
    mkdirSync(path.join(folder, 'deep', 'er'), { recursive: true })
    expect(await currentBranch(folder)).toBe('feature/a b')
    expect(await currentBranch(path.join(folder, 'deep', 'er'))).toBe('feature/a b')
  })

  it('shortens a commit without a branch', async () => {
    head('0123456789abcdef0123456789abcdef01234567\n')
    expect(await currentBranch(folder)).toBe('01234567')
  })

  it('follows the pointer of a worktree', async () => {
    head('ref: refs/heads/main\n')
    const tree = path.join(folder, 'tree')
    mkdirSync(tree)
    mkdirSync(path.join(folder, '.git', 'worktrees', 'tree'), { recursive: true })
    writeFileSync(path.join(tree, '.git'), 'gitdir: ../.git/worktrees/tree\n')
    writeFileSync(path.join(folder, '.git', 'worktrees', 'tree', 'HEAD'), 'ref: refs/heads/side\n')
    expect(await currentBranch(tree)).toBe('side')
  })

  it('is null outside of a repository', async () => {
    expect(await currentBranch(folder)).toBeNull()
  })
})
