import { mkdir, mkdtemp, realpath, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DirectoryCache } from '../../../main/workspace/directory-cache'

let folder = ''
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'listings-')))
  await mkdir(path.join(folder, 'sub'))
  await writeFile(path.join(folder, 'b.txt'), 'b')
  await writeFile(path.join(folder, 'a.txt'), 'a')
})
afterEach(() => rm(folder, { recursive: true }))

/** Sets the folder's time back, so that it counts as settled. */
const settle = (seconds: number) => utimes(folder, new Date(), new Date(Date.now() - seconds * 1000))
const names = (cache: DirectoryCache) => cache.list(folder).map(({ name }) => name)

describe('DirectoryCache', () => {
  it('FIND-19 keeps names and kinds by path and time of the folder', async () => {
    await settle(60)
    const cache = new DirectoryCache()
    const first = cache.list(folder)
    expect(first).toEqual([
      { name: 'a.txt', kind: 'file' },
      { name: 'b.txt', kind: 'file' },
      { name: 'sub', kind: 'directory' },
    ])
    expect(cache.list(folder)).toBe(first)
    expect(cache.size).toBe(3)
    await writeFile(path.join(folder, 'c.txt'), 'c')
    expect(names(cache)).toEqual(['a.txt', 'b.txt', 'c.txt', 'sub'])
  })

  it('FIND-19 forgets after a while, even where the time says nothing changed', async () => {
    await settle(60)
    let now = Date.now()
    const cache = new DirectoryCache(() => now)
    const first = cache.list(folder)
    now += 29_000
    expect(cache.list(folder)).toBe(first)
    now += 2_000
    expect(cache.list(folder)).not.toBe(first)
  })

  it('FIND-19 does not trust a folder that has just changed', async () => {
    await settle(0)
    const cache = new DirectoryCache()
    cache.list(folder)
    expect(cache.size).toBe(0)
  })

  it('names what is no UTF-8 and keeps its bytes', async () => {
    if (process.platform !== 'linux') return
    const bytes = Buffer.from('b\xe9.txt', 'latin1')
    await writeFile(Buffer.concat([Buffer.from(`${folder}/`), bytes]), 'x')
    expect(new DirectoryCache().list(folder)[2]).toEqual({ name: 'b\uFFFD.txt', kind: 'file', bytes })
  })
})
