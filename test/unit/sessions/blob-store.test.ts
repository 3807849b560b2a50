import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FileBlobStore } from '../../../main/sessions/blob-store'
import { writeAtomically } from '../../../main/sessions/file-operations'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'plumbline-blobs-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const place = (id: string) => path.join(folder, id.slice(0, 2), id)

describe('blobs', () => {
  it('are named by their digest and kept once', async () => {
    let writes = 0
    const blobs = new FileBlobStore(folder, (file, bytes) => {
      writes += 1
      return writeAtomically(file, bytes)
    })
    const bytes = Buffer.from('the same bytes')
    const refs = await Promise.all([blobs.put(bytes), blobs.put(bytes), blobs.put(Buffer.from(bytes))])
    await blobs.put(bytes)
    const id = createHash('sha256').update(bytes).digest('hex')
    expect(refs).toEqual([1, 2, 3].map(() => ({ id, bytes: bytes.byteLength })))
    expect(writes).toBe(1)
    expect(await readdir(path.join(folder, id.slice(0, 2)))).toEqual([id])
    expect(Buffer.from(await blobs.get(id))).toEqual(bytes)
    if (process.platform !== 'win32') expect((await stat(place(id))).mode & 0o777).toBe(0o600)
  })

  it('are read in part without reading the rest', async () => {
    const blobs = new FileBlobStore(folder)
    const { id } = await blobs.put(Buffer.alloc(300_000, 'x'))
    expect(await blobs.head(id, 10)).toMatchObject({ total: 300_000, bytes: Buffer.from('xxxxxxxxxx') })
    let length = 0
    for await (const chunk of blobs.stream(id, 100_000)) length += chunk.byteLength
    expect(length).toBe(100_000)
    expect((await blobs.head((await blobs.put(new Uint8Array())).id, 10)).total).toBe(0)
  })

  it('that are damaged are not handed out, and are mended by the next put', async () => {
    const blobs = new FileBlobStore(folder)
    const bytes = Buffer.from('precious')
    const { id } = await blobs.put(bytes)
    await writeFile(place(id), 'worthles')
    await expect(blobs.get(id)).rejects.toMatchObject({ code: 'io' })
    await truncate(place(id), 3)
    await blobs.put(bytes)
    expect(Buffer.from(await blobs.get(id)).toString()).toBe('precious')
  })

  it('that are not kept here are not found, whatever the name', async () => {
    const blobs = new FileBlobStore(folder)
    for (const id of ['0'.repeat(64), '../../../etc/passwd', '', 'A'.repeat(64)]) {
      await expect(blobs.get(id)).rejects.toMatchObject({ code: 'not_found' })
      await expect(blobs.head(id, 1)).rejects.toMatchObject({ code: 'not_found' })
      await expect(blobs.stream(id).next()).rejects.toMatchObject({ code: 'not_found' })
    }
  })
})
