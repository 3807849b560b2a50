import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PathAuthority, type PathScope, touch } from '../../../main/workspace/path-authority'
import { isInside, pathRules } from '../../../main/workspace/path-rules'

let base: string
let scope: PathScope
let authority: PathAuthority

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'paths-')))
  for (const folder of ['proj/sub', 'proj-backup', 'home/.ssh', 'home/notes', 'elsewhere']) {
    await mkdir(join(base, folder), { recursive: true })
  }
  await writeFile(join(base, 'proj/a.txt'), 'a')
  await writeFile(join(base, 'proj-backup/key.txt'), 'k')
  await writeFile(join(base, 'home/.ssh/id'), 'secret')
  await writeFile(join(base, 'home/notes/n.md'), 'n')
  scope = { cwd: join(base, 'proj'), roots: [join(base, 'proj')], narrowed: true }
  authority = new PathAuthority({ home: join(base, 'home') })
})
afterEach(() => rm(base, { recursive: true, force: true }))

const refusal = (given: string, within = scope, options = {}) =>
  authority.resolve(given, within, options).then(
    (resolved) => resolved.display,
    (failure: { code: string }) => failure.code,
  )

describe('PathAuthority', () => {
  it('PERM-17 compares whole path parts, so a neighbour with the same beginning is outside', async () => {
    expect(await refusal('../proj-backup/key.txt')).toBe('outside_roots')
    expect(await refusal(join(base, 'proj-backup/key.txt'))).toBe('outside_roots')
    expect(await refusal('sub/../../proj-backup/key.txt')).toBe('outside_roots')
    expect(await refusal('../proj/a.txt')).toBe('a.txt')
    expect(await refusal('sub/../a.txt')).toBe('a.txt')
  })

  it('takes roots with a trailing slash or behind a link, and empty roots as nothing', async () => {
    await symlink(join(base, 'proj'), join(base, 'alias'))
    expect(await refusal('a.txt', { ...scope, roots: [`${join(base, 'alias')}/`] })).toBe('a.txt')
    expect(await refusal('a.txt', { ...scope, roots: [''] })).toBe('outside_roots')
    expect(await refusal('a.txt', { ...scope, roots: [] })).toBe('outside_roots')
  })

  it('PERM-15 reaches the home folder unless narrowed, and flags what lies beyond', async () => {
    const open = { ...scope, narrowed: false }
    const note = await authority.resolve('~/notes/n.md', open)
    expect(note).toMatchObject({
      outside: false,
      insideRoots: false,
      kind: 'file',
      display: join(base, 'home/notes/n.md'),
    })
    expect(await authority.resolve(join(base, 'elsewhere'), open)).toMatchObject({ outside: true, kind: 'directory' })
    expect(await refusal('~/notes/n.md')).toBe('outside_roots')
  })

  it('a home folder that is a file-system root reaches nothing', async () => {
    const rooted = new PathAuthority({ home: '/' })
    expect(await rooted.resolve(join(base, 'elsewhere'), { ...scope, narrowed: false })).toMatchObject({
      outside: true,
    })
  })

  it('PERM-16 refuses credential locations by name, by link and where the location itself is a link', async () => {
    const open = { ...scope, narrowed: false }
    await symlink(join(base, 'home/.ssh/id'), join(base, 'proj/innocent'))
    await mkdir(join(base, 'elsewhere/aws'))
    await writeFile(join(base, 'elsewhere/aws/credentials'), 'x')
    await symlink(join(base, 'elsewhere/aws'), join(base, 'home/.aws'))
    expect(await refusal('~/.ssh/id', open)).toBe('credential_path')
    expect(await refusal('~/.ssh', open)).toBe('credential_path')
    expect(await refusal('innocent', open)).toBe('credential_path')
    expect(await refusal('~/.aws/credentials', open)).toBe('credential_path')
    expect(await refusal(join(base, 'elsewhere/aws/credentials'), open)).toBe('credential_path')
    expect(await refusal('~/.sshx', open)).toBe(join(base, 'home/.sshx'))
  })

  it('PERM-16 sees letter case where the file system does not', async () => {
    const mac = new PathAuthority({ home: join(base, 'home'), platform: 'darwin' })
    expect((await mac.inspect('~/.SSH/id', { ...scope, narrowed: false })).credential).toBe(true)
  })

  it('PERM-13 keeps relative paths in the working folder where that is asked for, also through links', async () => {
    const open = { ...scope, narrowed: false }
    const strict = { relativeMayEscape: false }
    await symlink(join(base, 'elsewhere'), join(base, 'proj/out'))
    expect(await refusal('../elsewhere', open, strict)).toBe('outside_roots')
    expect(await refusal('out/new.txt', open, strict)).toBe('outside_roots')
    expect(await refusal('../proj/a.txt', open, strict)).toBe('a.txt')
    expect(await refusal(join(base, 'home/notes'), open, strict)).toBe(join(base, 'home/notes'))
  })

  it('follows links to nothing and links that go round, without touching what they name', async () => {
    await symlink(join(base, 'elsewhere/none'), join(base, 'proj/dangling'))
    await symlink('self', join(base, 'proj/self'))
    const open = { ...scope, narrowed: false }
    expect(await authority.resolve('dangling', open)).toMatchObject({
      real: join(base, 'elsewhere/none'),
      exists: false,
      kind: 'missing',
      symlink: true,
      outside: true,
    })
    expect(await authority.resolve('self', open)).toMatchObject({ exists: false, kind: 'missing', symlink: true })
    expect(await refusal('dangling')).toBe('outside_roots')
  })

  it('resolves the deepest parent that exists', async () => {
    await symlink(join(base, 'elsewhere'), join(base, 'proj/out'))
    const resolved = await authority.resolve('out/new/deep.txt', { ...scope, narrowed: false })
    expect(resolved.real).toBe(join(base, 'elsewhere/new/deep.txt'))
    expect(touch('write', resolved)).toEqual({
      kind: 'write',
      target: join(base, 'elsewhere/new/deep.txt'),
      given: join(base, 'proj/out/new/deep.txt'),
      outside: true,
    })
  })

  it('lets a narrowed session read its own kept output', async () => {
    const own = { ...scope, toolResultsFolder: join(base, 'elsewhere') }
    expect(await refusal(join(base, 'elsewhere/out.txt'), own)).toBe(join(base, 'elsewhere/out.txt'))
  })

  it('refuses what is no path', async () => {
    for (const given of ['', '  ', 'a\0b', 'x'.repeat(5000)]) expect(await refusal(given)).toBe('invalid_arguments')
    const windows = new PathAuthority({ platform: 'win32', home: 'C:\\Users\\ann' })
    expect(() => windows.absolute('a.txt:hidden', 'C:\\work')).toThrow('stream')
    expect(windows.absolute('~/x', 'C:\\work')).toBe('C:\\Users\\ann\\x')
  })
})

describe('isInside', () => {
  it.each([
    ['win32', 'C:\\Work\\a', 'c:\\work', true],
    ['win32', 'C:\\workshop', 'C:\\work', false],
    ['win32', 'D:\\work', 'C:\\work', false],
    ['darwin', '/Users/Ann', '/users/ann', true],
    ['linux', '/Users/Ann', '/users/ann', false],
    ['linux', '/a/..b', '/a', true],
    ['linux', '/a', '', false],
  ] as const)('%s: %s in %s is %s', (platform, child, parent, expected) => {
    expect(isInside(child, parent, pathRules(platform))).toBe(expected)
  })
})
