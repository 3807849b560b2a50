import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  contentHash,
  readStamp,
  stampMatches,
  userCacheFolder,
  withLock,
  writeStamp,
} from '../../../resources/build/lib/files.mjs'
import { treeMatchesLock } from '../../../resources/build/lib/packages.mjs'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'build-files-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('the fingerprint of sources', () => {
  it('changes with content, with names and with what appears, and with nothing else', async () => {
    await mkdir(path.join(folder, 'main/deep'), { recursive: true })
    await writeFile(path.join(folder, 'main/deep/a.ts'), 'one')
    const of = () => contentHash(['main', 'tsconfig.json'], folder)
    const first = of()
    await utimes(path.join(folder, 'main/deep/a.ts'), new Date(0), new Date(0))
    expect(of()).toBe(first)
    await writeFile(path.join(folder, 'main/deep/a.ts'), 'two')
    const second = of()
    expect(second).not.toBe(first)
    await writeFile(path.join(folder, 'tsconfig.json'), '{}')
    expect(of()).not.toBe(second)
  })
})

describe('stamps', () => {
  it('come back as written and count only when every key agrees', async () => {
    const file = path.join(folder, 'deep/stamp.json')
    await writeStamp(file, { lock: 'a', abi: '115', note: 'x' })
    expect(stampMatches(readStamp(file), { lock: 'a', abi: '115' })).toBe(true)
    expect(stampMatches(readStamp(file), { lock: 'b', abi: '115' })).toBe(false)
    expect(await readdir(path.dirname(file))).toEqual(['stamp.json'])
  })

  it('are absent when missing or torn', async () => {
    const file = path.join(folder, 'stamp.json')
    expect(readStamp(file)).toBeUndefined()
    await writeFile(file, '{"lock": "a')
    expect(readStamp(file)).toBeUndefined()
    expect(stampMatches(undefined, {})).toBe(false)
  })
})

describe('the installed tree', () => {
  const wanted = {
    '': { version: '0.1.0' },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b': { version: '2.0.0', optional: true },
  }
  it('may lack what is optional', () => {
    expect(treeMatchesLock(wanted, { 'node_modules/a': { version: '1.0.0' } })).toBe(true)
  })
  it.each([
    ['has no record', undefined],
    ['lacks a package', {}],
    ['has another version', { 'node_modules/a': { version: '1.0.1' } }],
    ['has more', { 'node_modules/a': { version: '1.0.0' }, 'node_modules/c': { version: '1.0.0' } }],
  ])('does not count when it %s', (_why, installed) => {
    expect(treeMatchesLock(wanted, installed)).toBe(false)
  })
})

describe('the lock', () => {
  it('lets one in at a time and is gone afterwards', async () => {
    const lock = path.join(folder, 'x.lock')
    let inside = 0
    let most = 0
    const work = async () => {
      inside++
      most = Math.max(most, inside)
      await delay(30)
      inside--
    }
    let waited = 0
    const options = { onWait: () => waited++ }
    await Promise.all([withLock(lock, work, options), withLock(lock, work, options), withLock(lock, work, options)])
    expect(most).toBe(1)
    expect(waited).toBe(2)
    expect(await readdir(folder)).toEqual([])
  })

  it('is taken over from a process that died', async () => {
    const lock = path.join(folder, 'x.lock')
    await mkdir(lock)
    await writeFile(path.join(lock, 'owner.json'), JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }))
    expect(await withLock(lock, async () => 'in')).toBe('in')
  })

  it('is taken over from a holder elsewhere that fell silent', async () => {
    const lock = path.join(folder, 'x.lock')
    await mkdir(lock)
    await writeFile(path.join(lock, 'owner.json'), JSON.stringify({ pid: 1, host: 'elsewhere' }))
    await utimes(lock, new Date(0), new Date(0))
    expect(await withLock(lock, async () => 'in')).toBe('in')
  })

  it('is freed when the work fails', async () => {
    const lock = path.join(folder, 'x.lock')
    await expect(withLock(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await readdir(folder)).toEqual([])
  })
})

it('keeps shared things where each system wants them', () => {
  const home = path.join('/', 'home', 'me')
  expect(userCacheFolder({ platform: 'linux', env: {}, home })).toBe(path.join(home, '.cache', 'plumbline'))
  expect(userCacheFolder({ platform: 'linux', env: { XDG_CACHE_HOME: '/c' }, home })).toBe(path.join('/c', 'plumbline'))
  expect(userCacheFolder({ platform: 'darwin', env: {}, home })).toBe(path.join(home, 'Library/Caches/plumbline'))
  expect(userCacheFolder({ platform: 'win32', env: { LOCALAPPDATA: '/l' }, home })).toBe(
    path.join('/l', 'plumbline', 'Cache'),
  )
})
