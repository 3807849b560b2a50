import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FileSessionStore } from '../../main/sessions/file-session-store'
import { readSession } from '../../main/sessions/journal-lines'
import { findSession } from '../../main/sessions/session-paths'
import type { SessionEvent } from '../../preload/contract/events'
import { reduce } from '../../preload/contract/reduce'
import { emptySessionState, type SessionState } from '../../preload/contract/session-state'
import { bundle } from '../fixtures/sessions/bundle'
import { randomSource } from '../fixtures/sessions/random-events'

const ROUNDS = 25

let folder: string
let program: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'plumbline-kill-'))
  await mkdir(path.join(folder, 'project'))
  const built = await bundle({ writer: 'test/fixtures/sessions/writer-process.ts' }, path.join(folder, 'built'))
  program = built.writer ?? ''
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Lets the writer work until `lines` lines came and `ms` more passed, kills it, and answers with what it had said. */
async function killed(home: string, id: string | undefined, lines: number, ms: number): Promise<string[]> {
  const child = spawn(process.execPath, [program, home, path.join(folder, 'project'), ...(id ? [id] : [])], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  let problems = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    problems += text
  })
  const enough = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.split('\n').length > lines) resolve()
    })
  })
  const closed = once(child, 'close')
  await Promise.race([enough, closed])
  await new Promise((resolve) => setTimeout(resolve, ms))
  child.kill('SIGKILL')
  await closed
  expect(problems).toBe('')
  return said.slice(0, said.lastIndexOf('\n')).split('\n')
}

const header = ({ pages: _pages, live: _live, ...rest }: SessionState): unknown => JSON.parse(JSON.stringify(rest))

describe('a process that is killed while it writes a session', () => {
  it(`loses nothing that was acknowledged, at ${ROUNDS} moments, and the session always opens`, async () => {
    const random = randomSource(20_26)
    const home = path.join(folder, 'home')
    let id: string | undefined
    let previous: string[] = []
    let interrupted = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const said = await killed(home, id, 1 + Math.floor(random() * 12), random() * 12)
      id ??= said[0]?.split(' ')[1] ?? ''
      const store = new FileSessionStore({ home })
      const journal = await store.open(id)
      await journal.indexed
      const { journal: file } = await findSession(path.join(home, 'sessions'), id)
      const events: SessionEvent[] = []
      for await (const event of readSession(file)) events.push(event)

      const ids = new Set(events.map((event) => event.id))
      expect(ids.size).toBe(events.length)
      for (const line of said) if (line.startsWith('kept ')) expect(ids.has(line.slice(5)), line).toBe(true)
      for (const known of previous) expect(ids.has(known)).toBe(true)
      events.slice(1).forEach((event, index) => {
        expect(event.parent).toBe(events[index]?.id)
      })
      expect((await readFile(file)).at(-1)).toBe(10)
      const whole = events.reduce(reduce, emptySessionState)
      expect(header(journal.state)).toEqual(header(journal.interrupted.reduce(reduce, whole)))
      expect(journal.interrupted.length).toBe(Object.keys(whole.open).length + (whole.running === null ? 0 : 1))
      expect(journal.issues).toEqual([])
      for (const event of events.slice(-5)) {
        const part = event.type === 'call.finished' ? event.content[0] : undefined
        if (part?.blob) expect((await journal.blobs.get(part.blob.id)).byteLength).toBe(part.blob.bytes)
      }
      interrupted += journal.interrupted.length
      previous = [...ids]
      await store.dispose()
    }
    expect(interrupted).toBeGreaterThan(ROUNDS)
  }, 120_000)
})
