import { chmod, lstat, mkdir, readdir, stat, symlink, unlink, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeEditBench, tagIn, untagged } from '../support/edit-bench'

let here: Awaited<ReturnType<typeof makeEditBench>>

beforeEach(async () => {
  here = await makeEditBench()
})
afterEach(() => here.bench.dispose())

/** The writing sessions of every toolset, under one shape. */
function writers() {
  const { plumbline, magi, atomic, o4 } = here.open
  const [p, m, a, o] = [plumbline(), magi(), atomic(), o4()]
  return {
    plumbline: {
      ...p,
      write: (path: string, content: string) => p.call('write', { path, content }),
      read: (path: string) => p.call('read', { paths: [path] }),
    },
    magi: {
      ...m,
      write: (path: string, content: string) => m.call('write', { path, content }),
      read: (path: string) => m.call('read', { paths: [path] }),
    },
    atomic: {
      ...a,
      write: (path: string, content: string) => a.call('write', { path, content }),
      read: (path: string) => a.call('read', { path }),
    },
    o4: {
      ...o,
      write: (path: string, content: string) => o.call('write', { file_path: here.at(path), content }),
      read: (path: string) => o.call('read', { file_path: here.at(path) }),
    },
  }
}

describe('write', () => {
  it('WRITE-01 WRITE-02 WRITE-04 WRITE-13 WRITE-16 creates files and folders in every toolset', async () => {
    const all = writers()
    for (const [name, session] of Object.entries(all)) {
      const answer = await session.write(`new/${name}/a.txt`, 'one\ntwo\n')
      expect(answer.ok, answer.text).toBe(true)
      expect(await here.text(`new/${name}/a.txt`)).toBe('one\ntwo\n')
      expect((await session.write(`new/${name}/empty.txt`, '')).ok).toBe(true)
      expect(await here.text(`new/${name}/empty.txt`)).toBe('')
    }
    const atomic = await all.atomic.write('b.txt', 'secret body\n')
    expect(untagged(atomic.text)).toBe('[b.txt#TAG]\nSuccessfully wrote to b.txt')
    expect(atomic.details).toMatchObject({ path: 'b.txt', bytes: 12, lines: 1, created: true, madeExecutable: false })
    expect((await all.magi.write('c.txt', 'x')).text).toBe('Created c.txt (1 bytes, 1 lines)')
    expect((await all.o4.write('d.txt', 'x')).text).toBe(`Created ${here.at('d.txt')} (1 bytes)`)
    const edited = await all.atomic.call('edit', { input: `[b.txt#${tagIn(atomic)}]\nreplace 1..1:\n+next` })
    expect(edited.ok, edited.text).toBe(true)
  })

  it('WRITE-07 WRITE-09 a file that this session has not seen is not overwritten', async () => {
    for (const session of Object.values(writers())) {
      await here.bench.write({ 'a.txt': 'mine\n' })
      const refused = await session.write('a.txt', 'theirs\n')
      expect(refused.error?.code).toBe('conflict')
      expect(refused.text).toContain('FILE_MUTATION_CONFLICT:no_prior_observation')
      expect(refused.text).toContain(session.id)
      expect(await here.text('a.txt')).toBe('mine\n')
      await session.read('a.txt')
      expect((await session.write('a.txt', 'theirs\n')).ok).toBe(true)
      expect(await here.text('a.txt')).toBe('theirs\n')
      expect((await session.write('a.txt', 'again\n')).ok).toBe(true)
    }
  })

  it('WRITE-08 names the first diverging line', async () => {
    await here.bench.write({ 'a.txt': 'a\nb\nc\n' })
    const { atomic } = writers()
    await atomic.read('a.txt')
    await writeFile(here.at('a.txt'), 'a\nB\nc\n')
    const refused = await atomic.write('a.txt', 'x\n')
    expect(refused.text).toContain('FILE_MUTATION_CONFLICT:changed_since_observation')
    expect(refused.text).toContain('First diverging line: 2\nexpected: b\ncurrent: B\n')
    expect(await here.text('a.txt')).toBe('a\nB\nc\n')
  })

  it('WRITE-05 caps', async () => {
    const { magi, plumbline } = writers()
    const big = 'x'.repeat(1024 * 1024 + 1)
    expect((await magi.write('a.txt', big)).error?.code).toBe('too_large')
    expect((await magi.write('a.txt', big.slice(1))).ok).toBe(true)
    expect((await plumbline.write('b.txt', big)).ok).toBe(true)
  })

  it('WRITE-06 S09 wrong targets are named and nothing is left behind', async () => {
    await here.bench.write({ 'docs/x.md': 'x', plain: 'p', 'real.txt': 'r' })
    await symlink(here.at('real.txt'), here.at('link.txt'))
    await symlink(here.at('nowhere'), here.at('dangling'))
    for (const session of Object.values(writers())) {
      expect((await session.write('docs', 'y')).text).toBe('docs is a directory. Name a file in it.')
      const below = await session.write('plain/new.txt', 'y')
      expect([below.error?.code, below.text]).toEqual([
        'not_a_directory',
        'plain is not a directory. Nothing was written.',
      ])
      expect((await session.write('link.txt', 'y')).text).toContain('symbolic link')
      expect((await session.write('dangling', 'y')).text).toContain('symbolic link')
    }
    expect((await lstat(here.at('link.txt'))).isSymbolicLink()).toBe(true)
    expect(await here.text('plain')).toBe('p')
    expect((await readdir(here.bench.project)).sort()).toEqual(['dangling', 'docs', 'link.txt', 'plain', 'real.txt'])
    expect(await readdir(here.at('docs'))).toEqual(['x.md'])
  })

  it('WRITE-03 S08 S09 a full disk leaves the old content, its mode and no temporary file', async () => {
    await here.bench.dispose()
    let failing = false
    const { open } = await import('node:fs/promises')
    here = await makeEditBench({
      files: {
        open: async (...args: Parameters<typeof open>) => {
          const handle = await open(...args)
          if (failing) {
            handle.writeFile = async () => {
              throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
            }
          }
          return handle
        },
      },
    })
    await here.bench.write({ 'run.sh': '#!/bin/sh\necho a\n' })
    await chmod(here.at('run.sh'), 0o755)
    const { o4 } = writers()
    await o4.read('run.sh')
    failing = true
    const failed = await o4.write('run.sh', '#!/bin/sh\necho b\n')
    expect(failed.text).toBe('Could not write file: run.sh. Error code: ENOSPC.')
    expect((await o4.write('deep/new.txt', 'x')).ok).toBe(false)
    expect(await readdir(here.bench.project)).toEqual(['run.sh'])
    expect(await here.text('run.sh')).toBe('#!/bin/sh\necho a\n')
    failing = false
    expect((await o4.write('run.sh', '#!/bin/sh\necho b\n')).ok).toBe(true)
    expect((await stat(here.at('run.sh'))).mode & 0o777).toBe(0o755)
  })

  it('WRITE-10 a file that appears before the write is not replaced', async () => {
    await here.bench.dispose()
    const { link } = await import('node:fs/promises')
    here = await makeEditBench({
      files: {
        link: async (from, to) => {
          await writeFile(to, 'somebody else')
          await link(from, to)
        },
      },
    })
    const answer = await writers().atomic.write('a.txt', 'x')
    expect(answer.text).toContain('FILE_MUTATION_CONFLICT:target_exists')
    expect(await here.text('a.txt')).toBe('somebody else')
    expect(await readdir(here.bench.project)).toEqual(['a.txt'])
  })

  it('WRITE-11 a file that can not be read is not replaced', async () => {
    await here.bench.dispose()
    here = await makeEditBench({
      files: {
        readFile: (async () => {
          throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
        }) as never,
      },
    })
    await here.bench.write({ 'a.txt': 'a\n' })
    const answer = await writers().atomic.write('a.txt', 'x')
    expect(answer.text).toContain('FILE_MUTATION_CONFLICT:target_unreadable')
    expect(answer.text).toContain('EACCES')
  })

  it('WRITE-17 generated files', async () => {
    await here.bench.write({ 'gen.go': '// Code generated by x. DO NOT EDIT.\npackage a\n' })
    const { atomic, plumbline, magi } = writers()
    for (const session of [atomic, plumbline]) {
      await session.read('gen.go')
      expect((await session.write('gen.go', 'package b\n')).text).toContain('is a generated file')
    }
    await magi.read('gen.go')
    const warned = await magi.write('gen.go', 'package b\n')
    expect([warned.ok, warned.text.includes('says that it is generated')]).toEqual([true, true])
  })

  it.skipIf(process.platform === 'win32')('WRITE-18 S08 a shebang makes a file executable', async () => {
    const { atomic } = writers()
    const answer = await atomic.write('run.sh', '#!/bin/sh\n')
    expect(answer.details).toMatchObject({ madeExecutable: true })
    expect(answer.text).toContain('madeExecutable')
    expect((await stat(here.at('run.sh'))).mode & 0o100).toBe(0o100)
    await chmod(here.at('run.sh'), 0o644)
    await atomic.read('run.sh')
    expect((await atomic.write('run.sh', '#!/bin/sh\nexit\n')).details).toMatchObject({ madeExecutable: true })
    expect((await stat(here.at('run.sh'))).mode & 0o777).toBe(0o755)
  })

  it('WRITE-14 WRITE-15 copied chrome goes, everything else stays', async () => {
    await here.bench.write({ 'deep/dir/notes.md': 'one\ntwo\n', 'open.md': 'x' })
    const { atomic } = writers()
    const shown = (await atomic.read('deep/dir/notes.md')).text
    const stripped = await atomic.write('deep/dir/notes.md', shown.replace('2:two', '2:two'))
    expect(await here.text('deep/dir/notes.md')).toBe('one\ntwo\n')
    expect(stripped.text).toContain('Stripped the header and the line numbers')
    const wrote = await atomic.write('deep/dir/notes.md', 'three\n')
    await atomic.write('deep/dir/notes.md', `${wrote.text}\nfour\n`)
    expect(await here.text('deep/dir/notes.md')).toBe('four\n')
    await atomic.write('deep/dir/notes.md', 'Successfully wrote to notes.md\nfive\n')
    expect(await here.text('deep/dir/notes.md')).toBe('Successfully wrote to notes.md\nfive\n')
    await atomic.write('map.txt', '[x.ts#0000]\n1:one\n')
    expect(await here.text('map.txt')).toBe('[x.ts#0000]\n1:one\n')
    const open = (await atomic.read('open.md')).text
    await atomic.write('open.md', `${open}\n`)
    expect(await here.text('open.md')).toBe('x')
  })

  it('WRITE-12 a deleted file can be written again', async () => {
    const { o4 } = writers()
    await o4.write('a.txt', 'a')
    await unlink(here.at('a.txt'))
    expect((await o4.write('a.txt', 'b')).ok).toBe(true)
    await mkdir(here.at('b'))
    expect((await o4.write('b/', 'b')).error?.code).toBe('is_directory')
  })
})
