import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TemporaryFiles } from '../../../main/platform/temporary-files'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'temporary-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const at = (name: string) => path.join(folder, name)
const make = (pid: number, alive: readonly number[] = []) =>
  new TemporaryFiles({ folder: at('lists'), pid, isAlive: (other) => alive.includes(other) })

describe('temporary files', () => {
  it('removes what a dead process left, and only files with a temporary name', async () => {
    const [own, other] = [at('.a.txt.0123456789ab.tmp'), at('.b.txt.0123456789ab.tmp')]
    for (const file of [own, other, at('notes.txt')]) await writeFile(file, 'x')
    await make(11).note(own)
    await make(11).note(at('notes.txt'))
    await make(11).note('.relative.0123456789ab.tmp')
    await make(12).note(other)
    await writeFile(at('lists/11.list'), `${await readFile(at('lists/11.list'), 'utf8')}{"torn`)
    expect(await make(13, [12]).sweep()).toBe(1)
    expect((await readdir(folder)).sort()).toEqual(['.b.txt.0123456789ab.tmp', 'lists', 'notes.txt'])
    expect(await readdir(at('lists'))).toEqual(['12.list'])
    expect(await make(13).sweep()).toBe(1)
    expect((await readdir(folder)).sort()).toEqual(['lists', 'notes.txt'])
  })

  it('keeps its own list short and takes it away in the end', async () => {
    const mine = make(11)
    for (let index = 0; index < 1000; index += 1) {
      await mine.note(at('.a.0123456789ab.tmp'))
      await mine.done(at('.a.0123456789ab.tmp'))
    }
    expect(await readFile(at('lists/11.list'), 'utf8')).toBe('')
    expect(await mine.sweep()).toBe(0)
    await mine.dispose()
    expect(await readdir(at('lists'))).toEqual([])
  })
})
