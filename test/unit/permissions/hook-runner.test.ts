import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Sandbox } from '../../../main/execution/sandbox'
import { Supervisor } from '../../../main/execution/supervisor'
import { type CommandHook, type HookCall, HookRunner } from '../../../main/permissions/hook-runner'

let folder = ''
let supervisor: Supervisor
const signal = new AbortController().signal

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'plumbline-hook-'))
  supervisor = new Supervisor()
})
afterEach(async () => {
  await supervisor.dispose()
  await rm(folder, { recursive: true, force: true })
})

const call = (more: Partial<HookCall> = {}): HookCall => ({
  toolset: 'plumbline',
  tool: 'bash',
  canonical: 'shell.run',
  args: { command: 'git push' },
  commandLine: 'git push',
  touches: [{ kind: 'run', target: 'git push' }],
  roots: [folder],
  home: '/home/me',
  session: 's_00000000',
  callId: 'c1',
  mode: 'ask',
  cwd: folder,
  scope: { tier: 'off', roots: [folder], temporaryFolder: path.join(folder, 'tmp') },
  ...more,
})
const hook = (script: string, more: Partial<CommandHook> = {}): CommandHook => ({
  event: 'pre_tool',
  command: ['/bin/sh', '-c', script],
  ...more,
})
const ask = (hooks: CommandHook[], about = call()) =>
  new HookRunner({
    supervisor,
    sandbox: new Sandbox({ credentialLocations: async () => [] }),
    hooks: () => hooks,
  }).preTool(about, signal)

describe('PERM-21 hooks before a tool', () => {
  it('get the call as JSON on their input', async () => {
    expect(await ask([hook('cat > seen.json')])).toEqual({ context: [] })
    expect(JSON.parse(await readFile(path.join(folder, 'seen.json'), 'utf8'))).toMatchObject({
      event: 'pre_tool',
      session_id: 's_00000000',
      tool: 'bash',
      canonical_tool: 'shell.run',
      call_id: 'c1',
      mode: 'ask',
      cwd: folder,
      input: { command: 'git push' },
    })
  })

  it.each([
    ['exit 0', undefined],
    ['echo fine', undefined],
    [`echo '{"decision":"allow"}'`, 'allow'],
    [`echo '{"decision":"ask","reason":"sure?"}'`, 'ask'],
    [`echo '{"decision":"deny","reason":"no"}'`, 'deny'],
    ['echo no >&2; exit 2', 'deny'],
    ['exit 1', 'deny'],
    ['kill -KILL $$', 'deny'],
    [`echo '{"decision":'`, 'deny'],
    [`echo '{"decision":"perhaps"}'`, 'deny'],
    ['echo "{"; yes | head -c 300000', 'deny'],
  ])('%s: %s', async (script, decision) => {
    expect((await ask([hook(script)])).decision).toBe(decision)
  })

  it('fail closed: one that is not there or too slow blocks, unless it may fail', async () => {
    expect((await ask([{ event: 'pre_tool', command: ['/nowhere/hook'] }])).decision).toBe('deny')
    expect((await ask([hook('sleep 30', { timeoutMs: 200 })])).decision).toBe('deny')
    expect((await ask([hook('exit 1', { onFailure: 'continue' })])).decision).toBeUndefined()
    expect((await ask([hook('echo because >&2; exit 2')])).reason).toBe('because')
  })

  it('deny beats ask beats allow; changed arguments go on to the next', async () => {
    const allow = hook(`echo '{"decision":"allow"}'`)
    const wants = hook(`echo '{"decision":"ask","reason":"sure?"}'`)
    expect(await ask([wants, allow])).toMatchObject({ decision: 'ask', reason: 'sure?' })
    expect(await ask([allow, wants])).toMatchObject({ decision: 'ask' })
    expect(await ask([allow, hook('exit 2'), hook('touch never')])).toMatchObject({ decision: 'deny' })
    await expect(readFile(path.join(folder, 'never'))).rejects.toThrow()
    const changed = await ask([
      hook(`echo '{"input":{"command":"ls"},"additional_context":"note"}'`),
      hook('cat > second.json'),
    ])
    expect(changed).toEqual({ context: ['note'], input: { command: 'ls' } })
    expect(JSON.parse(await readFile(path.join(folder, 'second.json'), 'utf8'))).toMatchObject({
      input: { command: 'ls' },
    })
  })

  it('are asked about the calls they name', async () => {
    const denies = (more: Partial<CommandHook>) => ask([hook('exit 2', more)]).then(({ decision }) => decision)
    expect(await denies({ matcher: 'bash|edit' })).toBe('deny')
    expect(await denies({ matcher: 'shell\\..*' })).toBe('deny')
    expect(await denies({ matcher: 'bas' })).toBeUndefined()
    expect(await denies({ if: 'bash(git push *)' })).toBe('deny')
    expect(await denies({ if: 'bash(git pull *)' })).toBeUndefined()
  })
})
