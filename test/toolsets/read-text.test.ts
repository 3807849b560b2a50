import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SnapshotStores } from '../../main/editing/snapshots'
import { FileReader } from '../../main/reading/file-reader'
import { TargetReader } from '../../main/reading/target-reader'
import { readTool as atomicRead } from '../../main/toolsets/atomic/read'
import { readTool as magiRead } from '../../main/toolsets/magi/read'
import { readTool as o4Read } from '../../main/toolsets/o4/read'
import { readTool as plumblineRead } from '../../main/toolsets/plumbline/read'
import { PathAuthority } from '../../main/workspace/path-authority'
import { ToolBench } from '../support/tool-bench'

let bench: ToolBench
let snapshots: SnapshotStores

beforeEach(async () => {
  bench = await ToolBench.make()
  snapshots = new SnapshotStores()
})
afterEach(() => bench.dispose())

function sessions(narrowed = false) {
  const paths = new PathAuthority({ home: bench.home })
  const engines = { reader: new TargetReader({ paths, files: new FileReader() }), snapshots }
  const plumbline = bench.session('plumbline', [plumblineRead(engines)], narrowed).call
  const magi = bench.session('magi', [magiRead(engines)], narrowed).call
  const atomic = bench.session('atomic', [atomicRead(engines)], narrowed).call
  const o4 = bench.session('o4', [o4Read(engines)], narrowed).call
  return {
    plumbline: (...paths: string[]) => plumbline('read', { paths }),
    magi: (...paths: string[]) => magi('read', { paths }),
    atomic: (target: string) => atomic('read', { path: target }),
    o4: (file: string, rest: object = {}) => o4('read', { file_path: path.join(bench.project, file), ...rest }),
  }
}

/** Tags are derived from contents; the tests look at the rest. */
const untagged = (text: string) => text.replace(/#[0-9A-F]{4}\]/g, '#TAG]')
const lines = (count: number, prefix = 'r') =>
  Array.from({ length: count }, (_, index) => `${prefix}${index + 1}\n`).join('')

describe('read text', () => {
  it('READ-01 READ-15 READ-16 shows header and rows; a final newline starts no line (LF and CRLF)', async () => {
    await bench.write({ 'lf.txt': 'a\n\n', 'crlf.txt': 'a\r\n\r\n', 'open.txt': 'a\nb' })
    const read = sessions()
    for (const toolset of [read.plumbline, read.magi, read.atomic]) {
      expect(untagged((await toolset('lf.txt')).text)).toBe('[lf.txt#TAG]\n1:a\n2:')
      expect(untagged((await toolset('crlf.txt')).text)).toBe('[crlf.txt#TAG]\n1:a\n2:')
      expect(untagged((await toolset('open.txt')).text)).toBe('[open.txt#TAG]\n1:a\n2:b')
    }
    expect((await read.o4('lf.txt')).text).toBe('     1\ta\n     2\t')
  })

  it('READ-13 READ-16 o4 counts ten lines in a file of ten lines', async () => {
    await bench.write({ 'ten.txt': lines(10), 'ten-crlf.txt': lines(10).replaceAll('\n', '\r\n') })
    const read = sessions()
    for (const file of ['ten.txt', 'ten-crlf.txt']) {
      const part = await read.o4(file, { offset: 1, limit: 5 })
      expect(part.text).toContain('[Lines to 5 of 10 shown. Continue with offset 6.]')
      const beyond = await read.o4(file, { offset: 11 })
      expect(beyond).toMatchObject({ ok: false, error: { code: 'invalid_arguments' } })
      expect(beyond.text).toContain('has 10 lines')
    }
  })

  it('READ-07 opens with the default window of each toolset and says how to go on', async () => {
    await bench.write({ 'long.txt': lines(5000) })
    const read = sessions()
    expect((await read.magi('long.txt')).text).toMatch(
      /\n400:r400\n\[Lines 1-400 of 5000 shown.*Continue with long\.txt:401\+\]$/,
    )
    expect((await read.plumbline('long.txt')).text).toMatch(
      /\n3000:r3000\n\[Lines 1-3000 of 5000 shown.*long\.txt:3001\+\]$/,
    )
    expect((await read.atomic('long.txt')).text).toMatch(/\n3000:r3000\n\[Lines 1-3000 of 5000/)
    expect((await read.o4('long.txt')).text).toMatch(/\n {2}2000\tr2000\n.*offset 2001/)
    expect((await read.magi('long.txt:1-5000')).text).toContain('\n5000:r5000')
  })

  it('READ-07 stops at bytes before lines, on whole lines', async () => {
    await bench.write({ 'wide.txt': `${'x'.repeat(999)}\n`.repeat(200) })
    const read = sessions()
    const atomic = await read.atomic('wide.txt')
    expect(Buffer.byteLength(atomic.text)).toBeLessThan(51 * 1024 + 200)
    expect(atomic.text).toMatch(/limit 50 KB/)
    expect((await read.plumbline('wide.txt')).text).toMatch(/limit 64 KB/)
  })

  it('READ-09 READ-10 takes every selector, for each target by itself', async () => {
    await bench.write({ 'n.txt': lines(9, 'n') })
    const { magi } = sessions()
    const rows = async (selector: string) =>
      untagged((await magi(`n.txt:${selector}`)).text)
        .split('\n')
        .slice(1)
    expect(await rows('2')).toEqual(['2:n2'])
    expect(await rows('-2')).toEqual(['1:n1', '2:n2'])
    expect(await rows('2-3')).toEqual(['2:n2', '3:n3'])
    expect(await rows('8+')).toEqual(['8:n8', '9:n9'])
    expect(await rows('2+2')).toEqual(['2:n2', '3:n3'])
    const raw = await magi('n.txt:raw:8-9')
    expect(raw.text).toBe('n8\nn9')
    expect((await magi('n.txt:raw')).text).toBe(lines(9, 'n'))
    const both = await magi('n.txt:1', 'n.txt:9')
    expect(untagged(both.text)).toBe(
      '--- FILE: n.txt:1 ---\n[n.txt#TAG]\n1:n1\n\n--- FILE: n.txt:9 ---\n[n.txt#TAG]\n9:n9',
    )
  })

  it('READ-11 READ-12 atomic adds one line before and three after, and marks gaps', async () => {
    await bench.write({ 'n.txt': lines(40, 'n') })
    const { atomic } = sessions()
    expect(untagged((await atomic('n.txt:5-6,20-20')).text)).toBe(
      '[n.txt#TAG]\n4:n4\n5:n5\n6:n6\n7:n7\n8:n8\n9:n9\n…\n19:n19\n20:n20\n21:n21\n22:n22\n23:n23',
    )
    expect((await atomic('n.txt:50-60')).text).toBe('Line 50 is beyond the end of n.txt, which has 40 lines.')
  })

  it('READ-09 takes a literal path first (S11)', async () => {
    await bench.write({
      'log:1-2': 'literal one\nliteral two\nliteral three\n',
      'notes.txt': 'n1\nn2\nn3\n',
      'x:raw': 'kept\n',
    })
    const { magi, atomic, plumbline } = sessions()
    for (const read of [magi, atomic, plumbline]) {
      expect(untagged((await read('log:1-2')).text)).toBe(
        '[log:1-2#TAG]\n1:literal one\n2:literal two\n3:literal three',
      )
      expect(untagged((await read('x:raw')).text)).toBe('[x:raw#TAG]\n1:kept')
    }
    expect(untagged((await magi('log:1-2:2-2')).text)).toBe('[log:1-2#TAG]\n2:literal two')
    expect(untagged((await magi('notes.txt:2-2')).text)).toBe('[notes.txt#TAG]\n2:n2')
  })

  it('READ-04 keeps good files when another fails, and fails when all do', async () => {
    await bench.write({ 'a.txt': 'a\n', 'b.bin': new Uint8Array([1, 0, 2]) })
    const { magi } = sessions()
    const mixed = await magi('a.txt', 'none.txt', 'b.bin')
    expect(mixed.ok).toBe(true)
    expect(untagged(mixed.text)).toBe(
      '--- FILE: a.txt ---\n[a.txt#TAG]\n1:a\n\n--- FILE: none.txt ---\nERROR: none.txt does not exist.\n\n' +
        "--- FILE: b.bin ---\nERROR: b.bin is a binary file and can't be shown as lines.",
    )
    expect(await magi('none.txt', 'b.bin')).toMatchObject({ ok: false, error: { code: 'not_found' } })
  })

  it('READ-05 keeps a whole result within 1 MiB', async () => {
    await bench.write({ 'a.txt': lines(90_000), 'b.txt': lines(90_000), 'c.txt': 'small\n' })
    const { magi } = sessions()
    const result = await magi('a.txt:1+', 'b.txt:1+', 'c.txt')
    expect(Buffer.byteLength(result.text)).toBeLessThanOrEqual(1024 * 1024)
    expect(result.text).toContain('--- FILE: b.txt:1+ ---\nERROR: Not shown')
    expect(result.text).toContain('1:small')
  })

  it('READ-06 refuses what is larger than the toolset reads', async () => {
    await bench.write({ 'big.txt': 'x'.repeat(1024 * 1024 + 1), 'fits.txt': `${'y'.repeat(100)}\n`.repeat(10_000) })
    const { magi, plumbline } = sessions()
    expect(await magi('big.txt')).toMatchObject({ ok: false, error: { code: 'too_large' } })
    expect((await magi('fits.txt:1-2')).ok).toBe(true)
    expect((await plumbline('big.txt')).ok).toBe(true)
  })

  it('READ-08 cuts long lines in rows, says so, counts them as unseen, and shows them whole in raw', async () => {
    await bench.write({ 'min.js': `${'z'.repeat(5000)}\nshort\n` })
    const read = sessions()
    const shown = await read.plumbline('min.js')
    expect(shown.text).toContain(`1:${'z'.repeat(2000)} … (3000 more characters)\n2:short`)
    expect((await read.plumbline('min.js:raw')).text).toBe(`${'z'.repeat(5000)}\nshort\n`)
    expect((await read.o4('min.js', { limit: 1 })).text).toContain(`1\t${'z'.repeat(2000)} … (3000`)
  })

  it('READ-17 shows a folder as a tree, newest first, without opening .git and node_modules', async () => {
    await bench.write({ 'src/old.ts': 'x', 'src/new.ts': 'yy', 'node_modules/p/i.js': '', '.git/HEAD': '' })
    await utimes(path.join(bench.project, 'src/old.ts'), new Date(0), new Date(Date.now() - 3 * 86_400_000))
    for (let index = 0; index < 20; index += 1) {
      await bench.write({ [`many/f${String(index).padStart(2, '0')}`]: '' })
      const at = new Date(Date.now() - (index + 1) * 3_600_000)
      await utimes(path.join(bench.project, `many/f${String(index).padStart(2, '0')}`), at, at)
    }
    await symlink('..', path.join(bench.project, 'src/up'))
    const read = sessions()
    const tree = (await read.atomic('.')).text.split('\n')
    expect(tree[0]).toBe('./')
    expect(tree.some((row) => row.startsWith('    new.ts  2 B  '))).toBe(true)
    expect(tree.indexOf('    old.ts  1 B  3d ago')).toBeGreaterThan(tree.findIndex((row) => row.includes('new.ts')))
    expect(tree.some((row) => row.startsWith('    up -> ..'))).toBe(true)
    const many = tree.filter((row) => /^ {4}(f\d\d|…)/.test(row)).map((row) => row.trim())
    expect(many).toHaveLength(13)
    expect(many[11]).toBe('… 8 more')
    expect(many[12]).toBe('f19  0 B  20h ago')
    expect(tree.join('\n')).not.toMatch(/HEAD|i\.js/)
    expect(await read.magi('.')).toMatchObject({ ok: false, error: { code: 'is_directory' } })
    expect((await read.o4('src')).text).toContain('List it with `ls`')
  })

  it('READ-18 S27 sends images by their first bytes and refuses broken ones', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    await bench.write({
      'ok.png': png,
      'named.jpg': png,
      'fake.png': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'half.png': png.subarray(0, 40),
      'zero.gif': '',
      'drawing.svg': '<svg/>',
    })
    const read = sessions()
    expect((await read.o4('ok.png')).content[1]).toEqual({ type: 'image', mimeType: 'image/png', data: png })
    expect((await read.plumbline('named.jpg')).content[1]).toMatchObject({ mimeType: 'image/png' })
    for (const file of ['fake.png', 'half.png', 'zero.gif']) {
      const refused = await read.o4(file)
      expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_payload' } })
      expect(refused.content).toHaveLength(1)
    }
    expect((await read.o4('drawing.svg')).text).toBe('     1\t<svg/>')
    expect((await read.magi('ok.png')).text).toContain('`view_image`')
  })

  it('READ-20 shows notebooks as cells, and as text with :raw', async () => {
    const notebook = {
      cells: [
        { cell_type: 'markdown', id: 'm1', source: ['# T\n', 'text'] },
        {
          cell_type: 'code',
          id: 'c1',
          source: 'x',
          execution_count: 3,
          outputs: [{ output_type: 'stream', text: '42\n' }],
        },
      ],
      nbformat: 4,
    }
    await bench.write({ 'a.ipynb': JSON.stringify(notebook) })
    const { o4, plumbline } = sessions()
    expect((await o4('a.ipynb')).text.split('\n').map((row) => row.slice(7))).toEqual([
      'cell:0 [markdown] id=m1',
      '# T',
      'text',
      '',
      'cell:1 [code] id=c1 run=3',
      'x',
      'output:',
      '42',
    ])
    expect((await plumbline('a.ipynb:raw')).text).toBe(JSON.stringify(notebook))
  })

  it('READ-33 READ-34 names the right tool for addresses and other resources', async () => {
    await bench.write({ 'a.zip': new Uint8Array([0x50, 0x4b, 3, 4, 0]) })
    const { magi, o4, plumbline } = sessions()
    expect((await magi('https://example.test/a')).text).toContain('Use `web` with operation open.')
    expect((await plumbline('ftp://example.test/a')).text).toContain('scheme ftp:// is not supported')
    expect(await plumbline('a.zip:member.txt')).toMatchObject({ ok: false, error: { code: 'not_supported' } })
    expect((await o4('a.zip')).text).toContain('is an archive')
  })

  it('reads UTF-8 with a mark and UTF-16 with a mark; refuses Latin-1', async () => {
    await bench.write({
      'bom.txt': '\uFEFFfirst\n',
      'wide.txt': Buffer.from('\uFEFFwide\r\ntext', 'utf16le'),
      'latin.txt': Buffer.from([0x63, 0x61, 0x66, 0xe9]),
    })
    const { plumbline, magi } = sessions()
    expect(untagged((await plumbline('bom.txt')).text)).toBe('[bom.txt#TAG]\n1:first')
    expect((await plumbline('wide.txt')).text).toBe(
      "[wide.txt] (UTF-16LE text; it can't be edited by line)\n1:wide\n2:text",
    )
    expect(await magi('wide.txt')).toMatchObject({ ok: false, error: { code: 'invalid_encoding' } })
    expect((await plumbline('latin.txt')).text).toBe("latin.txt is not valid UTF-8 text and can't be shown as lines.")
  })

  it('READ-38 refuses what the session does not reach, by text and by link', async () => {
    await bench.write({ 'a.txt': 'a\n' })
    await mkdir(path.join(bench.folder, 'project-backup'))
    await symlink(path.join(bench.folder, 'project-backup'), path.join(bench.project, 'out'))
    const { plumbline, magi } = sessions(true)
    expect(await plumbline('../project-backup/k')).toMatchObject({ ok: false, error: { code: 'outside_roots' } })
    expect(await plumbline('out/k')).toMatchObject({ ok: false, error: { code: 'outside_roots' } })
    expect(await plumbline('../project/a.txt')).toMatchObject({ ok: true })
    expect(await magi('~/.ssh/id')).toMatchObject({ ok: false, error: { code: 'credential_path' } })
  })

  it('PERM-16 names a credential folder in a tree but does not open it', async () => {
    await mkdir(path.join(bench.home, '.ssh'))
    await writeFile(path.join(bench.home, '.ssh/id_secret'), 'x')
    const { atomic } = sessions()
    const tree = (await atomic('~')).text
    expect(tree).toContain('  .ssh/')
    expect(tree).not.toContain('id_secret')
    expect((await atomic('~/.ssh')).error?.code).toBe('credential_path')
  })

  it('READ-39 refuses missing, empty and blank input', async () => {
    const { magi } = sessions()
    expect(await magi()).toMatchObject({ ok: false, error: { code: 'invalid_arguments' } })
    expect(await magi(' ')).toMatchObject({ ok: false, error: { code: 'invalid_arguments' } })
    expect(await magi(...Array.from({ length: 9 }, () => 'a'))).toMatchObject({
      ok: false,
      error: { code: 'invalid_arguments' },
    })
  })
})
