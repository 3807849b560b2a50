import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Scrollback } from '../../../main/execution/scrollback'
import { Terminals } from '../../../main/execution/terminals'
import { NodeProcessHost } from '../../../main/platform/process-host'
import { findMarked } from '../../../main/platform/process-table'
import type { TerminalOutput } from '../../../preload/contract/terminal'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const session = 's_00000000'
let folder = ''
let terminals: Terminals

beforeAll(async () => {
  const cache = path.join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  folder = realpathSync(mkdtempSync(path.join(cache, 'pty-')))
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      target: 'node20.18',
      rolldownOptions: {
        input: { pty: path.join(root, 'main/execution/pty.host.ts') },
        output: { format: 'es', entryFileNames: '[name].js' },
      },
    },
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeEach(() => {
  terminals = open()
})
afterEach(() => terminals.dispose())

function open(shell = { file: '/bin/sh', args: [] as string[] }) {
  return new Terminals({ host: new NodeProcessHost(), hostModule: path.join(folder, 'pty.js'), shell })
}

const make = (more: object = {}) =>
  terminals.create({ session, cwd: folder, columns: 80, rows: 24, env: { PS1: '$ ' }, ...more })

/** Collects what a terminal prints and acknowledges it at once. */
function follow(id: string, acknowledge = true) {
  const seen = { text: '', exit: undefined as TerminalOutput | undefined }
  terminals.attach(id, (output) => {
    if (output.type === 'exit') seen.exit = output
    else {
      seen.text += output.data
      if (acknowledge) terminals.acknowledge(id, output.data.length)
    }
  })
  return seen
}

describe('terminals', () => {
  it('run a shell in the folder, take what is typed, know their size', async () => {
    const { id } = await make()
    const seen = follow(id)
    terminals.write(id, 'pwd; stty size; test -t 0 && echo a-tty\r')
    // What is typed comes back too, so the answer is told by what stands before it.
    await expect.poll(() => seen.text).toContain(`${folder}\r\n24 80\r\na-tty\r\n`)
    terminals.resize(id, 100, 30)
    for (const [columns, rows] of [
      [Number.NaN, 3],
      [0, 0],
      [1, 1],
      [Number.POSITIVE_INFINITY, 5],
    ] as const)
      terminals.resize(id, columns, rows)
    terminals.write(id, 'stty size\r')
    await expect.poll(() => seen.text).toContain('30 100\r\n')
  })

  it('several of a session are listed; the kept output comes first for who attaches later', async () => {
    const first = await make()
    const second = await make()
    expect(terminals.list(session).map(({ id, alive }) => [id, alive])).toEqual([
      [first.id, true],
      [second.id, true],
    ])
    expect(terminals.list('s_99999999')).toEqual([])
    terminals.write(second.id, 'echo early-$((1+1))\r')
    const seen = follow(second.id)
    await expect.poll(() => seen.text).toContain('early-2')
    expect(follow(second.id).text).toContain('early-2')
  })

  it('S41 the end of the output comes before the exit, with the right code', async () => {
    await terminals.dispose()
    terminals = open({ file: '/bin/sh', args: ['-c', "sleep 0.05; printf 'hello%.0s' $(seq 4096); exit 5"] })
    await Promise.all(
      Array.from({ length: 12 }, async () => {
        const { id } = await make()
        const seen = follow(id)
        await expect.poll(() => seen.exit, { timeout: 10_000 }).toEqual({ type: 'exit', exitCode: 5, signal: null })
        expect(seen.text).toHaveLength(20_480)
      }),
    )
    expect(terminals.list(session).some(({ alive }) => alive)).toBe(false)
  })

  it('hold the process up while 100,000 characters are not drawn, and go on when they are', async () => {
    const { id } = await make()
    const seen = follow(id, false)
    terminals.write(id, "yes 0123456789 | head -c 1000000; echo; echo all-'done'\r")
    await expect.poll(() => seen.text.length).toBeGreaterThan(90_000)
    await new Promise((resolve) => setTimeout(resolve, 300))
    const held = seen.text.length
    expect(held).toBeLessThan(300_000)
    let drawn = 0
    await expect
      .poll(
        () => {
          terminals.acknowledge(id, seen.text.length - drawn)
          drawn = seen.text.length
          return seen.text
        },
        { interval: 10, timeout: 10_000 },
      )
      .toContain('all-done')
  })

  it('run freely while nobody looks, keeping the newest output only', async () => {
    const { id } = await make()
    terminals.write(id, "yes 0123456789 | head -c 3000000; echo; echo all-'done'\r")
    const text = () => {
      let kept = ''
      void terminals.attach(id, (output) => {
        if (output.type === 'data') kept += output.data
      })()
      return kept
    }
    await expect.poll(text, { timeout: 10_000 }).toContain('all-done')
    expect(text().length).toBeLessThanOrEqual(1_000_000)
  })

  it('closing ends everything that was started in one, and says so', async () => {
    const mark = path.basename(folder)
    const { id } = await make({ env: { SURVIVOR_TEST: mark } })
    const seen = follow(id)
    terminals.write(id, "(trap '' HUP TERM; sleep 300) & setsid sleep 300 & nohup sleep 300 & echo up-$((1+1))\r")
    await expect.poll(() => seen.text).toContain('up-2')
    await expect.poll(async () => (await findMarked(`SURVIVOR_TEST=${mark}`)).length).toBeGreaterThanOrEqual(4)
    await terminals.close(id)
    await expect.poll(() => findMarked(`SURVIVOR_TEST=${mark}`)).toEqual([])
    expect([seen.exit?.type, terminals.list(session)]).toEqual(['exit', []])
    expect(() => terminals.write(id, 'x')).toThrow(/no terminal/)
    await terminals.close(id)
  })

  it('a broken helper ends its terminals only, and the next one gets a new helper', async () => {
    const started = await make()
    const seen = follow(started.id)
    const [helper] = await findHelpers()
    process.kill(helper ?? 0, 'SIGKILL')
    await expect.poll(() => seen.exit).toEqual({ type: 'exit', exitCode: null, signal: null })
    const next = await make()
    const fresh = follow(next.id)
    terminals.write(next.id, 'echo back-$((1+1))\r')
    await expect.poll(() => fresh.text).toContain('back-2')
  })
})

async function findHelpers(): Promise<number[]> {
  const { listProcesses } = await import('../../../main/platform/process-table')
  const { readFile } = await import('node:fs/promises')
  const rows = (await listProcesses()).filter((row) => row.parent === process.pid)
  const found: number[] = []
  for (const row of rows) {
    const line = await readFile(`/proc/${row.pid}/cmdline`, 'utf8').catch(() => '')
    if (line.includes(path.join(folder, 'pty.js'))) found.push(row.pid)
  }
  return found.reverse()
}

it('a shell or a folder that is not there is an error or an exit, never a hang', async () => {
  const broken = open({ file: '/nowhere/shell', args: [] })
  const ended = await broken.create({ session, cwd: folder, columns: 80, rows: 24 }).then(
    ({ id }) =>
      new Promise<string>((resolve) => void broken.attach(id, (output) => output.type === 'exit' && resolve('exit'))),
    () => 'error',
  )
  expect(['exit', 'error']).toContain(ended)
  await broken.dispose()
})

it('the scrollback is bounded and begins with a line where it was cut', () => {
  const kept = new Scrollback(100)
  for (let line = 0; line < 1000; line += 1) kept.push(`line ${line}\n`)
  expect(kept.text().length).toBeLessThanOrEqual(100)
  expect(kept.text()).toMatch(/^line 9\d\d\n/)
  expect(kept.text().endsWith('line 999\n')).toBe(true)
})
