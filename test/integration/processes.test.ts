import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Sandbox } from '../../main/execution/sandbox'
import { ShellRunner } from '../../main/execution/shell-runner'
import { Supervisor } from '../../main/execution/supervisor'
import { findMarked } from '../../main/platform/process-table'

const root = fileURLToPath(new URL('../../', import.meta.url))
let folder = ''

beforeAll(async () => {
  const cache = path.join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(path.join(cache, 'owner-'))
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
        input: { owner: path.join(root, 'test/integration/process-owner.ts') },
        output: { format: 'es', entryFileNames: '[name].js' },
      },
    },
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const exited = (child: ChildProcess) => new Promise<void>((resolve) => child.once('exit', () => resolve()))

/** Starts the program, waits until its tree is up, and ends it; answers with what was there before. */
async function startAndEnd(way: string, mark: string, signal: NodeJS.Signals): Promise<number> {
  const child = spawn(process.execPath, [path.join(folder, 'owner.js'), folder, way, mark], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('started')) resolve()
    })
    child.once('exit', () => reject(new Error('The program ended early')))
  })
  await expect
    .poll(async () => (await findMarked(`SURVIVOR_TEST=${mark}`)).length, { timeout: 5_000 })
    .toBeGreaterThanOrEqual(5)
  const before = (await findMarked(`SURVIVOR_TEST=${mark}`)).length
  const end = exited(child)
  child.kill(signal)
  await end
  return before
}

describe.runIf(process.platform === 'linux').each(['namespace', 'guardian'])('processes held by a %s', (way) => {
  it.each<[string, NodeJS.Signals]>([
    ['kill -9', 'SIGKILL'],
    ['a crash', 'SIGUSR2'],
    ['an orderly quit', 'SIGTERM'],
  ])('nothing is left 3 s after %s', async (_name, signal) => {
    const mark = `${path.basename(folder)}-${way}-${signal}`
    expect(await startAndEnd(way, mark, signal)).toBeGreaterThanOrEqual(5)
    await expect.poll(async () => findMarked(`SURVIVOR_TEST=${mark}`), { timeout: 3_000, interval: 100 }).toEqual([])
  })
})

describe.runIf(process.platform === 'linux').each([
  { way: 'namespace', programFolders: undefined },
  { way: 'guardian', programFolders: [] as string[] },
])('rounds of starting and stopping, held by a $way', ({ programFolders }) => {
  it('leave no survivor and no handle', async () => {
    const supervisor = new Supervisor()
    const sandbox = new Sandbox({ credentialLocations: async () => [], ...(programFolders && { programFolders }) })
    const shells = new ShellRunner({ supervisor, sandbox })
    const mark = `${path.basename(folder)}-rounds`
    const trees = [
      'sleep 300 & sleep 300',
      "trap '' TERM HUP INT; while :; do sleep 0.02; done",
      '(setsid sleep 300 &) & (setsid sh -c "sleep 300 & sleep 300" &) ; sleep 300',
      'for i in 1 2 3 4 5 6; do (sleep 300 & sleep 300) & done; wait',
    ]
    const round = async (index: number) => {
      const { process: running } = await shells.start({
        command: trees[index % trees.length] ?? '',
        cwd: folder,
        env: { SURVIVOR_TEST: mark },
        timeoutMs: null,
        tier: 'off',
        roots: [folder],
        temporaryFolder: folder,
      })
      await new Promise((resolve) => setTimeout(resolve, (index * 7) % 60))
      return (await running.stop('stopped', 50)).ended
    }
    await round(0)
    const handles = process.getActiveResourcesInfo().length
    for (let index = 0; index < 16; index += 1) expect(await round(index)).toBe('stopped')
    expect(await findMarked(`SURVIVOR_TEST=${mark}`)).toEqual([])
    expect(supervisor.running).toBe(0)
    await expect.poll(() => process.getActiveResourcesInfo().length).toBeLessThanOrEqual(handles + 2)
    await supervisor.dispose()
  })
})
