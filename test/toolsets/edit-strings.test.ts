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
  it('EDIT-02 o4: S01 new text is literal', async () => {
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

  it('EDIT-03 o4: tells how many places and where', async () => {
    await here.bench.write({ 'a.txt': 'x\ny\nx\n' })
    expect((await edit('a.txt', 'x', 'z')).text).toContain('matches 2 places in a.txt (lines 1, 3)')
    expect((await edit('a.txt', 'q', 'z')).error?.code).toBe('not_found')
    expect((await edit('none.txt', 'q', 'z')).text).toContain('File not found: none.txt')
    expect(await here.text('a.txt')).toBe('x\ny\nx\n')
  })

  it('EDIT-04 o4: files up to 25 MB', async () => {
    await here.bench.write({ 'big.txt': `${'x'.repeat(24_999_999)}y`, 'more.txt': `${'x'.repeat(25_000_000)}y` })
    expect((await edit('big.txt', 'xy', 'xz')).ok).toBe(true)
    expect((await edit('more.txt', 'xy', 'xz')).text).toBe(
      'more.txt has 25000001 bytes; edit works on files up to 25000000.',
    )
  })

  it('EDIT-12 EDIT-65 o4: a missing file is left to write', async () => {
    const answer = await edit('none.txt', 'a', 'b')
    expect([answer.error?.code, answer.text]).toEqual([
      'not_found',
      'File not found: none.txt. Use the write tool to create new files.',
    ])
    expect(await readdir(here.bench.project)).toEqual([])
  })

  it('EDIT-71 o4: details hold diff, patch and the first changed line', async () => {
    await here.bench.write({ 'a.txt': 'a\nb\nc\n' })
    const answer = await edit('a.txt', 'b', 'B')
    expect(answer.text).toBe(`Edited ${here.at('a.txt')} (1 replacement)\n 1:a\n+2:B\n 3:c`)
    expect(answer.details).toMatchObject({
      diff: '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n',
      patch: '--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n',
      firstChangedLine: 2,
    })
  })

  it('EDIT-72 o4: a file that can not be read', async () => {
    Object.assign(here.files, {
      readFile: async () => Promise.reject(Object.assign(new Error('EACCES: denied'), { code: 'EACCES' })),
    })
    await here.bench.write({ 'a.txt': 'a\n' })
    expect((await edit('a.txt', 'a', 'b')).text).toBe(
      "FILE_MUTATION_CONFLICT:target_unreadable: a.txt can't be read (EACCES). No changes were written. Restore access, then read the file again before retrying.",
    )
  })

  it.skipIf(process.platform === 'win32')('S08 keeps the mode', async () => {
    await here.bench.write({ 'token.txt': 'a\n' })
    await chmod(here.at('token.txt'), 0o600)
    await edit('token.txt', 'a', 'b')
    expect((await stat(here.at('token.txt'))).mode & 0o777).toBe(0o600)
  })
})

describe('o4 undo', () => {
  it('S38 takes changes back, newest first, folders included', async () => {
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
