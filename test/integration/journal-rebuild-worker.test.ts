import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFolder } from '../../main/sessions/file-operations'
import { FileSessionStore } from '../../main/sessions/file-session-store'
import { createRebuild, type Rebuild } from '../../main/sessions/rebuild-thread'
import { sessionPaths } from '../../main/sessions/session-paths'
import { bundle } from '../fixtures/sessions/bundle'
import { writeGeneratedJournal } from '../fixtures/sessions/generate-session'

let home: string
let rebuild: Rebuild
const id = 's_generated0'

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'plumbline-rebuild-'))
  const built = await bundle({ worker: 'main/sessions/index-rebuild.worker.ts' }, path.join(home, 'built'))
  rebuild = createRebuild(pathToFileURL(built.worker ?? ''))
})
afterAll(() => rm(home, { recursive: true, force: true }))

async function generate(events: number): Promise<ReturnType<typeof sessionPaths>> {
  const paths = sessionPaths(path.join(home, 'sessions', 'generated'), id)
  await rm(paths.folder, { recursive: true, force: true })
  await makeFolder(paths.folder)
  writeGeneratedJournal(paths.journal, { id, cwd: '/project', events, textCharacters: 5000, seed: 1 })
  return paths
}

describe('the index that is made in a thread', () => {
  it('makes a long session whole, and the next opening uses it', async () => {
    await generate(3000)
    const store = new FileSessionStore({ home, rebuild })
    const first = await store.open(id)
    const screen = first.state.length
    await first.indexed
    expect(first.state.length).toBeGreaterThan(screen * 5)
    const { length, title, cost } = first.state
    expect((await first.page(2)).length).toBe(256)
    await first.close()
    const refused: Rebuild = () => Promise.reject(new Error('There is a sidecar'))
    const again = await new FileSessionStore({ home, rebuild: refused }).open(id)
    await again.indexed
    expect(again.state).toMatchObject({ length, title, cost })
    await again.close()
  })

  it('is called off when the session is closed', async () => {
    await generate(6000)
    const store = new FileSessionStore({ home, rebuild })
    const journal = await store.open(id)
    const indexed = expect(journal.indexed).rejects.toMatchObject({ name: 'AbortError' })
    await journal.close()
    await indexed
    const again = await store.open(id)
    await again.indexed
    await store.dispose()
  })

  it('says when the thread can not do it', async () => {
    const paths = await generate(10)
    await rm(paths.journal)
    await expect(rebuild(paths, 1000, new AbortController().signal)).rejects.toMatchObject({ code: 'not_found' })
  })
})
