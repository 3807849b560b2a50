import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { FileSessionStore } from '../../main/sessions/file-session-store'
import { bundle } from '../fixtures/sessions/bundle'
import { writeGeneratedJournal } from '../fixtures/sessions/generate-session'

const run = promisify(execFile)

const SESSION = { id: 's_generated0', cwd: '/generated', events: 50_000, textCharacters: 6800, seed: 4711 }
const ROUNDS = 5
const GOAL_MS = 400
const GOAL_MB = 40

const Opened = z.object({
  opened: z.number(),
  indexed: z.number(),
  longest: z.number(),
  page: z.number(),
  items: z.number(),
  length: z.number(),
  afterOpen: z.number(),
  settled: z.number(),
  peak: z.number(),
})
type Opened = z.infer<typeof Opened>

interface Context {
  work: string
}

/** Opening a long session, with its sidecar and without, and how long an event takes to be safe. */
export default async function measureJournal({ work }: Context) {
  const home = path.join(
    tmpdir(),
    `plumbline-bench-journal-${SESSION.events}-${SESSION.textCharacters}-${SESSION.seed}`,
  )
  const { bytes, events } = await generated(home)
  const built = path.join(work, 'built')
  const entries = {
    open: 'test/fixtures/sessions/open-process.ts',
    worker: 'main/sessions/index-rebuild.worker.ts',
  }
  const { open: program = '', worker = '' } = await bundle(entries, built)
  const index = path.join(home, 'sessions', 'generated', SESSION.id)

  const without: Opened[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await rm(index, { recursive: true, force: true })
    without.push(await openOnce(program, worker, home))
  }
  const withSidecar: Opened[] = []
  for (let round = 0; round < ROUNDS; round += 1) withSidecar.push(await openOnce(program, worker, home))
  const sidecarBytes = await sizeOf(path.join(index, 'index'))
  const { asked, call } = await appendLatency(work)

  const opened = median(withSidecar.map((one) => one.opened))
  const settled = median(withSidecar.map((one) => one.settled))
  const row = (measure: string, value: string, goal = '') => ({ measure, value, goal })
  const of = (all: Opened[], key: keyof Opened) => median(all.map((one) => one[key]))
  return {
    title: `Journal: ${events} events, ${megabytes(bytes)}; median of ${ROUNDS} processes`,
    rows: [
      row('open with sidecar, to the last screen', ms(opened), `${GOAL_MS} ms`),
      row('  memory over idle, right after', mb(of(withSidecar, 'afterOpen')), `${GOAL_MB} MB`),
      row('  memory over idle, settled', mb(settled), `${GOAL_MB} MB`),
      row('  longest block of the main thread', ms(of(withSidecar, 'longest'))),
      row('  a page from the middle', ms(of(withSidecar, 'page'))),
      row('  sidecar on disk', `${Math.round(sidecarBytes / 1024)} KB`),
      row('open without sidecar, to the last screen', ms(of(without, 'opened'))),
      row('  whole index, in the background', ms(of(without, 'indexed'))),
      row('  longest block of the main thread', ms(of(without, 'longest'))),
      row('  memory over idle, peak with the worker', mb(of(without, 'peak'))),
      row('append returns, p95', `${(percentile(call, 0.95) * 1000).toFixed(0)} µs`),
      row('event on the medium when asked for, p95', ms(percentile(asked, 0.95)), '5 ms'),
      row('  bare write and fdatasync on this disk, p95', ms(percentile(await bareSync(work), 0.95))),
    ],
    notes: [
      `The last screen holds ${of(withSidecar, 'items')} of ${of(withSidecar, 'length')} items. Memory is proportional set size where the system tells it.`,
    ],
  }
}

async function generated(home: string): Promise<{ bytes: number; events: number }> {
  const facts = z.object({ bytes: z.number(), events: z.number() })
  const note = path.join(home, 'generated.json')
  if (existsSync(note)) return facts.parse(JSON.parse(await readFile(note, 'utf8')))
  await rm(home, { recursive: true, force: true })
  const making = `${home}.${process.pid}`
  const project = path.join(making, 'sessions', 'generated')
  await mkdir(project, { recursive: true })
  const made = writeGeneratedJournal(path.join(project, `${SESSION.id}.jsonl`), SESSION)
  await writeFile(path.join(making, 'generated.json'), JSON.stringify(made))
  await rename(making, home)
  return made
}

async function openOnce(program: string, worker: string, home: string): Promise<Opened> {
  const { stdout } = await run(process.execPath, ['--expose-gc', program, home, SESSION.id, worker])
  return Opened.parse(JSON.parse(stdout))
}

/** Milliseconds of `append` alone, and until the event is on the medium when it is asked for. */
async function appendLatency(work: string): Promise<{ asked: number[]; call: number[] }> {
  const store = new FileSessionStore({ home: path.join(work, 'home') })
  const journal = await store.create({ cwd: work, toolset: 'plumbline', mode: 'ask', sandbox: 'guarded', model: null })
  const asked: number[] = []
  const call: number[] = []
  for (let index = 0; index < 500; index += 1) {
    const start = performance.now()
    journal.append({ type: 'prompt', content: [{ type: 'text', text: 'x'.repeat(2000) }] })
    call.push(performance.now() - start)
    await journal.flush()
    asked.push(performance.now() - start)
  }
  await store.dispose()
  return { asked, call }
}

/** What the disk itself takes for the same bytes, without anything of ours. */
async function bareSync(work: string): Promise<number[]> {
  const handle = await open(path.join(work, 'bare'), 'w')
  const bytes = Buffer.alloc(2200, 'x')
  const times: number[] = []
  for (let index = 0; index < 500; index += 1) {
    const start = performance.now()
    await handle.write(bytes, 0, bytes.byteLength, index * bytes.byteLength)
    await handle.datasync()
    times.push(performance.now() - start)
  }
  await handle.close()
  return times
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0
  for (const name of await readdir(folder)) bytes += (await stat(path.join(folder, name))).size
  return bytes
}

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

const ms = (value: number) => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`
const mb = (value: number) => `${value.toFixed(1)} MB`
const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`
