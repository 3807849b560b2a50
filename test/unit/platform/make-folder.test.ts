import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeFolderWithParents } from '../../../main/platform/make-folder'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'plumbline-folders-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('makeFolderWithParents', () => {
  it('makes what is missing and answers the outermost folder that it made', async () => {
    const target = path.join(folder, 'a', 'b', 'c')
    expect(await makeFolderWithParents(target, { mode: 0o700 })).toBe(path.join(folder, 'a'))
    expect(statSync(target).isDirectory()).toBe(true)
    if (process.platform !== 'win32') expect(statSync(target).mode & 0o777).toBe(0o700)
    expect(await makeFolderWithParents(target)).toBeUndefined()
    expect(await makeFolderWithParents(path.join(target, 'd'))).toBe(path.join(target, 'd'))
    expect(await makeFolderWithParents(path.parse(folder).root)).toBeUndefined()
  })

  it('fails where a file has the name, or stands in the way', async () => {
    const file = path.join(folder, 'file')
    writeFileSync(file, '')
    await expect(makeFolderWithParents(file)).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(makeFolderWithParents(path.join(file, 'a', 'b'))).rejects.toMatchObject({ code: 'ENOTDIR' })
  })

  it('fails, rather than trying for ever, where an existing folder says ENOENT', async () => {
    const calls: string[] = []
    const files = {
      mkdir: (target: string) => {
        calls.push(target)
        return Promise.reject(Object.assign(new Error('ENOENT'), { code: 'ENOENT' }))
      },
    }
    await expect(makeFolderWithParents(path.join(folder, 'a', 'b'), { files })).rejects.toMatchObject({
      code: 'ENOENT',
    })
    expect(calls.length).toBeLessThan(10)
    expect(existsSync(path.join(folder, 'a'))).toBe(false)
  })

  it('is content when another made it at the same time', async () => {
    const target = path.join(folder, 'x', 'y', 'z')
    const made = await Promise.all(Array.from({ length: 8 }, () => makeFolderWithParents(target)))
    expect(made.filter((first) => first === path.join(folder, 'x'))).toHaveLength(1)
    expect(existsSync(target)).toBe(true)
  })
})
