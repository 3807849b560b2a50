import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ChosenFolders } from '../../../main/app/chosen-folders'

let folder: string
let added: string[]
let chosen: ChosenFolders

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'plumbline-chosen-')))
  added = []
  chosen = new ChosenFolders({
    recent: () => added.map((entry) => ({ path: entry, name: path.basename(entry), openedAt: 1 })),
    addRecent: (entry) => added.unshift(entry),
  })
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('ChosenFolders', () => {
  it('has what was opened, and says whether it is still there', async () => {
    chosen.add(folder)
    chosen.add('/gone/for/good')
    expect([chosen.has(folder), chosen.has('/gone/for/good'), chosen.has('/')]).toEqual([true, true, false])
    expect((await chosen.list()).map(({ path: entry, exists }) => [entry, exists])).toEqual([
      ['/gone/for/good', false],
      [folder, true],
    ])
  })

  it('lets a folder of the command line be opened, by its real name, and does not list it', async () => {
    const link = path.join(folder, 'link')
    symlinkSync(folder, link)
    chosen.name(link)
    chosen.name(path.join(folder, 'nothing'))
    expect([chosen.has(folder), chosen.has(link), chosen.has(path.join(folder, 'nothing'))]).toEqual([
      true,
      false,
      false,
    ])
    expect(await chosen.list()).toEqual([])
  })
})
