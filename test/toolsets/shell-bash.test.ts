import { mkdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Sandbox } from '../../main/execution/sandbox'
import { ShellRunner } from '../../main/execution/shell-runner'
import { Supervisor } from '../../main/execution/supervisor'
import { systemLossProbe } from '../../main/permissions/loss-probe'
import { systemClock } from '../../main/platform/clock'
import { atomicBashTool } from '../../main/toolsets/atomic/bash'
import { magiBashTool } from '../../main/toolsets/magi/bash'
import { o4BashTool } from '../../main/toolsets/o4/bash'
import { bashTool } from '../../main/toolsets/plumbline/bash'
import type { ShellEngines } from '../../main/toolsets/shell-tool'
import { sleepTool } from '../../main/toolsets/sleep-tool'
import { PathAuthority } from '../../main/workspace/path-authority'
import { ToolBench } from '../support/tool-bench'

let bench: ToolBench
let supervisor: Supervisor
let engines: ShellEngines

beforeEach(async () => {
  bench = await ToolBench.make()
  supervisor = new Supervisor()
  const paths = new PathAuthority({ home: bench.home })
  engines = {
    shells: new ShellRunner({
      supervisor,
      sandbox: new Sandbox({ credentialLocations: () => paths.credentialLocations() }),
    }),
    paths,
    losses: systemLossProbe,
    home: bench.home,
  }
})
afterEach(async () => {
  await supervisor.dispose()
  await bench.dispose()
})

function sessions(narrowed = false) {
  const of = (
    toolset: 'plumbline' | 'magi' | 'atomic' | 'o4',
    make: (engines: ShellEngines) => ReturnType<typeof bashTool>,
  ) => {
    const { call } = bench.session(toolset, [make(engines), sleepTool({ clock: systemClock })], narrowed)
    return (args: object, signal?: AbortSignal) => call('bash', args, signal)
  }
  return {
    plumbline: of('plumbline', bashTool),
    magi: (args: object) => of('magi', magiBashTool)({ intent: 'look', ...args }),
    atomic: of('atomic', atomicBashTool),
    o4: of('o4', o4BashTool),
  }
}

const all = ['plumbline', 'magi', 'atomic', 'o4'] as const

describe.each(all)('bash in %s', (name) => {
  it('SHELL-01 SHELL-10 gives output, and for a failure its exit code, to the model and to the window', async () => {
    const run = sessions()[name]
    expect(await run({ command: 'echo out; echo err >&2' })).toMatchObject({ ok: true, text: 'out\nerr' })
    expect(await run({ command: 'true' })).toMatchObject({
      ok: true,
      text: '(no output)',
      details: { exitCode: 0, signal: null },
    })
    expect(await run({ command: 'echo bad; exit 7' })).toMatchObject({
      ok: false,
      text: 'bad\n[exit 7]',
      error: { code: 'command_failed' },
      details: { exitCode: 7, signal: null, ended: 'exited', sandbox: { tier: 'off', files: 'open', network: 'open' } },
    })
    expect((await run({ command: 'pwd' })).text).toBe(bench.project)
  })

  it('S22 input is empty, any last line is fine', async () => {
    const run = sessions()[name]
    expect((await run({ command: 'read -r x; echo "got:[$x]"' })).text).toBe('got:[]')
    expect((await run({ command: "cat <<'EOF'\nbody\nEOF" })).text).toBe('body')
    expect((await run({ command: "echo 'unclosed" })).ok).toBe(false)
  })

  it('SHELL-07 no pager, no editor, no secrets', async () => {
    process.env.PLUMBLINE_TEST_API_KEY = 'secret'
    const run = sessions()[name]
    expect(
      (await run({ command: 'echo "$GIT_PAGER $PAGER $GIT_TERMINAL_PROMPT $EDITOR [$PLUMBLINE_TEST_API_KEY]"' })).text,
    ).toBe('cat cat 0 false []')
    Reflect.deleteProperty(process.env, 'PLUMBLINE_TEST_API_KEY')
  })

  it('blank commands, NUL characters and unknown arguments are refused before anything runs', async () => {
    const run = sessions()[name]
    for (const args of [{ command: '  ' }, { command: 'a\0b' }, { command: 'touch made', nonsense: 1 }, {}]) {
      expect((await run(args)).error?.code).toBe('invalid_arguments')
    }
    await expect(stat(path.join(bench.project, 'made'))).rejects.toThrow()
  })

  it('decision 3 never deletes the project, a home or the root, in bypass either', async () => {
    const run = sessions()[name]
    for (const command of [
      'rm -rf .',
      `rm -rf ${bench.home}`,
      'rm -rf "$NOT_SET"/*',
      'cd .. && rm -rf project',
      "sh -c 'rm -rf ~'",
    ]) {
      expect((await run({ command })).error?.code, command).toBe('destructive_refused')
    }
    expect((await stat(bench.project)).isDirectory()).toBe(true)
  })

  it('SHELL-09 a long output is cut, kept whole and named', async () => {
    const answer = await sessions()[name]({ command: 'for i in $(seq 1 30000); do echo "row $i"; done' })
    const kept = answer.details as { fullOutputPath: string; output: { lines: number; truncated: boolean } }
    expect(kept.output).toMatchObject({ lines: 30000, truncated: true })
    expect(
      answer.text.endsWith(`${name === 'o4' ? 'Full output saved to' : 'Full output'}: ${kept.fullOutputPath}`),
    ).toBe(true)
    expect(answer.text).toContain('row 30000\n')
    const whole = await readFile(kept.fullOutputPath, 'utf8')
    expect([whole.startsWith('row 1\n'), whole.split('\n').length]).toEqual([true, 30001])
    expect((await stat(kept.fullOutputPath)).mode & 0o777).toBe(0o600)
  })
})

describe('time limits', () => {
  it('SHELL-03 SHELL-04 magi takes 1 to 300 whole seconds, default 30', async () => {
    const { magi } = sessions()
    for (const timeout of [0, 301, 1.5, -1])
      expect((await magi({ command: 'true', timeout })).error?.code).toBe('invalid_arguments')
    expect(await magi({ command: 'true' })).toMatchObject({ details: { timeoutSeconds: 30 } })
    expect(await magi({ command: 'true', timeout: 300 })).toMatchObject({
      details: { timeoutSeconds: 300, requestedTimeoutSeconds: 300 },
    })
  })

  it('SHELL-05 atomic floors fractions, with one second as the least, default 300, at most 3600', async () => {
    const { atomic } = sessions()
    expect(await atomic({ command: 'true' })).toMatchObject({ details: { timeoutSeconds: 300 } })
    expect(await atomic({ command: 'true', timeout: 2.9 })).toMatchObject({
      details: { timeoutSeconds: 2, requestedTimeoutSeconds: 2.9 },
    })
    expect(await atomic({ command: 'true', timeout: 0.2 })).toMatchObject({
      details: { timeoutSeconds: 1, requestedTimeoutSeconds: 0.2 },
    })
    for (const timeout of [0, -1, 3601, Number.NaN, '5']) {
      expect((await atomic({ command: 'touch made', timeout })).error?.code).toBe('invalid_arguments')
    }
    await expect(stat(path.join(bench.project, 'made'))).rejects.toThrow()
  })

  it('SHELL-03 SHELL-04 o4 counts milliseconds, default 600000, 0 is none', async () => {
    const { o4 } = sessions()
    expect(await o4({ command: 'true' })).toMatchObject({ details: { timeoutSeconds: 600 } })
    expect(await o4({ command: 'true', timeout: 0 })).toMatchObject({ details: { timeoutSeconds: null } })
    expect((await o4({ command: 'true', timeout: 1_800_001 })).error?.code).toBe('invalid_arguments')
    const late = await o4({ command: 'echo early; sleep 30', timeout: 400 })
    expect(late).toMatchObject({
      ok: false,
      text: 'early\n[stopped at the time limit of 0.4 s]',
      error: { code: 'timeout' },
      details: { ended: 'timeout' },
    })
  })

  it('S23 at the limit everything the command started is stopped', async () => {
    const started = Date.now()
    const answer = await sessions().plumbline({
      command: '(while :; do sleep 0.05; echo x >> ticks; done) & sleep 100',
      timeout: 1,
    })
    expect(answer.error?.code).toBe('timeout')
    expect(Date.now() - started).toBeLessThan(5_000)
    const { size } = await stat(path.join(bench.project, 'ticks'))
    await systemClock.sleep(300)
    expect((await stat(path.join(bench.project, 'ticks'))).size).toBe(size)
  })

  it('a stop ends the command and keeps what it printed', async () => {
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 400)
    const answer = await sessions().plumbline({ command: 'echo early; sleep 60' }, stop.signal)
    expect(answer).toMatchObject({ ok: false, text: 'early\n[stopped]', error: { code: 'aborted' } })
  })
})

describe('arguments of one toolset', () => {
  it('SHELL-02 magi needs a nonblank intent, under its aliases too', async () => {
    const { magi } = sessions()
    expect((await magi({ command: 'true', intent: ' ' })).error?.code).toBe('invalid_arguments')
    expect((await magi({ command: 'true', intent: undefined })).error?.code).toBe('invalid_arguments')
    expect(magiBashTool(engines).aliases).toEqual(['shell', 'cmd'])
    expect(await magi({ command: 'true', intent: 'try it' })).toMatchObject({ details: { intent: 'try it' } })
  })

  it('SHELL-06 o4 carries the folder over, only by command, and nothing else of the shell', async () => {
    await bench.write({ 'sub/deep/a.txt': 'x' })
    const { o4 } = sessions()
    const { call } = bench.session('o4', [o4BashTool(engines)])
    const run = async (args: object) => (await call('bash', args)).text
    await run({ command: 'cd sub # go there\nexport X=1' })
    expect(await run({ command: 'pwd; echo "[$X]"' })).toBe(`${bench.project}/sub\n[]`)
    await run({ command: 'cd deep && false' })
    expect(await run({ command: 'pwd' })).toBe(`${bench.project}/sub/deep`)
    await run({ command: 'cd /' })
    expect(await run({ command: 'pwd' })).toBe(`${bench.project}/sub/deep`)
    await run({ command: 'exec 3>&-; trap - EXIT; cd ..' })
    expect(await run({ command: 'pwd', working_directory: bench.project })).toBe(bench.project)
    expect((await o4({ command: 'pwd' })).text).toBe(bench.project)
  })

  it('SHELL-06 SHELL-07 atomic takes a folder and variables for one call', async () => {
    await mkdir(path.join(bench.project, 'sub'))
    const { atomic } = sessions()
    expect((await atomic({ command: 'pwd; echo "$A"', cwd: 'sub', env: { A: 'b c' } })).text).toBe(
      `${bench.project}/sub\nb c`,
    )
    expect((await atomic({ command: 'pwd; echo "[$A]"' })).text).toBe(`${bench.project}\n[]`)
    expect((await atomic({ command: 'pwd', cwd: 'missing' })).error?.code).toBe('not_found')
    expect((await atomic({ command: 'pwd', env: { 'A=B': 'x' } })).error?.code).toBe('invalid_arguments')
  })

  it('S35 a narrowed session keeps the folder inside', async () => {
    const { atomic } = sessions(true)
    await mkdir(`${bench.project}-backup`)
    for (const cwd of ['..', '../project-backup', bench.home, '/']) {
      expect((await atomic({ command: 'touch made', cwd })).error?.code).toBe('outside_roots')
    }
  })

  it('SHELL-08 where a terminal was asked for it says that pipes were used', async () => {
    expect(await sessions().plumbline({ command: 'true', pty: true })).toMatchObject({
      ok: true,
      details: { pty: 'pipes' },
    })
  })
})

it('SHELL-32 sleep waits within its bounds', async () => {
  const { call } = bench.session('plumbline', [sleepTool({ clock: systemClock })])
  expect(await call('sleep', { seconds: 0.1 })).toMatchObject({ ok: true, text: 'Waited 0.1 s.' })
  for (const seconds of [0, 0.05, 301]) expect((await call('sleep', { seconds })).error?.code).toBe('invalid_arguments')
  expect((await call('sleep', { seconds: 100 }, AbortSignal.timeout(50))).ok).toBe(false)
})
