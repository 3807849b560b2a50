import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BackgroundTasks, type TaskView } from '../../main/execution/background-tasks'
import { Sandbox } from '../../main/execution/sandbox'
import { ShellRunner } from '../../main/execution/shell-runner'
import { Supervisor } from '../../main/execution/supervisor'
import { systemLossProbe } from '../../main/permissions/loss-probe'
import { findMarked } from '../../main/platform/process-table'
import { o4BashTool } from '../../main/toolsets/o4/bash'
import { bashTool } from '../../main/toolsets/plumbline/bash'
import { killTool, taskChangeTools, taskWatchTools } from '../../main/toolsets/task-tools'
import { PathAuthority } from '../../main/workspace/path-authority'
import { ToolBench } from '../support/tool-bench'

let bench: ToolBench
let supervisor: Supervisor
let tasks: BackgroundTasks

beforeEach(async () => {
  bench = await ToolBench.make()
  supervisor = new Supervisor()
  tasks = new BackgroundTasks()
})
afterEach(async () => {
  await tasks.dispose()
  await supervisor.dispose()
  await bench.dispose()
})

function session(toolset: 'plumbline' | 'o4') {
  const paths = new PathAuthority({ home: bench.home })
  const sandbox = new Sandbox({ credentialLocations: () => paths.credentialLocations() })
  const engines = {
    shells: new ShellRunner({ supervisor, sandbox }),
    paths,
    losses: systemLossProbe,
    home: bench.home,
    tasks,
  }
  const tools =
    toolset === 'plumbline'
      ? [bashTool(engines), killTool(engines), ...taskWatchTools(engines)]
      : [o4BashTool(engines), ...taskWatchTools(engines), ...taskChangeTools(engines)]
  return bench.session(toolset, tools)
}

const idOf = (text: string) => /task (t_[a-z2-7]{8})\.$/.exec(text)?.[1] ?? 'none'

describe('background commands', () => {
  it('SHELL-22 TASK-03 TASK-04 TASK-05 TASK-06 run on after their call, and are listed, shown, read and waited for', async () => {
    const { call } = session('o4')
    const started = await call('bash', {
      command: 'for i in $(seq 1 60); do echo "line $i"; done; sleep 0.5; echo last; exit 3',
      run_in_background: true,
    })
    const id = idOf(started.text)
    expect(started.text).toBe(`Started in the background as task ${id}.`)
    expect((await call('task_list', {})).text).toMatch(new RegExp(`^${id}  shell  running  \\d+\\.\\d s  for i in`))
    await expect
      .poll(async () => (await call('task_output', { task_id: id, lines: 2 })).text)
      .toBe('[last 2 of 60 lines]\nline 59\nline 60')
    expect((await call('task_wait', { task_id: id, timeout: 0 })).text).toContain('  running  ')
    const ended = await call('task_wait', { task_id: id })
    expect(ended.text).toMatch(/^t_\w+ {2}shell {2}failed .*\n\[last 50 of 61 lines\]\nline 12\n/)
    expect(ended.text.endsWith('\nlast')).toBe(true)
    expect((await call('task_get', { task_id: id })).text).toMatch(/\n\[exit 3\]$/)
  })

  it('SHELL-24 SHELL-25 kill ends the whole tree and gives its receipt; asking again gives the first decision again', async () => {
    const { call } = session('plumbline')
    const mark = path.basename(bench.folder)
    const command = `SURVIVOR_TEST=${mark} sh -c 'sleep 300 & setsid sleep 300 & echo up; sleep 300'`
    const id = idOf((await call('bash', { command, background: true, timeout: 0 })).text)
    await expect.poll(async () => (await call('task_output', { task_id: id })).text).toBe('up')
    expect((await findMarked(`SURVIVOR_TEST=${mark}`)).length).toBeGreaterThanOrEqual(3)
    const first = await call('kill', { id })
    expect(first.details).toMatchObject({
      taskId: id,
      decision: 'cancellation-requested',
      execution: { kind: 'settled', state: 'stopped' },
      cleanup: { kind: 'reaped' },
    })
    expect(JSON.parse(first.text)).toEqual(first.details)
    expect(await findMarked(`SURVIVOR_TEST=${mark}`)).toEqual([])
    expect((await call('kill', { id })).details).toEqual(first.details)
  })

  it('S23 a task that had ended keeps its outcome', async () => {
    const { call } = session('plumbline')
    const id = idOf((await call('bash', { command: 'exit 4', background: true })).text)
    await call('task_wait', { task_id: id })
    expect((await call('kill', { id })).details).toEqual({
      taskId: id,
      decision: 'already-settled',
      execution: { kind: 'settled', state: 'failed', exitCode: 4 },
      cleanup: { kind: 'reaped' },
    })
  })

  it('S23 unknown ids, process numbers and the tasks of others are errors that name the id', async () => {
    const mine = session('plumbline')
    const other = session('plumbline')
    const id = idOf((await other.call('bash', { command: 'sleep 60', background: true })).text)
    for (const wrong of [id, 't_aaaaaaaa', String(process.pid)]) {
      const answer = await mine.call('kill', { id: wrong })
      expect(answer.error).toEqual({
        code: 'not_found',
        message: `There is no background task ${wrong} in this session.`,
      })
    }
    expect((await mine.call('task_list', {})).text).toBe('No background tasks.')
    expect(tasks.get(other.id, id).state).toBe('running')
  })

  it('SHELL-04 no limit is for the background only, and a limit goes on counting there', async () => {
    const { call } = session('plumbline')
    expect((await call('bash', { command: 'true', timeout: 0 })).error?.code).toBe('invalid_arguments')
    const id = idOf((await call('bash', { command: 'sleep 60', timeout: 1, background: true })).text)
    expect((await call('task_wait', { task_id: id, timeout: 10 })).text).toContain('  failed  ')
  })

  it('a stop of the waiting call leaves the task alone; one notice comes at its end', async () => {
    const { call } = session('plumbline')
    const ended: TaskView[] = []
    tasks.onEnd((task) => ended.push(task))
    const id = idOf(
      (await call('bash', { command: 'while [ ! -e go ]; do sleep 0.05; done; echo went', background: true })).text,
    )
    expect((await call('task_wait', { task_id: id }, AbortSignal.timeout(100))).error?.code).toBe('aborted')
    await writeFile(path.join(bench.project, 'go'), '')
    expect((await call('task_wait', { task_id: id })).text).toMatch(/ {2}completed .*\nwent$/)
    expect(ended.map((task) => [task.id, task.state])).toEqual([[id, 'completed']])
  })

  it('closing the session ends its tasks without a notice', async () => {
    const { call, id: owner } = session('plumbline')
    let notices = 0
    tasks.onEnd(() => (notices += 1))
    await call('bash', { command: 'sleep 300', background: true })
    await tasks.closeSession(owner)
    expect([supervisor.running, notices, tasks.list(owner)]).toEqual([0, 0, []])
  })
})

describe('entries that are kept by hand', () => {
  it('TASK-07 TASK-08 TASK-09 move by their verbs only', async () => {
    const { call } = session('o4')
    const id = /^(t_\w+)/.exec((await call('task_create', { description: 'write the docs' })).text)?.[1] ?? ''
    const update = (action: string, message?: string) => call('task_update', { task_id: id, action, message })
    expect((await update('resume')).error).toEqual({
      code: 'invalid_arguments',
      message: 'Invalid transition registered → resume',
    })
    expect((await update('start')).text).toContain('  running  ')
    expect((await update('pause')).text).toContain('  paused  ')
    expect((await update('complete')).error?.message).toBe('Invalid transition paused → complete')
    await update('resume')
    await update('notify', 'half done')
    expect((await update('complete')).text).toContain('  completed  ')
    expect((await call('task_get', { task_id: id })).text).toContain('note: half done')
    expect((await call('task_stop', { task_id: id })).details).toMatchObject({
      decision: 'already-settled',
      execution: { state: 'completed' },
    })
  })

  it('TASK-08 pause and resume freeze and thaw a process', async () => {
    const { call, id: owner } = session('o4')
    const id = idOf(
      (await call('bash', { command: 'while :; do echo tick; sleep 0.05; done', run_in_background: true })).text,
    )
    const lines = async () => tasks.output(owner, id, 1).total
    await expect.poll(lines).toBeGreaterThan(2)
    await call('task_update', { task_id: id, action: 'pause' })
    await new Promise((resolve) => setTimeout(resolve, 200))
    const frozen = await lines()
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(await lines()).toBe(frozen)
    await call('task_update', { task_id: id, action: 'resume' })
    await expect.poll(lines).toBeGreaterThan(frozen)
    expect((await call('task_stop', { task_id: id })).details).toMatchObject({ cleanup: { kind: 'reaped' } })
  })
})
