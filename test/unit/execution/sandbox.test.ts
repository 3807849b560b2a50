import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Sandbox } from '../../../main/execution/sandbox'
import { ShellRunner } from '../../../main/execution/shell-runner'
import { Supervisor } from '../../../main/execution/supervisor'
import type { SandboxTier } from '../../../preload/contract/ids'

let base = ''
let project = ''
let home = ''
const supervisor = new Supervisor()
const credentials = () =>
  Promise.resolve([path.join(home, '.ssh'), path.join(home, '.netrc'), path.join(home, '.missing')])
const sandbox = new Sandbox({ credentialLocations: credentials })
const shells = new ShellRunner({ supervisor, sandbox })
const available = await sandbox.availability()

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: project, stdio: 'pipe' })

// Not below /tmp, which is another folder inside.
beforeAll(async () => {
  base = await realpath(await mkdtemp('/var/tmp/plumbline-box-'))
  home = path.join(base, 'home')
  project = path.join(home, 'project')
  await mkdir(path.join(home, '.ssh'), { recursive: true })
  await mkdir(path.join(project, '.plumbline'), { recursive: true })
  await writeFile(path.join(home, '.ssh', 'id'), 'private')
  await writeFile(path.join(home, '.netrc'), 'private')
  await writeFile(path.join(home, 'plain.txt'), 'readable')
  await writeFile(path.join(project, '.plumbline', 'settings.json'), '{}')
  await symlink(path.join(home, '.ssh'), path.join(project, 'keys'))
  git('init', '-q')
  git('config', 'user.name', 't')
  git('config', 'user.email', 't@t')
  await writeFile(path.join(project, 'a.txt'), 'a')
  git('add', 'a.txt')
  git('commit', '-qm', 'first')
  git('worktree', 'add', '-q', path.join(home, 'tree'), '-b', 'topic')
})
afterAll(async () => {
  await supervisor.dispose()
  await rm(base, { recursive: true, force: true })
})

async function run(tier: SandboxTier, command: string, root = project, env: Record<string, string> = {}) {
  const outcome = await shells.run({
    command,
    cwd: root,
    env,
    timeoutMs: 20_000,
    tier,
    roots: [root],
    temporaryFolder: path.join(base, 'session-tmp'),
  })
  return { text: outcome.output.head, code: outcome.exitCode, enforcement: outcome.enforcement }
}

describe('where nothing can be enforced', () => {
  const none = new Sandbox({ credentialLocations: credentials, programFolders: [] })
  it('decision 4 the strict tiers are refused, guarded runs labelled, off as ever', async () => {
    const command = { file: '/bin/true', args: [], env: { A: '1' }, cwd: '/' }
    const scope = { roots: [], temporaryFolder: '/nowhere' }
    for (const tier of ['read-only', 'workspace-write'] as const) {
      await expect(none.wrap(command, { ...scope, tier })).rejects.toMatchObject({ code: 'sandbox_unavailable' })
    }
    for (const tier of ['guarded', 'off'] as const) {
      expect(await none.wrap(command, { ...scope, tier })).toMatchObject({
        file: '/bin/true',
        args: [],
        env: { A: '1' },
        namespaced: false,
        enforcement: { tier, files: 'open', network: 'open', processes: 'guardian' },
      })
    }
    expect(await none.enforces('guarded')).toBe(false)
  })

  it('other systems say so', async () => {
    const mac = new Sandbox({ credentialLocations: credentials, platform: 'darwin' })
    expect(await mac.availability()).toMatchObject({ files: false, processes: false })
    await expect(mac.enforces('read-only')).rejects.toMatchObject({ code: 'sandbox_unavailable' })
  })

  it('a bubblewrap that may not make namespaces is not used for files', async () => {
    const blocked = new Sandbox({ credentialLocations: credentials, probe: async () => false })
    expect(await blocked.availability()).toMatchObject({ files: false, network: false })
  })
})

describe.runIf(available.files && available.network)('with bubblewrap', () => {
  it('decision 4 workspace-write: the project and a private /tmp can be written, nothing else', async () => {
    expect(await run('workspace-write', 'echo b > b.txt && cat b.txt && echo t > /tmp/t && cat /tmp/t')).toMatchObject({
      text: 'b\nt\n',
      code: 0,
    })
    expect(await readFile(path.join(project, 'b.txt'), 'utf8')).toBe('b\n')
    expect(await readFile(path.join(base, 'session-tmp', 't'), 'utf8')).toBe('t\n')
    for (const target of [path.join(home, 'x'), '/usr/x', '/etc/x', '/var/tmp/x', '/run/x/y', path.join(base, 'x')]) {
      expect((await run('workspace-write', `echo x > ${target}`)).code, target).not.toBe(0)
      await expect(stat(target)).rejects.toThrow()
    }
  })

  it('decision 4 read-only: not even the project', async () => {
    expect((await run('read-only', 'cat a.txt')).text).toBe('a')
    expect((await run('read-only', 'echo x > c.txt')).code).not.toBe(0)
    expect((await run('read-only', 'echo x > /tmp/c.txt && cat /tmp/c.txt')).text).toBe('x\n')
  })

  it.each(['read-only', 'workspace-write', 'guarded'] as const)(
    'PERM-16 credentials can not be read in %s, by link or /proc either',
    async (tier) => {
      const ways = [
        `cat ${home}/.ssh/id`,
        'cat keys/id',
        `cat ${home}/.netrc`,
        `cat /proc/self/root${home}/.ssh/id`,
        `cat /proc/1/root${home}/.ssh/id`,
        `cp -r ${home}/.ssh /tmp/stolen; cat /tmp/stolen/id`,
        `ls -A ${home}/.ssh`,
        `umount ${home}/.ssh; cat ${home}/.ssh/id`,
        `unshare -Urm sh -c 'umount ${home}/.ssh; cat ${home}/.ssh/id'`,
      ]
      for (const way of ways) expect((await run(tier, way)).text, way).not.toContain('private')
      expect((await run(tier, `cat ${home}/plain.txt`)).text).toBe('readable')
    },
  )

  it('S36 Git works, but hooks, configuration and the own project settings stay', async () => {
    const refused = [
      'echo x > .git/hooks/pre-commit',
      'git config core.fsmonitor ./x',
      "git config alias.st '!x'",
      'echo x > .git/info/attributes',
      'echo "{}" > .plumbline/settings.json',
      'mv .git/hooks .git/h2',
      'rm -rf .git/hooks && ls .git/hooks/nothing',
      'mv .plumbline p2',
      'mount -o remount,rw .git/config',
      'ln -sf /tmp/x .git/config',
    ]
    for (const command of refused) expect((await run('workspace-write', command)).code, command).not.toBe(0)
    expect(await readFile(path.join(project, '.git/config'), 'utf8')).not.toMatch(/fsmonitor|alias/)
    expect(await readFile(path.join(project, '.plumbline/settings.json'), 'utf8')).toBe('{}')
    expect(
      await run('workspace-write', 'echo c > a.txt && git add a.txt && git commit -qm m && git log --oneline | wc -l'),
    ).toMatchObject({ text: '2\n', code: 0 })
  })

  it('S36 in a linked worktree too', async () => {
    const tree = path.join(home, 'tree')
    expect(
      await run('workspace-write', 'echo d > d.txt && git add d.txt && git commit -qm m && echo done', tree),
    ).toMatchObject({ text: 'done\n', code: 0 })
    for (const command of [
      'echo "gitdir: /tmp/x" > .git',
      'rm .git',
      `echo x > ${project}/.git/hooks/pre-commit`,
      'git config a.b c',
      `echo x > ${project}/other.txt`,
    ]) {
      expect((await run('workspace-write', command, tree)).code, command).not.toBe(0)
    }
  })

  it('S36 project settings that are not there can not be made, and nothing is left where they would be', async () => {
    const bare = path.join(home, 'bare')
    await mkdir(bare)
    const attempts = [
      'mkdir .plumbline',
      'echo x > .plumbline/settings.json',
      'rmdir .plumbline',
      'mv .plumbline away && mkdir .plumbline',
      'ln -s /tmp .plumbline/x',
    ]
    const codes = await Promise.all(
      attempts.map(async (command) => (await run('workspace-write', command, bare)).code === 0),
    )
    expect(codes).toEqual(attempts.map(() => false))
    await expect.poll(() => readdir(bare)).toEqual([])
  })

  it('the network is off but in guarded, and what is reported is what holds', async () => {
    const server = createServer((socket) => socket.end('hello'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const connect = `exec 5<>/dev/tcp/127.0.0.1/${port} && head -c 5 <&5`
    const strict = await run('workspace-write', connect)
    expect([strict.code === 0, strict.text.includes('hello'), strict.enforcement.network]).toEqual([
      false,
      false,
      'off',
    ])
    const guarded = await run('guarded', connect)
    expect([guarded.text, guarded.enforcement]).toEqual([
      'hello',
      { tier: 'guarded', files: 'enforced', network: 'open', processes: 'namespace' },
    ])
    server.close()
  })

  it('variables of a call do not steer bubblewrap itself, and no capability is left', async () => {
    const preload = await run('workspace-write', 'echo "$LD_PRELOAD"; grep CapEff /proc/self/status', project, {
      LD_PRELOAD: '/nowhere/evil.so',
    })
    expect(preload.text).toContain('/nowhere/evil.so')
    expect(preload.text).toMatch(/CapEff:\s+0{16}/)
    expect((await run('workspace-write', 'ls /run; cat /proc/*/cmdline | tr "\\0" " "')).text).not.toContain('vitest')
  })
})
