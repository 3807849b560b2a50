import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sweepKeptOutput } from '../../main/execution/kept-output-sweep'
import { ensureOwnerOnlyFolder, OutputSpill } from '../../main/execution/output-spill'

const DAY = 24 * 60 * 60 * 1000
const now = Date.now()
let base = ''

beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'plumbline-sweep-'))
})
afterEach(() => rm(base, { recursive: true, force: true }))

async function folder(name: string, files: Readonly<Record<string, number>>): Promise<string> {
  const place = path.join(base, name)
  await mkdir(place, { recursive: true })
  for (const [file, days] of Object.entries(files)) {
    const target = path.join(place, file)
    await mkdir(path.dirname(target), { recursive: true })
    await writeFile(target, 'x')
    await utimes(target, new Date(now - days * DAY), new Date(now - days * DAY))
  }
  return place
}

it('PERSIST-07 PERSIST-08 removes what is old as a whole, and keeps what is fresh, live, linked or a journal', async () => {
  const old = await folder('old', { 'a.txt': 31, 'deep/b.txt': 40 })
  const fresh = await folder('fresh', { 'a.txt': 100, 'deep/b.txt': 29 })
  const live = await folder('live', { 'a.txt': 100 })
  const journal = await folder('journal', { 'a.txt': 100, 's.jsonl': 100 })
  const target = await folder('target', { 'a.txt': 100 })
  const link = path.join(base, 'link')
  await symlink(target, link)
  const folders = [old, fresh, live, journal, link, path.join(base, 'missing')]
  expect(await sweepKeptOutput({ folders, live: new Set([live]), now })).toEqual([old])
  expect((await readdir(base)).sort()).toEqual(['fresh', 'journal', 'link', 'live', 'target'])
})

it('PERSIST-04 folders that are links are refused, and no path is reported', async () => {
  const target = await folder('target', {})
  const link = path.join(base, 'link')
  await symlink(target, link)
  await expect(ensureOwnerOnlyFolder(link)).rejects.toMatchObject({ code: 'access_denied' })
  const spill = new OutputSpill({ folder: link, name: 'a.txt' })
  spill.write(Buffer.from('text'))
  expect(await spill.finish()).toBeUndefined()
  expect(await readdir(target)).toEqual([])
})

it('PERSIST-05 PERSIST-06 a kept file ends at its cap, notice included, between two characters; bytes stay as they are', async () => {
  const notice = '[Output truncated: persisted-output cap of 67108864 bytes reached]'
  const spill = new OutputSpill({ folder: base, name: 'a.txt' }, 100)
  spill.write(Buffer.from([0xff, 0x00]))
  spill.write(Buffer.from('─'.repeat(40)))
  const kept = await spill.finish()
  const { readFile } = await import('node:fs/promises')
  const bytes = await readFile(kept?.path ?? '')
  expect([bytes.length <= 100, kept?.bytes === bytes.length, bytes[0], bytes[1]]).toEqual([true, true, 0xff, 0])
  expect(bytes.subarray(2).toString()).toBe(`${'─'.repeat(10)}\n${notice}\n`)
})
