import { open, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { FileBlobStore } from '../../main/sessions/blob-store'
import { makeEditBench, tagIn } from '../support/edit-bench'
import { type MeasureContext, type Measured, median } from './measuring'

const SIZES = [100, 10_000, 200_000]
const ROUNDS = 15

/** Read, edit and answer through the pipeline, against a plain read-replace-write of the same file. */
export default async function benchEdit({ work }: MeasureContext): Promise<Measured> {
  const rows: Record<string, string | number>[] = []
  for (const lines of SIZES) {
    const here = await makeEditBench()
    const session = here.open.plumbline()
    Object.assign(session.scope, { blobs: new FileBlobStore(path.join(work, `blobs-${lines}`)) })
    const text = Array.from(
      { length: lines },
      (_, index) => `const value${index} = ${index} // ${'x'.repeat(20)}`,
    ).join('\n')
    await here.bench.write({ 'a.ts': `${text}\n`, 'plain.ts': `${text}\n` })
    const line = Math.floor(lines / 2)
    const times: Record<'ours' | 'loop' | 'plain' | 'flushed', number[]> = {
      ours: [],
      loop: [],
      plain: [],
      flushed: [],
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      const busy = watchLoop()
      const start = performance.now()
      const tag = tagIn(await session.call('read', { paths: [`a.ts:${line}-${line + 20}`] }))
      const answer = await session.call('edit', {
        input: `[a.ts#${tag}]\nreplace ${line}..${line}:\n+const edited = ${round}`,
      })
      times.ours.push(performance.now() - start)
      times.loop.push(busy())
      if (!answer.ok) throw new Error(answer.text)
      times.plain.push(await timed(() => plain(here.at('plain.ts'), line, round)))
      times.flushed.push(await timed(() => flushed(here.at('plain.ts'), line, round)))
    }
    await here.bench.dispose()
    const [ours, plainMs, flushedMs] = [median(times.ours), median(times.plain), median(times.flushed)]
    rows.push({
      lines,
      'read + edit (ms)': round2(ours),
      'plain (ms)': round2(plainMs),
      'plain, flushed (ms)': round2(flushedMs),
      'times plain': round2(ours / plainMs),
      'times flushed': round2(ours / flushedMs),
      'longest block (ms)': round2(median(times.loop)),
    })
  }
  return {
    title: 'Edit: read, change one line, answer',
    rows,
    notes: [
      'Plain: readFile, split, replace, join, writeFile, without a flush; flushed: the same with a temporary name, fsync of file and folder, and rename.',
      'Ours also keeps the content before and after as blobs on disk, each flushed, for undo and review.',
    ],
  }
}

const round2 = (value: number) => Math.round(value * 100) / 100

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function replaced(file: string, line: number, round: number): Promise<string> {
  const lines = (await readFile(file, 'utf8')).split('\n')
  lines[line - 1] = `const edited = ${round}`
  return lines.join('\n')
}

async function plain(file: string, line: number, round: number): Promise<void> {
  await writeFile(file, await replaced(file, line, round))
}

async function flushed(file: string, line: number, round: number): Promise<void> {
  const text = await replaced(file, line, round)
  const handle = await open(`${file}.tmp`, 'w')
  await handle.writeFile(text)
  await handle.sync()
  await handle.close()
  await rename(`${file}.tmp`, file)
  const folder = await open(path.dirname(file), 'r')
  await folder.sync()
  await folder.close()
}

/** The longest time between two turns of the event loop until the answer is called. */
function watchLoop(): () => number {
  let longest = 0
  let last = performance.now()
  let running = true
  const tick = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (running) setImmediate(tick)
  }
  setImmediate(tick)
  return () => {
    running = false
    return Math.max(longest, performance.now() - last)
  }
}
