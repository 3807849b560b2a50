import { execFileSync } from 'node:child_process'
import { chmod, readdir, stat, unlink, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KEEPING, row } from '../support/contract-row'
import { makeEditBench } from '../support/edit-bench'

let here: Awaited<ReturnType<typeof makeEditBench>>

beforeEach(async () => {
  here = await makeEditBench()
})
afterEach(() => here.bench.dispose())

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@x', ...args], {
    cwd: here.bench.project,
    encoding: 'utf8',
  })
const signal = new AbortController().signal

describe('checkpoints', () => {
  row('PLAN-08', KEEPING, 'keeps files without Git; with it HEAD is tagged', async (toolset) => {
    await here.bench.write({ 'a.txt': 'a\n', 'sub/b.txt': 'b\n' })
    const plain = here.open[toolset]()
    expect((await plain.call('checkpoint_create', { name: 'Before: the Rename!' })).text).toBe(
      'Created checkpoint plumbline/cp/1-before-the-rename (2 files).',
    )
    expect((await plain.call('checkpoint_create', {})).text).toBe('Created checkpoint plumbline/cp/2 (2 files).')
    await here.bench.dispose()
    here = await makeEditBench({ git: true })
    await here.bench.write({ 'a.txt': 'a\n' })
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'one')
    const session = here.open[toolset]()
    expect((await session.call('checkpoint_create', { name: 'x' })).text).toBe(
      'Created checkpoint plumbline/cp/1-x (1 files; git HEAD has the same tag).',
    )
    expect(git('rev-parse', 'plumbline/cp/1-x')).toBe(git('rev-parse', 'HEAD'))
    expect(git('status', '--porcelain')).toBe('')
    git('tag', 'plumbline/cp/2-x')
    expect((await session.call('checkpoint_create', { name: 'x' })).text).toBe(
      `Created checkpoint plumbline/cp/2-x (1 files; git HEAD has the tag plumbline/cp/2-x-${session.id.slice(-6)}).`,
    )
  })

  row(
    'PLAN-09',
    KEEPING,
    'restores; refuses over uncommitted changes unless forced; can be undone',
    async (toolset) => {
      await here.bench.write({ 'a.txt': 'a\n', 'run.sh': 'x\n', 'gone.txt': 'g\n' })
      await chmod(here.at('run.sh'), 0o755)
      const session = here.open[toolset]()
      await session.call('checkpoint_create', {})
      await writeFile(here.at('a.txt'), 'A\n')
      await chmod(here.at('run.sh'), 0o644)
      await unlink(here.at('gone.txt'))
      await writeFile(here.at('new.txt'), 'n\n')
      const refused = await session.call('checkpoint_restore', { checkpoint: 'plumbline/cp/1' })
      expect([refused.error?.code, refused.text]).toEqual([
        'conflict',
        'Uncommitted changes would be overwritten: a.txt. Nothing was restored. Commit them or make a checkpoint first, or set force.',
      ])
      expect(await here.text('a.txt')).toBe('A\n')
      const restored = await session.call('checkpoint_restore', { checkpoint: 'plumbline/cp/1', force: true })
      expect(restored.text).toBe(
        'Restored 3 files from plumbline/cp/1. The state before is kept as plumbline/cp/2-before-plumbline-cp-1.\na.txt\ngone.txt\nrun.sh',
      )
      expect([await here.text('a.txt'), await here.text('gone.txt'), await here.text('new.txt')]).toEqual([
        'a\n',
        'g\n',
        'n\n',
      ])
      if (process.platform !== 'win32') expect((await stat(here.at('run.sh'))).mode & 0o777).toBe(0o755)
      expect((await session.call('undo', {})).ok).toBe(true)
      expect(await here.text('a.txt')).toBe('A\n')
      expect((await readdir(here.bench.project)).sort()).toEqual(['a.txt', 'new.txt', 'run.sh'])
      await session.call('checkpoint_create', {})
      expect((await session.call('checkpoint_restore', { checkpoint: 'plumbline/cp/1' })).ok).toBe(true)
      const unknown = await session.call('checkpoint_restore', { checkpoint: 'zz' })
      expect(unknown.text).toContain('There is no checkpoint "zz" in this session. The newest: plumbline/cp/1, ')
    },
  )

  it('PLAN-09 plumbline: with Git, what is committed may be overwritten', async () => {
    await here.bench.dispose()
    here = await makeEditBench({ git: true })
    await here.bench.write({ 'a.txt': 'a\n', 'b c.txt': 'b\n' })
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'one')
    const session = here.open.plumbline()
    await session.call('checkpoint_create', {})
    await here.bench.write({ 'a.txt': 'A\n', 'b c.txt': 'B\n' })
    const refused = await session.call('checkpoint_restore', { checkpoint: 'plumbline/cp/1' })
    expect(refused.text).toContain('overwritten: a.txt, b c.txt.')
    git('commit', '-qam', 'two')
    expect((await session.call('checkpoint_restore', { checkpoint: 'plumbline/cp/1' })).ok).toBe(true)
    expect([await here.text('a.txt'), await here.text('b c.txt')]).toEqual(['a\n', 'b\n'])
  })

  it('a rewind puts files back to before a turn, shell changes included, and is undone like any change', async () => {
    await here.bench.write({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
    const session = here.open.plumbline()
    const { checkpoints, undo } = here.engines
    expect((await checkpoints.beforePrompt(session.scope, 3, signal))?.turn).toBe(3)
    await here.bench.write({ 'a.txt': 'by a shell\n', 'new/c.txt': 'c\n' })
    await unlink(here.at('b.txt'))
    const plan = await checkpoints.planRewind(session.scope, 3, signal)
    expect(plan.files.map((file) => [file.path, file.kind])).toEqual([
      ['a.txt', 'modified'],
      ['b.txt', 'added'],
      ['new/c.txt', 'deleted'],
    ])
    await writeFile(here.at('a.txt'), 'and by somebody\n')
    await expect(checkpoints.restore(plan, session.scope, 'rewind', signal)).rejects.toThrow(
      'changed after it was read',
    )
    expect(await here.text('a.txt')).toBe('and by somebody\n')
    const again = await checkpoints.planRewind(session.scope, 3, signal)
    await checkpoints.restore(again, session.scope, 'rewind', signal)
    expect([await here.text('a.txt'), await here.text('b.txt')]).toEqual(['a\n', 'b\n'])
    await expect(stat(here.at('new/c.txt'))).rejects.toThrow('ENOENT')
    await undo.undo(await undo.planUndo(session.scope), session.scope)
    expect([await here.text('a.txt'), await here.text('new/c.txt')]).toEqual(['and by somebody\n', 'c\n'])
    await expect(checkpoints.planRewind(session.scope, 9, signal)).rejects.toThrow('not kept before turn 9')
  })

  it('checkpoints outlive the process, and a project that is too large is left alone', async () => {
    await here.bench.write({ 'a.txt': 'a\n' })
    const session = here.open.plumbline()
    await session.call('checkpoint_create', { name: 'kept' })
    here.engines.checkpoints.release(session.scope.id)
    expect((await here.engines.checkpoints.list(session.scope)).map((one) => one.name)).toEqual(['plumbline/cp/1-kept'])
    for (let index = 0; index < 2001; index += 1) await writeFile(here.at(`${index}.txt`), '')
    expect(await here.engines.checkpoints.beforePrompt(session.scope, 1, signal)).toBeUndefined()
  })
})
