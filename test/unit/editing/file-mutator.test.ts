import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FileLocks } from '../../../main/editing/file-locks'
import { FileMutator } from '../../../main/editing/file-mutator'
import { CommitFailed, FileMoved, type Mutation } from '../../../main/editing/mutation'
import { type FileOperations, systemFiles } from '../../../main/platform/atomic-write'
import { MemoryBlobs } from '../../support/memory-journal'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mutator-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const bytes = (text: string) => new TextEncoder().encode(text)
const at = (name: string) => path.join(folder, name)
const text = (name: string) => readFile(at(name), 'utf8')
const modify = (name: string, before: string, after: string): Mutation => ({
  kind: 'modify',
  path: at(name),
  before: bytes(before),
  after: bytes(after),
})

/** The file system until its n-th call, which kills the process as far as this test is concerned. */
function dyingAfter(calls: number): { files: FileOperations; count: () => number } {
  let made = 0
  const files = { ...systemFiles }
  for (const name of [
    'open',
    'rename',
    'link',
    'unlink',
    'rmdir',
    'mkdir',
    'lstat',
    'readFile',
    'chmod',
    'copyFile',
  ] as const) {
    const original = systemFiles[name] as (...args: unknown[]) => Promise<unknown>
    Object.assign(files, {
      [name]: async (...args: unknown[]) => {
        made += 1
        if (made > calls) throw Object.assign(new Error('EIO: gone'), { code: 'EIO' })
        return original(...args)
      },
    })
  }
  return { files, count: () => made }
}

describe('FileMutator', () => {
  it('EDIT-15 verifies every file before the first write', async () => {
    await Promise.all([writeFile(at('a'), 'a'), writeFile(at('b'), 'changed')])
    const commit = new FileMutator().commit([modify('a', 'a', 'A'), modify('b', 'b', 'B')], new MemoryBlobs())
    await expect(commit).rejects.toBeInstanceOf(FileMoved)
    expect([await text('a'), await text('b')]).toEqual(['a', 'changed'])
  })

  it('refuses a file that became a link, and one that went', async () => {
    await writeFile(at('real'), 'a')
    await symlink(at('real'), at('a'))
    await expect(new FileMutator().commit([modify('a', 'a', 'A')], new MemoryBlobs())).rejects.toBeInstanceOf(FileMoved)
    await expect(new FileMutator().commit([modify('gone', 'a', 'A')], new MemoryBlobs())).rejects.toBeInstanceOf(
      FileMoved,
    )
    expect(await text('real')).toBe('a')
  })

  it('EDIT-72 a folder without access is told with its code', async () => {
    await writeFile(at('a'), 'a')
    const files = {
      ...systemFiles,
      readFile: (async () => Promise.reject(Object.assign(new Error('no'), { code: 'EACCES' }))) as never,
    }
    await expect(new FileMutator({ files }).commit([modify('a', 'a', 'A')], new MemoryBlobs())).rejects.toThrow(
      /^FILE_MUTATION_CONFLICT:target_unreadable: .* can't be read \(EACCES\)\. No changes were written\./,
    )
  })

  it('WRITE-03 stopped at any call, every file is old or new as a whole and nothing else lies there', async () => {
    const mutations = (): Mutation[] => [
      modify('a', 'old a', 'new a'),
      { kind: 'create', path: at('sub/new'), after: bytes('new') },
      { kind: 'move', path: at('m'), to: at('moved'), before: bytes('old m'), after: bytes('new m') },
      { kind: 'delete', path: at('d'), before: bytes('old d') },
    ]
    for (let calls = 0; ; calls += 1) {
      await rm(folder, { recursive: true, force: true })
      await mkdir(folder)
      for (const name of ['a', 'm', 'd']) await writeFile(at(name), `old ${name}`)
      const { files, count } = dyingAfter(calls)
      const outcome = await new FileMutator({ files })
        .commit(mutations(), new MemoryBlobs())
        .catch((failure: unknown) => failure)
      expect(['old a', 'new a']).toContain(await text('a'))
      const names = (await readdir(folder, { recursive: true })).filter((name) => !name.endsWith('.tmp'))
      for (const name of names) expect(['a', 'd', 'm', 'moved', 'sub', path.join('sub', 'new')]).toContain(name)
      if (names.includes(path.join('sub', 'new'))) expect(await text('sub/new')).toBe('new')
      const moved = names.includes('moved') ? await text('moved') : undefined
      expect(moved ?? (await text('m'))).toMatch(/^(old|new) m$/)
      if (names.includes('d')) expect(await text('d')).toBe('old d')
      if (Array.isArray(outcome)) {
        expect(outcome).toHaveLength(4)
        // Only the last flush of a folder may fail without the change being lost; that is told.
        expect(outcome.at(-1)).toMatchObject({ durable: calls >= count() })
        if (calls >= count()) break
        continue
      }
      expect(outcome).toBeInstanceOf(Error)
    }
  })

  it('names what landed before a failure', async () => {
    await Promise.all([writeFile(at('a'), 'a'), writeFile(at('b'), 'b')])
    const files = {
      ...systemFiles,
      rename: async (from: string, to: string) => {
        if (to === at('b')) throw Object.assign(new Error('EIO'), { code: 'EIO' })
        await systemFiles.rename(from, to)
      },
    } as FileOperations
    const failure = await new FileMutator({ files })
      .commit([modify('a', 'a', 'A'), modify('b', 'b', 'B')], new MemoryBlobs())
      .catch((thrown: unknown) => thrown)
    expect(failure).toBeInstanceOf(CommitFailed)
    expect(failure).toMatchObject({ index: 1, applied: [{ path: at('a') }] })
    expect((await readdir(folder)).sort()).toEqual(['a', 'b'])
  })

  it('two writers of one file take turns, and the second sees that it moved', async () => {
    await writeFile(at('a'), 'a')
    const mutator = new FileMutator()
    const blobs = new MemoryBlobs()
    const both = await Promise.allSettled([
      mutator.commit([modify('a', 'a', 'one')], blobs),
      mutator.commit([modify('a', 'a', 'two')], blobs),
    ])
    expect(both.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected'])
    expect(await text('a')).toBe('one')
  })

  it('makes folders and takes them back when the file can not be made', async () => {
    const files = {
      ...systemFiles,
      link: async () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' })),
    } as FileOperations
    const create: Mutation = { kind: 'create', path: at('x/y/z'), after: bytes('z') }
    await expect(new FileMutator({ files }).commit([create], new MemoryBlobs())).rejects.toBeInstanceOf(CommitFailed)
    expect(await readdir(folder)).toEqual([])
    await new FileMutator().commit([create], new MemoryBlobs())
    expect((await stat(at('x/y/z'))).isFile()).toBe(true)
  })

  it('locks are given in order and let go', async () => {
    const locks = new FileLocks()
    const order: string[] = []
    const hold = (name: string, paths: string[]) =>
      locks.hold(paths, async () => {
        order.push(`${name} in`)
        await new Promise((resolve) => setTimeout(resolve, 1))
        order.push(`${name} out`)
      })
    await Promise.all([hold('one', ['a', 'b']), hold('two', ['b', 'a']), hold('three', ['c'])])
    expect(order.indexOf('one out')).toBeLessThan(order.indexOf('two in'))
    expect(locks.size).toBe(0)
  })
})
