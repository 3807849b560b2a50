import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { FileMutator } from '../../../main/editing/file-mutator'
import { ReviewEngine, versionOf } from '../../../main/editing/review-engine'
import { ReviewMarks } from '../../../main/editing/review-marks'
import { UndoJournal } from '../../../main/editing/undo-journal'
import { MemoryBlobs } from '../../support/memory-journal'

let folder = ''

afterEach(() => rm(folder, { recursive: true, force: true }))

async function save(before: string, after: string) {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'review-')))
  const file = path.join(folder, 'a.txt')
  await writeFile(file, before)
  const mutator = new FileMutator()
  const engine = new ReviewEngine({ mutator, undo: new UndoJournal({ mutator }), store: new ReviewMarks() })
  const blobs = new MemoryBlobs()
  const scope = {
    id: 's_00000000',
    cwd: folder,
    roots: [folder],
    narrowed: false,
    blobs,
    folder: path.join(folder, 'kept'),
  }
  const changed = { path: 'a.txt', kind: 'modified', before: null, after: null, added: 1, removed: 1 } as const
  const act = engine.save(scope, changed, versionOf(Buffer.from(before)), after)
  return { act, onDisk: () => readFile(file, 'utf8') }
}

it('writes the edited text of a file with line feeds', async () => {
  const { act, onDisk } = await save('one\ntwo\n', 'one\nTWO\n')
  await act
  expect(await onDisk()).toBe('one\nTWO\n')
})

it('refuses to edit a file with carriage returns, whose endings the editor would change', async () => {
  const { act, onDisk } = await save('one\r\ntwo\r\n', 'one\nTWO\n')
  await expect(act).rejects.toMatchObject({ code: 'not_supported' })
  expect(await onDisk()).toBe('one\r\ntwo\r\n')
})
