import { chmod, readdir, stat, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeEditBench } from '../support/edit-bench'

let here: Awaited<ReturnType<typeof makeEditBench>>
let session: ReturnType<typeof here.open.o4>

beforeEach(async () => {
  here = await makeEditBench()
  session = here.open.o4()
})
afterEach(() => here.bench.dispose())

const edit = (name: string, old_string: string, new_string: string, replace_all?: boolean) =>
  session.call('edit', {
    file_path: here.at(name),
    old_string,
    new_string,
    ...(replace_all !== undefined && { replace_all }),
  })

describe('o4 edit', () => {
  it('S01 EDIT-02 new text is literal', async () => {
    const source = '#!/bin/sh\necho "ready"\necho "ready"\n'
    const odd = `echo "pid $$, whole $&, one $1, before $\`, after $'"`
    await here.bench.write({ 'deploy.sh': source })
    expect((await edit('deploy.sh', 'echo "ready"\necho "ready"', odd)).ok).toBe(true)
    expect(await here.text('deploy.sh')).toBe(`#!/bin/sh\n${odd}\n`)
    await here.bench.write({ 'deploy.sh': source })
    const all = await edit('deploy.sh', 'ready', 'a$$b$&c', true)
    expect(all.text).toContain('(2 replacements)')
    expect(await here.text('deploy.sh')).toBe('#!/bin/sh\necho "a$$b$&c"\necho "a$$b$&c"\n')
  })

  it('S02 endings are those of the file', async () => {
    for (const [oldText, newText] of [
      ['two\nthree', 'TWO\nextra\nTHREE'],
      ['two\r\nthree', 'TWO\r\nextra\r\nTHREE'],
    ] as const) {
      await here.bench.write({ 'a.txt': 'one\r\ntwo\r\nthree\r\n' })
      await edit('a.txt', oldText, newText)
      expect(await here.text('a.txt')).toBe('one\r\nTWO\r\nextra\r\nTHREE\r\n')
    }
    await here.bench.write({ 'a.txt': 'one\r\ntwo\r\n', 'lf.txt': 'one\ntwo\n' })
    await edit('a.txt', 'one', 'ONE\n')
    expect(await here.text('a.txt')).toBe('ONE\r\n\r\ntwo\r\n')
    await edit('lf.txt', 'one\r\ntwo', 'x\r\ny')
    expect(await here.text('lf.txt')).toBe('x\ny\n')
  })

  it('S03 the mark stays once', async () => {
    await here.bench.write({ 'a.md': '\uFEFF# Título\nuno\n' })
    await edit('a.md', 'uno', 'UNO')
    await edit('a.md', '# Título', '# T')
    expect(await here.text('a.md')).toBe('\uFEFF# T\nUNO\n')
  })

  it('S04 an empty search text is refused', async () => {
    await here.bench.write({ 'abc.txt': 'abc', 'empty.txt': '' })
    for (const answer of [
      await edit('abc.txt', '', 'X', true),
      await edit('abc.txt', '', 'X'),
      await edit('empty.txt', '', 'X'),
    ]) {
      expect(answer.ok).toBe(false)
      expect(answer.text).toContain('old_string is empty')
    }
    expect(await here.text('abc.txt')).toBe('abc')
    expect(await here.text('empty.txt')).toBe('')
  })

  it('EDIT-03 tells how many places and where', async () => {
    await here.bench.write({ 'a.txt': 'x\ny\nx\n' })
    expect((await edit('a.txt', 'x', 'z')).text).toContain('matches 2 places in a.txt (lines 1, 3)')
    expect((await edit('a.txt', 'q', 'z')).error?.code).toBe('not_found')
    expect((await edit('none.txt', 'q', 'z')).text).toContain('File not found: none.txt')
    expect(await here.text('a.txt')).toBe('x\ny\nx\n')
  })

  it.skipIf(process.platform === 'win32')('S08 keeps the mode', async () => {
    await here.bench.write({ 'token.txt': 'a\n' })
    await chmod(here.at('token.txt'), 0o600)
    await edit('token.txt', 'a', 'b')
    expect((await stat(here.at('token.txt'))).mode & 0o777).toBe(0o600)
  })
})

describe('o4 undo', () => {
  it('S38 EDIT-75 takes changes back, newest first, folders included', async () => {
    await session.call('write', { file_path: here.at('new/deep/a.txt'), content: 'a' })
    expect((await session.call('undo', {})).ok).toBe(true)
    expect(await readdir(here.bench.project)).toEqual([])
    await here.bench.write({ 'b.txt': 'old\r\n' })
    await session.call('read', { file_path: here.at('b.txt') })
    await session.call('write', { file_path: here.at('b.txt'), content: 'new\n' })
    await edit('b.txt', 'new', 'newer')
    await session.call('undo', {})
    expect(await here.text('b.txt')).toBe('new\n')
    await session.call('undo', {})
    expect(await here.text('b.txt')).toBe('old\r\n')
    expect((await session.call('write', { file_path: here.at('b.txt'), content: 'after undo' })).ok).toBe(true)
    await session.call('undo', {})
    expect((await session.call('undo', {})).error?.code).toBe('not_found')
  })

  it('S38 keeps 50 and refuses over a foreign change', async () => {
    for (let index = 0; index < 51; index += 1) {
      await session.call('write', { file_path: here.at('a.txt'), content: `${index}` })
    }
    await writeFile(here.at('a.txt'), 'foreign')
    const refused = await session.call('undo', {})
    expect(refused.error?.code).toBe('conflict')
    expect(await here.text('a.txt')).toBe('foreign')
    await writeFile(here.at('a.txt'), '50')
    for (let index = 0; index < 50; index += 1) expect((await session.call('undo', {})).ok).toBe(true)
    expect(await here.text('a.txt')).toBe('0')
    expect((await session.call('undo', {})).ok).toBe(false)
  })
})
