import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { row } from '../support/contract-row'
import { makeEditBench, tagIn } from '../support/edit-bench'

let here: Awaited<ReturnType<typeof makeEditBench>>

beforeEach(async () => {
  here = await makeEditBench()
})
afterEach(() => here.bench.dispose())

const tree = async () => {
  const found: Record<string, string> = {}
  for (const entry of await readdir(here.bench.project, { recursive: true, withFileTypes: true })) {
    const file = `${entry.parentPath}/${entry.name}`
    if (entry.isFile()) found[file.slice(here.bench.project.length + 1)] = await readFile(file, 'utf8')
  }
  return found
}

describe('undo', () => {
  row('EDIT-75', ['plumbline', 'o4'], 'S38 takes whole calls back, folders and modes included', async (toolset) => {
    const session = here.open[toolset]()
    const write = (name: string, content: string) =>
      session.call('write', toolset === 'o4' ? { file_path: here.at(name), content } : { path: name, content })
    await write('new/deep/a.txt', 'a')
    expect((await session.call('undo', {})).text).toBe('Undid the last write: new/deep/a.txt put back as before.')
    expect(await readdir(here.bench.project)).toEqual([])
    await here.bench.write({ 'run.sh': 'echo a\r\n' })
    await chmod(here.at('run.sh'), 0o640)
    await session.call('read', toolset === 'o4' ? { file_path: here.at('run.sh') } : { paths: ['run.sh'] })
    await write('run.sh', '#!/bin/sh\necho b\n')
    if (process.platform !== 'win32') expect((await stat(here.at('run.sh'))).mode & 0o777).toBe(0o750)
    expect((await session.call('undo', {})).ok).toBe(true)
    expect(await here.text('run.sh')).toBe('echo a\r\n')
    if (process.platform !== 'win32') expect((await stat(here.at('run.sh'))).mode & 0o777).toBe(0o640)
    expect((await session.call('undo', {})).text).toBe('There is nothing left to undo in this session.')
  })

  it('EDIT-75 plumbline: several changes at once, each refused before anything is written', async () => {
    const session = here.open.plumbline()
    const edit = (name: string, tag: string, ops: string) => session.call('edit', { input: `[${name}#${tag}]\n${ops}` })
    await here.bench.write({ 'a.txt': 'a\nb\n', 'gone.txt': 'g\n' })
    const before = await tree()
    const tag = tagIn(await session.call('read', { paths: ['a.txt'] }))
    const first = await edit('a.txt', tag, 'replace 1..1:\n+A\nMV sub/b.txt')
    await edit('sub/b.txt', tagIn(first), 'insert tail:\n+c')
    await edit('gone.txt', tagIn(await session.call('read', { paths: ['gone.txt'] })), 'REM')
    await session.call('write', { path: 'c.txt', content: 'c' })
    const after = await tree()
    await writeFile(here.at('sub/b.txt'), 'foreign\n')
    expect((await session.call('undo', { steps: 4 })).error?.code).toBe('conflict')
    expect(await here.text('c.txt')).toBe('c')
    await writeFile(here.at('sub/b.txt'), 'A\nb\nc\n')
    expect((await session.call('undo', { steps: 5 })).text).toBe('Only 4 changes can be undone. Nothing was done.')
    const undone = await session.call('undo', { steps: 4 })
    expect([undone.ok, undone.text]).toEqual([
      true,
      'Undid the last 4 changes: a.txt, c.txt, gone.txt put back as before.',
    ])
    expect(await tree()).toEqual(before)
    expect(await readdir(here.bench.project)).toEqual(['a.txt', 'gone.txt'])
    const { undo } = here.engines
    const plan = await undo.planRedo(session.scope, 4)
    expect((await undo.redo(plan, session.scope)).done).toHaveLength(4)
    expect(await tree()).toEqual(after)
    expect((await session.call('undo', { steps: 4 })).ok).toBe(true)
    expect(await tree()).toEqual(before)
    await session.call('write', { path: 'd.txt', content: 'd' })
    await expect(undo.planRedo(session.scope)).rejects.toThrow('There is nothing left to redo in this session.')
  })

  it('EDIT-75 plumbline: changes that cancel out', async () => {
    const session = here.open.plumbline()
    await session.call('write', { path: 'a.txt', content: 'a' })
    await session.call('write', { path: 'a.txt', content: 'b' })
    await session.call('write', { path: 'a.txt', content: 'a' })
    expect((await session.call('undo', { steps: 2 })).text).toBe(
      'Undid the last 2 changes; the files read as they did.',
    )
    expect(await here.text('a.txt')).toBe('a')
  })

  it('EDIT-75 plumbline: bounds of steps', async () => {
    const session = here.open.plumbline()
    for (const steps of [0, 51, 1.5])
      expect((await session.call('undo', { steps })).error?.code).toBe('invalid_arguments')
  })
})
