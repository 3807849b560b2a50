import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { launch, type RunningApp, Workspace } from './support/app'
import { treeOf } from './support/processes'

const workspace = new Workspace()
let app: RunningApp | undefined

afterEach(async () => {
  await app?.kill().catch(() => undefined)
  app = undefined
})

afterAll(() => workspace.dispose())

/** The app with a turn that runs a command with children, one of which left its process group. */
async function atWork(): Promise<RunningApp> {
  const folder = workspace.project({ 'a.txt': 'a\n' })
  const command = 'setsid sleep 987 & sleep 986 & sh -c "sleep 985" & wait'
  const model = workspace.script([{ calls: [{ tool: 'bash', args: { command, timeout: 300 } }] }, { text: 'Done.' }])
  const running = await launch(workspace, { args: [folder, '--model', model] })
  await running.get('composer').waitFor()
  await running.send('Sleep')
  await running.get('approval-allow-once').first().click()
  await expect
    .poll(() => treeOf(running.pid).filter(({ name }) => name === 'sleep').length, { timeout: 20_000 })
    .toBeGreaterThanOrEqual(2)
  return running
}

describe('after the end of the app nothing of it runs', () => {
  it('when it quits', async () => {
    const running = await atWork()
    expect(await running.survivorsOf(() => running.quit())).toEqual([])
  })

  it('when it is asked to end by a signal', async () => {
    const running = await atWork()
    const ended = new Promise<void>((resolve) => running.electron.process().once('exit', () => resolve()))
    expect(
      await running.survivorsOf(async () => {
        process.kill(running.pid, 'SIGTERM')
        await ended
      }),
    ).toEqual([])
  })

  it('when its main process crashes', async () => {
    const running = await atWork()
    const ended = new Promise<void>((resolve) => running.electron.process().once('exit', () => resolve()))
    expect(
      await running.survivorsOf(async () => {
        void running.electron.evaluate(() => process.crash()).catch(() => undefined)
        await ended
      }),
    ).toEqual([])
  })

  it('when it is killed with signal 9', async () => {
    const running = await atWork()
    expect(await running.survivorsOf(() => running.kill())).toEqual([])
  })
})
