import { chmod, lstat, mkdir, readdir, stat, symlink, unlink, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { ALL, ANCHORED, row } from '../support/contract-row'
import { makeEditBench, tagIn, untagged } from '../support/edit-bench'

type Bench = Awaited<ReturnType<typeof makeEditBench>>
let here: Bench

beforeEach(async () => {
  here = await makeEditBench()
})
afterEach(() => here.bench.dispose())

/** Another disk or another way of judging for the rest of the test. */
async function reopen(options: Parameters<typeof makeEditBench>[0]): Promise<void> {
  await here.bench.dispose()
  here = await makeEditBench(options)
}

type Toolset = (typeof ALL)[number]

/** A session that writes, under one shape. */
function writer(toolset: Toolset) {
  const session = here.open[toolset]()
  return {
    ...session,
    write: (path: string, content: string) =>
      session.call('write', toolset === 'o4' ? { file_path: here.at(path), content } : { path, content }),
    read: (path: string) =>
      session.call(
        'read',
        toolset === 'o4' ? { file_path: here.at(path) } : toolset === 'atomic' ? { path } : { paths: [path] },
      ),
  }
}

/** What a write answers, after the header where there is one. */
function said(toolset: Toolset, path: string, verb: 'new' | 'old', bytes: number, lines: number): string {
  if (toolset === 'o4') return `${verb === 'new' ? 'Created' : 'Overwrote'} ${here.at(path)} (${bytes} bytes)`
  if (toolset === 'magi') return `${verb === 'new' ? 'Created' : 'Replaced'} ${path} (${bytes} bytes, ${lines} lines)`
  return `[${path}#TAG]\nSuccessfully wrote to ${path}`
}

const fault = (code: string, what: string) => Object.assign(new Error(`${code}: ${what}`), { code })

describe('write', () => {
  row('WRITE-01', ALL, 'both arguments are required', async (toolset) => {
    const session = writer(toolset)
    const path = toolset === 'o4' ? 'file_path' : 'path'
    for (const args of [{ [path]: 'a.txt' }, { content: 'x' }, {}])
      expect((await session.call('write', args)).error?.code).toBe('invalid_arguments')
    expect(untagged((await session.write('a.txt', 'one\ntwo\n')).text)).toBe(said(toolset, 'a.txt', 'new', 8, 2))
    expect(await here.text('a.txt')).toBe('one\ntwo\n')
  })

  row('WRITE-02', ALL, 'empty content is a file', async (toolset) => {
    const session = writer(toolset)
    expect(untagged((await session.write('a.txt', '')).text)).toBe(said(toolset, 'a.txt', 'new', 0, 0))
    expect(await here.text('a.txt')).toBe('')
  })

  row('WRITE-03', ALL, 'S08 S09 a full disk leaves content, mode and no temporary file', async (toolset) => {
    let failing = false
    const { open } = await import('node:fs/promises')
    await reopen({
      files: {
        open: async (...args: Parameters<typeof open>) => {
          const handle = await open(...args)
          if (failing) {
            handle.writeFile = async () => {
              throw fault('ENOSPC', 'no space left on device, write')
            }
          }
          return handle
        },
      },
    })
    await here.bench.write({ 'run.sh': '#!/bin/sh\necho a\n' })
    await chmod(here.at('run.sh'), 0o755)
    const session = writer(toolset)
    await session.read('run.sh')
    failing = true
    const failed = await session.write('run.sh', '#!/bin/sh\necho b\n')
    expect(failed.text).toBe('Could not write file: run.sh. Error code: ENOSPC.')
    expect((await session.write('deep/new.txt', 'x')).ok).toBe(false)
    expect(await readdir(here.bench.project)).toEqual(['run.sh'])
    expect(await here.text('run.sh')).toBe('#!/bin/sh\necho a\n')
    failing = false
    expect((await session.write('run.sh', '#!/bin/sh\necho b\n')).ok).toBe(true)
    expect((await stat(here.at('run.sh'))).mode & 0o777).toBe(0o755)
  })

  row('WRITE-04', ALL, 'folders are made', async (toolset) => {
    expect((await writer(toolset).write('x/y/z/a.txt', 'a')).ok).toBe(true)
    expect(await here.text('x/y/z/a.txt')).toBe('a')
  })

  row('WRITE-05', ALL, 'the cap on bytes', async (toolset) => {
    const session = writer(toolset)
    const max = toolset === 'magi' ? 1024 * 1024 : 50_000_000
    const content = `${'ü'.repeat(max / 2 - 1)}xx`
    const refused = await session.write('a.txt', `${content}y`)
    expect([refused.error?.code, refused.text]).toEqual([
      'too_large',
      `The content has ${max + 1} bytes; write takes up to ${max}. Nothing was written.`,
    ])
    expect(await readdir(here.bench.project)).toEqual([])
    if (toolset === 'magi') expect((await session.write('a.txt', content)).ok).toBe(true)
  })

  row('WRITE-06', ALL, 'S09 links, folders and files in the way are named', async (toolset) => {
    await here.bench.write({ 'docs/x.md': 'x', plain: 'p', 'real.txt': 'r' })
    await symlink(here.at('real.txt'), here.at('link.txt'))
    await symlink(here.at('nowhere'), here.at('dangling'))
    const session = writer(toolset)
    const cases: [path: string, code: string, text: string][] = [
      ['docs', 'is_directory', 'docs is a directory. Name a file in it.'],
      ['docs/', 'is_directory', 'docs is a directory. Name a file in it.'],
      ['plain/new.txt', 'not_a_directory', 'plain is not a directory. Nothing was written.'],
      ['link.txt', 'not_a_file', 'link.txt is a symbolic link. Write to the file it leads to instead.'],
      ['dangling', 'not_a_file', 'dangling is a symbolic link. Write to the file it leads to instead.'],
    ]
    for (const [path, code, text] of cases) {
      const answer = await session.write(path, 'y')
      expect([path, answer.error?.code, answer.text]).toEqual([path, code, text])
    }
    expect((await lstat(here.at('link.txt'))).isSymbolicLink()).toBe(true)
    expect([await here.text('plain'), await here.text('real.txt')]).toEqual(['p', 'r'])
    expect((await readdir(here.bench.project)).sort()).toEqual(['dangling', 'docs', 'link.txt', 'plain', 'real.txt'])
    expect(await readdir(here.at('docs'))).toEqual(['x.md'])
  })

  row('WRITE-07', ALL, 'a file that this session has not seen is not overwritten', async (toolset) => {
    const session = writer(toolset)
    await here.bench.write({ 'a.txt': 'mine\n' })
    const other = writer(toolset)
    await other.read('a.txt')
    const refused = await session.write('a.txt', 'theirs\n')
    expect([refused.error?.code, refused.text]).toEqual([
      'conflict',
      `FILE_MUTATION_CONFLICT:no_prior_observation: a.txt exists, and this session (${session.id}) has not read, written, or edited it. Nothing was written. Read the file before overwriting it.`,
    ])
    expect(await here.text('a.txt')).toBe('mine\n')
    await session.read('a.txt')
    expect(untagged((await session.write('a.txt', 'theirs\n')).text)).toBe(said(toolset, 'a.txt', 'old', 7, 1))
    expect((await session.write('a.txt', 'again\n')).ok).toBe(true)
    expect(await here.text('a.txt')).toBe('again\n')
  })

  row('WRITE-08', ALL, 'a file that changed since is not overwritten', async (toolset) => {
    await here.bench.write({ 'a.txt': 'a\nb\nc\n' })
    const session = writer(toolset)
    await session.read('a.txt')
    await writeFile(here.at('a.txt'), 'a\nB\nc\n')
    expect((await session.write('a.txt', 'x\n')).text).toBe(
      `FILE_MUTATION_CONFLICT:changed_since_observation: a.txt changed since this session (${session.id}) last saw it. Nothing was written.\nFirst diverging line: 2\nexpected: b\ncurrent: B\n Read the file again before retrying.`,
    )
    expect(await here.text('a.txt')).toBe('a\nB\nc\n')
  })

  row('WRITE-09', ALL, 'refusals name the session', async (toolset) => {
    await here.bench.write({ 'a.txt': 'a\n' })
    const session = writer(toolset)
    expect((await session.write('a.txt', 'x')).text).toContain(`this session (${session.id})`)
    await session.read('a.txt')
    await writeFile(here.at('a.txt'), 'b\n')
    expect((await session.write('a.txt', 'x')).text).toContain(`this session (${session.id})`)
  })

  row('WRITE-10', ALL, 'a file that appears before the write is not replaced', async (toolset) => {
    const { link } = await import('node:fs/promises')
    await reopen({
      files: {
        link: async (from, to) => {
          await writeFile(to, 'somebody else')
          await link(from, to)
        },
      },
    })
    const answer = await writer(toolset).write('a.txt', 'x')
    expect(answer.text).toBe(
      `FILE_MUTATION_CONFLICT:target_exists: ${here.at('a.txt')} appeared meanwhile and was not replaced. Nothing was written to it; read it before you decide.`,
    )
    expect(await here.text('a.txt')).toBe('somebody else')
    expect(await readdir(here.bench.project)).toEqual(['a.txt'])
  })

  row('WRITE-11', ALL, 'a file that can not be read is not replaced', async (toolset) => {
    await reopen({ files: { readFile: (async () => Promise.reject(fault('EACCES', 'denied'))) as never } })
    await here.bench.write({ 'a.txt': 'a\n' })
    const answer = await writer(toolset).write('a.txt', 'x')
    expect(answer.text).toBe(
      "FILE_MUTATION_CONFLICT:target_unreadable: a.txt can't be read (EACCES). No changes were written. Restore access, then read the file again before retrying.",
    )
    expect(await here.text('a.txt')).toBe('a\n')
  })

  row('WRITE-12', ALL, 'a write that was cancelled after it landed is recognised', async (toolset) => {
    await here.bench.write({ 'a.txt': 'a\n' })
    const session = writer(toolset)
    await session.read('a.txt')
    const { rename } = await import('node:fs/promises')
    const controller = new AbortController()
    Object.assign(here.files, {
      rename: async (...args: Parameters<typeof rename>) => {
        await rename(...args)
        controller.abort()
      },
    })
    const args = toolset === 'o4' ? { file_path: here.at('a.txt'), content: 'b\n' } : { path: 'a.txt', content: 'b\n' }
    await session.call('write', args, controller.signal)
    Object.assign(here.files, { rename })
    expect(await here.text('a.txt')).toBe('b\n')
    expect((await session.write('a.txt', 'b\n')).ok).toBe(true)
    expect((await session.write('a.txt', 'c\n')).ok).toBe(true)
    expect(await here.text('a.txt')).toBe('c\n')
  })

  row('WRITE-13', ALL, 'a new file needs no read, a deleted one none again', async (toolset) => {
    const session = writer(toolset)
    expect((await session.write('a.txt', 'a')).ok).toBe(true)
    await unlink(here.at('a.txt'))
    expect((await session.write('a.txt', 'b')).ok).toBe(true)
    expect(await here.text('a.txt')).toBe('b')
  })

  row('WRITE-14', ANCHORED, 'copied headers and line numbers go where a known text proves them', async (toolset) => {
    await here.bench.write({ 'a.md': 'one\ntwo\n', 'open.md': 'x' })
    const session = writer(toolset)
    const shown = (await session.read('a.md')).text
    const stripped = await session.write('a.md', shown)
    expect(await here.text('a.md')).toBe('one\ntwo\n')
    expect(stripped.text).toContain(
      'Stripped the header and the line numbers that had been copied from an earlier result.',
    )
    await session.write('map.txt', '[x.ts#0000]\n1:one\n')
    expect(await here.text('map.txt')).toBe('[x.ts#0000]\n1:one\n')
    await session.write('open.md', `${(await session.read('open.md')).text}\n`)
    expect(await here.text('open.md')).toBe('x')
  })

  row('WRITE-15', ANCHORED, 'a copied confirmation goes for the complete path only', async (toolset) => {
    const session = writer(toolset)
    const tag = tagIn(await session.write('deep/dir/notes.md', 'three\n').then(() => session.read('deep/dir/notes.md')))
    const confirmed = 'Successfully wrote to deep/dir/notes.md'
    for (const line of [confirmed, confirmed.replace('to', '6 bytes to')]) {
      await session.write('deep/dir/notes.md', `[deep/dir/notes.md#${tag}]\n${line}\nfour\n`)
      expect(await here.text('deep/dir/notes.md')).toBe('four\n')
    }
    const own = 'Successfully wrote to notes.md\nfive\n'
    await session.write('deep/dir/notes.md', own)
    expect(await here.text('deep/dir/notes.md')).toBe(own)
  })

  row('WRITE-16', ALL, 'the answer never repeats the file', async (toolset) => {
    const answer = await writer(toolset).write('b.txt', 'secret body\n')
    expect(answer.text).not.toContain('secret')
    expect(JSON.stringify(answer.details)).not.toContain('secret')
    expect(answer.details).toMatchObject({ path: 'b.txt', bytes: 12, lines: 1, created: true, madeExecutable: false })
  })

  const GENERATED = '// Code generated by x. DO NOT EDIT.\npackage a\n'

  row(
    'WRITE-17',
    ['plumbline', 'magi', 'o4'],
    'a generated file is asked about, whatever was granted',
    async (toolset) => {
      for (const answer of ['once', 'deny'] as const) {
        await reopen({ judged: { mode: 'accept-edits', answer } })
        await here.bench.write({ 'gen.go': GENERATED, 'plain.go': 'package a\n' })
        const session = writer(toolset)
        await session.read('plain.go')
        expect((await session.write('plain.go', 'package b\n')).ok).toBe(true)
        expect(session.asked).toEqual([])
        await session.read('gen.go')
        expect((await session.write('gen.go', 'package b\n')).ok).toBe(answer === 'once')
        expect(session.asked.map((ask) => [ask.stage, ask.reason, ask.scopes])).toEqual([
          ['ask rules', 'gen.go says that it is generated: // Code generated by x. DO NOT EDIT.', ['once', 'deny']],
        ])
        expect(await here.text('gen.go')).toBe(answer === 'once' ? 'package b\n' : GENERATED)
      }
    },
  )

  row('WRITE-17', ['atomic'], 'a generated file is refused', async (toolset) => {
    await here.bench.write({ 'gen.go': GENERATED })
    const session = writer(toolset)
    await session.read('gen.go')
    expect((await session.write('gen.go', 'package b\n')).text).toBe(
      'gen.go is a generated file (“// Code generated by x. DO NOT EDIT.”) and was not overwritten. Change what it is generated from.',
    )
    expect(await here.text('gen.go')).toBe(GENERATED)
  })

  row('WRITE-18', ALL, 'S08 a shebang makes a file executable, which is told', async (toolset) => {
    if (process.platform === 'win32') return
    const session = writer(toolset)
    const answer = await session.write('run.sh', '#!/bin/sh\n')
    expect(answer.details).toMatchObject({ madeExecutable: true })
    expect(answer.text).toContain('Made the file executable (madeExecutable: true), since it starts with a shebang.')
    expect((await stat(here.at('run.sh'))).mode & 0o100).toBe(0o100)
    await chmod(here.at('run.sh'), 0o644)
    await session.read('run.sh')
    expect((await session.write('run.sh', '#!/bin/sh\nexit\n')).details).toMatchObject({ madeExecutable: true })
    expect((await stat(here.at('run.sh'))).mode & 0o777).toBe(0o755)
  })

  row('WRITE-19', ALL, 'reads and writes go to one file system, and only absence is absence', async (toolset) => {
    const codes = { ENOENT: true, ENOTDIR: true, EIO: false, ELOOP: false }
    for (const [code, absent] of Object.entries(codes)) {
      await reopen({ files: { readFile: (async () => Promise.reject(fault(code, 'read'))) as never } })
      expect((await writer(toolset).write('a.txt', 'x')).ok).toBe(absent)
    }
  })

  row('WRITE-16', ALL, 'a file that a formatter changed at once is answered as it is on disk', async (toolset) => {
    const { rename } = await import('node:fs/promises')
    await reopen({
      files: {
        rename: async (from, to) => {
          await rename(from, to)
          await writeFile(to, 'formatted\n')
        },
      },
    })
    await here.bench.write({ 'a.txt': 'a\n' })
    await mkdir(here.at('b'))
    const session = writer(toolset)
    await session.read('a.txt')
    const answer = await session.write('a.txt', 'b')
    expect(answer.text).toContain(
      'The file was changed again right after it was written, as a formatter does on saving. Tag and rows are those of what is on disk now.',
    )
    if (toolset !== 'o4') {
      const shown = tagIn(await session.read('a.txt'))
      expect(answer.details).toMatchObject({ tag: shown })
    }
    expect((await session.write('a.txt', 'c')).ok).toBe(true)
  })
})
