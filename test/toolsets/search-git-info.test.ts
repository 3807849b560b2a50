import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { readdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { gitInfoTool } from '../../main/toolsets/o4/git-info'
import { GitReader } from '../../main/workspace/git-reader'
import { SearchBench } from '../support/search-bench'

let bench: SearchBench
beforeEach(async () => {
  bench = await SearchBench.make()
})
afterEach(() => bench.dispose())

const git = (...args: string[]) =>
  execFileSync(
    'git',
    ['-c', 'user.name=t', '-c', 'user.email=t@example.test', '-c', 'init.defaultBranch=main', ...args],
    {
      cwd: bench.project,
      encoding: 'utf8',
    },
  ).trim()
const info = (args: object) =>
  bench.session('o4', [gitInfoTool({ git: new GitReader(), paths: bench.engines.paths })])('git_info', args)

async function repository() {
  git('init', '-q')
  await bench.write({ 'a.txt': 'one\n' })
  git('add', '.')
  git('commit', '-qm', 'first')
  await bench.write({ 'a.txt': 'two\n', '-odd.txt': 'x\n' })
  git('add', '.')
  git('commit', '-qm', 'second')
  git('tag', 'v1')
  git('branch', 'feature')
}

describe('git_info', () => {
  it('SEARCH-19 tells status, diff and log', async () => {
    await repository()
    await bench.write({ 'a.txt': 'three\n', '-odd.txt': 'y\n', 'new.txt': '' })
    expect((await info({ subcommand: 'status' })).text).toBe('## main\n M -odd.txt\n M a.txt\n?? new.txt')
    expect((await info({ subcommand: 'diff', path: 'a.txt' })).text).toMatch(/-two\n\+three$/)
    expect((await info({ subcommand: 'diff', path: '-odd.txt' })).text).toMatch(/-x\n\+y$/)
    expect((await info({ subcommand: 'log', count: 1 })).text).toMatch(/second$/)
    for (const ref of ['HEAD~1', 'HEAD~1..HEAD', 'main...feature', 'v1', git('rev-parse', 'HEAD')]) {
      expect(await info({ subcommand: 'diff', ref })).toMatchObject({ ok: true })
      expect(await info({ subcommand: 'log', ref })).toMatchObject({ ok: true })
    }
  })

  it('SEARCH-19 S39 takes no option for a revision or a path', async () => {
    await repository()
    const refused = [
      { subcommand: 'log', ref: '--output=leak.txt' },
      { subcommand: 'diff', ref: '--output=leak.txt' },
      { subcommand: 'diff', ref: 'HEAD~1 --output=leak.txt' },
      { subcommand: 'diff', ref: 'HEAD..--output=leak.txt' },
      { subcommand: 'log', ref: '-O' },
      { subcommand: 'push' },
    ]
    for (const args of refused) expect((await info(args)).error?.code).toBe('invalid_arguments')
    expect((await info({ subcommand: 'diff', path: '--output=leak.txt' })).text).toBe('No differences.')
    expect(await readdir(bench.project)).not.toContain('leak.txt')
    expect((await info({ subcommand: 'log', ref: 'nowhere' })).text).toBe('nowhere is no revision of this repository.')
  })

  it('S36 runs no program that the repository chose', async () => {
    await repository()
    await bench.write({
      'run.sh': '#!/bin/sh\ntouch "$(dirname "$0")/ran.txt"\ncat "$1"\n',
      '.gitattributes': '*.txt diff=evil filter=evil\n',
    })
    const script = path.join(bench.project, 'run.sh')
    chmodSync(script, 0o755)
    for (const key of [
      'core.fsmonitor',
      'core.pager',
      'diff.external',
      'diff.evil.textconv',
      'diff.evil.command',
      'core.editor',
      'filter.evil.clean',
      'filter.evil.process',
    ]) {
      git('config', key, script)
    }
    await bench.write({ 'a.txt': 'four\n' })
    for (const args of [{ subcommand: 'status' }, { subcommand: 'diff' }, { subcommand: 'log' }])
      expect((await info(args)).ok).toBe(true)
    expect(await readdir(bench.project)).not.toContain('ran.txt')
  })

  it('says so outside a repository', async () => {
    await symlink('nowhere', path.join(bench.project, 'l'))
    expect((await info({ subcommand: 'status' })).error?.code).toBe('not_found')
  })
})
