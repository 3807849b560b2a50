import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { childEnvironment } from '../../../main/execution/environment'
import { SPILL_NOTICE } from '../../../main/execution/output-spill'
import { Sandbox } from '../../../main/execution/sandbox'
import { type ShellCommand, ShellRunner } from '../../../main/execution/shell-runner'
import { Supervisor } from '../../../main/execution/supervisor'
import { findMarked } from '../../../main/platform/process-table'

/** With bubblewrap where the machine has it, and without: the guarantees are the same. */
const ways = [
  { name: 'namespace', programFolders: ['/usr/bin', '/usr/local/bin'] },
  { name: 'guardian', programFolders: [] },
]

describe.each(ways)('processes held by $name', ({ programFolders }) => {
  let folder = ''
  let supervisor: Supervisor
  let shells: ShellRunner

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'plumbline-run-'))
    supervisor = new Supervisor()
    shells = new ShellRunner({
      supervisor,
      sandbox: new Sandbox({ credentialLocations: async () => [], programFolders }),
    })
  })
  afterEach(async () => {
    await supervisor.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  const run = (command: string, more: Partial<ShellCommand> = {}) =>
    shells.run({
      command,
      cwd: folder,
      timeoutMs: 20_000,
      tier: 'off',
      roots: [folder],
      temporaryFolder: path.join(folder, '.tmp'),
      ...more,
    })

  it.each([
    ["cat <<'EOF'\nbody\nEOF", 'body\n', 0],
    ['echo hi # remark', 'hi\n', 0],
    ['exit 3', '', 3],
    ['false; true', '', 0],
    ['read -r x; echo "got:[$x]"', 'got:[]\n', 0],
    ['cat <<\'E\'\nhi\nE\nread -r y; echo "y=[$y]"', 'hi\ny=[]\n', 0],
    ['mkdir sub; cd sub && false', '', 1],
    ['echo "[$1]"', '[]\n', 0],
    ['exec 3>file; echo x >&3; cat file', 'x\n', 0],
  ])('S22 %j prints %j and ends with %i, with and without asking for its folder', async (command, text, code) => {
    for (const reportFolder of [false, true]) {
      const outcome = await run(command, { reportFolder })
      expect([outcome.output.head, outcome.exitCode, outcome.ended]).toEqual([text, code, 'exited'])
      await rm(path.join(folder, 'sub'), { recursive: true, force: true })
    }
  })

  it('S22 an unclosed quote and a last backslash end at once', async () => {
    expect((await run("echo 'unclosed", { reportFolder: true })).exitCode).not.toBe(0)
    expect((await run('echo a \\', { reportFolder: true })).output.head).toContain('a')
  })

  it('S22 tells the folder a command ended in, whatever the command prints or exits with', async () => {
    const outcome = await run('mkdir sub; cd sub # there\nexit 4', { reportFolder: true })
    expect([outcome.folder, outcome.exitCode]).toEqual([path.join(folder, 'sub'), 4])
  })

  it.each([
    ['sleep 60 & echo started', 'started'],
    ['(while :; do echo tick; sleep 0.2; done) & sleep 1; echo front-done', 'front-done'],
    ['setsid sleep 60 & echo ok', 'ok'],
  ])('S20 %s returns shortly after the shell', async (command, text) => {
    const started = Date.now()
    const outcome = await run(command)
    expect(Date.now() - started).toBeLessThan(4_000)
    expect([outcome.output.head.includes(text), outcome.exitCode]).toEqual([true, 0])
  })

  it('S21 keeps characters whole that are split over two writes, also with the other pipe in between', async () => {
    const script =
      "import os,time; os.write(1,b'cleanup \\xe2'); time.sleep(.1); os.write(2,b'note\\n'); time.sleep(.1); os.write(1,b'\\x80\\x94 end')"
    const outcome = await run(`python3 -c "${script}"`)
    expect(outcome.output.head).toContain('cleanup note\n— end')
    expect((await run("printf '\\xff\\xfe\\n'")).output.head).toBe('\ufffd\ufffd\n')
  })

  it('S23 the time limit ends everything the call started', async () => {
    const marker = `SURVIVOR_TEST=${path.basename(folder)}`
    const started = Date.now()
    const outcome = await run(
      'for i in 1 2 3; do (while :; do sleep 0.05; done) & done; setsid sh -c "sleep 77 & sleep 77" & sleep 100',
      {
        timeoutMs: 700,
        env: { SURVIVOR_TEST: path.basename(folder) },
      },
    )
    expect(outcome.ended).toBe('timeout')
    expect(Date.now() - started).toBeLessThan(4_000)
    expect(await findMarked(marker)).toEqual([])
  })

  it('a tree that ignores TERM is killed after the grace', async () => {
    const { process } = await shells.start({
      command: "trap '' TERM; echo ready; while :; do sleep 0.05; done",
      cwd: folder,
      timeoutMs: null,
      tier: 'off',
      roots: [folder],
      temporaryFolder: folder,
      env: { SURVIVOR_TEST: path.basename(folder) },
    })
    await expect.poll(() => process.snapshot().head, { timeout: 5_000 }).toContain('ready')
    const outcome = await process.stop('stopped', 300)
    expect([outcome.ended, outcome.wallTimeMs >= 300]).toEqual(['stopped', true])
    expect(await findMarked(`SURVIVOR_TEST=${path.basename(folder)}`)).toEqual([])
  })

  it('an abort acts at once and a process that has ended is left alone', async () => {
    const stopping = new AbortController()
    setTimeout(() => stopping.abort(), 200)
    const started = Date.now()
    const outcome = await run('yes', { signal: stopping.signal })
    expect(outcome.ended).toBe('aborted')
    expect(Date.now() - started).toBeLessThan(3_000)
    expect((await run('true', { signal: AbortSignal.abort() })).ended).toBe('aborted')
  })

  it('says in words that the system takes no such environment, and leaves no placeholder', async () => {
    const refused = run('echo hi', { env: { BIG: 'x'.repeat(3_000_000) }, tier: 'guarded' })
    await expect(refused).rejects.toMatchObject({
      code: 'io',
      message: 'The shell could not be started: the command and its environment are larger than the system takes',
    })
    await expect.poll(() => readdir(folder)).not.toContain('.plumbline')
  })

  it('tells the signal that ended the shell', async () => {
    expect((await run('kill -KILL $$')).signal).toBe('SIGKILL')
    expect((await run('kill -TERM $$')).signal).toBe('SIGTERM')
  })

  it('PERSIST-05 keeps a long output whole, owner-only, and stops at the cap with its notice', async () => {
    const spill = { folder: path.join(folder, 'kept'), name: 'a.txt', afterBytes: 1000 }
    const long = await run('for i in $(seq 1 40000); do echo "line $i ─"; done', { spill })
    expect(long.kept?.path).toBe(path.join(folder, 'kept', 'a.txt'))
    const text = await readFile(path.join(folder, 'kept', 'a.txt'), 'utf8')
    expect(text.startsWith('line 1 ─\n') && text.endsWith('line 40000 ─\n') && !text.includes('\ufffd')).toBe(true)
    expect(long.output.complete).toBe(false)
    expect(long.output.tail.endsWith('line 40000 ─\n')).toBe(true)
    expect([long.output.lines, long.output.bytes]).toEqual([40000, Buffer.byteLength(text)])
    expect([
      (await stat(path.join(folder, 'kept'))).mode & 0o777,
      (await stat(long.kept?.path ?? '')).mode & 0o777,
    ]).toEqual([0o700, 0o600])
    const flood = await run('yes 0123456789 | head -c 80000000', { spill: { ...spill, name: 'b.txt' } })
    const capped = await readFile(flood.kept?.path ?? '')
    expect(capped.length).toBeLessThanOrEqual(67_108_864)
    expect(capped.subarray(-200).toString().trimEnd().endsWith(`\n${SPILL_NOTICE}`)).toBe(true)
    expect(flood.output.bytes).toBe(80_000_000)
  })

  it('reports what comes while it comes', async () => {
    const pieces: string[] = []
    await run('echo one; sleep 0.4; echo two', { onProgress: (text) => pieces.push(text) })
    expect(pieces).toEqual(['one\n', 'two\n'])
  })
})

describe('the environment of a child', () => {
  it('SHELL-07 holds the core names only, drops what looks like a secret, and silences prompts', () => {
    const env = childEnvironment(
      { MINE: '1' },
      {
        platform: 'linux',
        from: { PATH: '/bin', HOME: '/h', LC_ALL: 'C', OTHER: 'x', OPENAI_API_KEY: 'k', LC_TOKEN: 't' },
      },
    )
    expect(env).toMatchObject({
      PATH: '/bin',
      HOME: '/h',
      LC_ALL: 'C',
      MINE: '1',
      GIT_PAGER: 'cat',
      PAGER: 'cat',
      GIT_TERMINAL_PROMPT: '0',
      EDITOR: 'false',
    })
    expect(Object.keys(env)).not.toContain('OTHER')
    expect(Object.keys(env)).not.toContain('LC_TOKEN')
    const all = childEnvironment(
      {},
      {
        profile: 'inherit',
        allow: ['GOOD_TOKEN'],
        from: { OTHER: 'x', OPENAI_API_KEY: 'k', GOOD_TOKEN: 'g', DB_PASSWORD: 'p' },
      },
    )
    expect(all).toMatchObject({ OTHER: 'x', GOOD_TOKEN: 'g' })
    expect(Object.keys(all).filter((name) => /KEY|PASSWORD/.test(name))).toEqual([])
  })
})
