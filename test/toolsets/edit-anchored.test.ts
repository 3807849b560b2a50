import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeEditBench, tagIn, untagged } from '../support/edit-bench'

type Bench = Awaited<ReturnType<typeof makeEditBench>>
let here: Bench

beforeEach(async () => {
  here = await makeEditBench()
})
afterEach(() => here.bench.dispose())

const SAMPLE = 'const X = "a";\nconst Y = X;\n\nconsole.log(X);\nconsole.log(Y);\nexport { X, Y };\n'

/** Reads a file in atomic and returns how to edit it. */
async function atomic(name: string) {
  const session = here.open.atomic()
  const tag = tagIn(await session.call('read', { path: name }))
  const edit = (ops: string, useTag = tag) => session.call('edit', { input: `[${name}#${useTag}]\n${ops}` })
  return { session, tag, edit }
}

async function magi(name: string) {
  const session = here.open.magi()
  const tag = tagIn(await session.call('read', { paths: [name] }))
  const edit = (ops: string, useTag = tag) => session.call('hash_edit', { input: `[${name}#${useTag}]\n${ops}` })
  return { session, tag, edit }
}

describe('anchored edits', () => {
  it('EDIT-08 EDIT-10 the worked examples of atomic', async () => {
    const cases: [string, string][] = [
      [
        'replace 1..1:\n+const X = "b";\n+export const Y = X;',
        SAMPLE.replace('const X = "a";', 'const X = "b";\nexport const Y = X;'),
      ],
      [
        'insert after 5:\n+console.log(X + Y);\ninsert before 5:\n+console.log(X + Y);',
        SAMPLE.replace('console.log(Y);\n', 'console.log(X + Y);\nconsole.log(Y);\nconsole.log(X + Y);\n'),
      ],
      ['delete 4..5', SAMPLE.replace('console.log(X);\nconsole.log(Y);\n', '')],
      ['insert head:\n+// header\ninsert tail:\n+// trailer', `// header\n${SAMPLE}// trailer\n`],
    ]
    for (const [ops, expected] of cases) {
      await here.bench.write({ 'a.ts': SAMPLE })
      const { edit } = await atomic('a.ts')
      const answer = await edit(ops)
      expect(answer.ok, answer.text).toBe(true)
      expect(await here.text('a.ts')).toBe(expected)
    }
  })

  it('EDIT-07 every magi verb', async () => {
    const cases: [string, string][] = [
      ['SWAP 1.=2:\n+one', 'one\nc\nd\n'],
      ['DEL 2.=3', 'a\nd\n'],
      ['INS.PRE 1:\n+x', 'x\na\nb\nc\nd\n'],
      ['INS.POST 4:\n+x', 'a\nb\nc\nd\nx\n'],
      ['INS.HEAD:\n+x\nINS.TAIL:\n++y', 'x\na\nb\nc\nd\n+y\n'],
    ]
    for (const [ops, expected] of cases) {
      await here.bench.write({ 'a.txt': 'a\nb\nc\nd\n' })
      const { edit } = await magi('a.txt')
      const answer = await edit(ops)
      expect(answer.ok, answer.text).toBe(true)
      expect(await here.text('a.txt')).toBe(expected)
    }
  })

  it('EDIT-01 plumbline takes both vocabularies in one patch and says how lines moved', async () => {
    await here.bench.write({ 'a.txt': 'a\nb\nc\nd\ne\n' })
    const session = here.open.plumbline()
    const tag = tagIn(await session.call('read', { paths: ['a.txt'] }))
    const answer = await session.call('edit', { input: `[a.txt#${tag}]\nSWAP 1.=1:\n+A\n+A2\ndelete 3` })
    expect(await here.text('a.txt')).toBe('A\nA2\nb\nd\ne\n')
    expect(untagged(answer.text)).toBe('[a.txt#TAG]\nlines 2: +1; 3 gone\n+1:A\n+2:A2\n 3:b\n 4:d\n 5:e')
  })

  it('EDIT-70 EDIT-71 answers with a fresh tag that works, a preview and details', async () => {
    await here.bench.write({ 'a.ts': SAMPLE })
    const { session, edit } = await atomic('a.ts')
    const first = await edit('replace 4..4:\n+console.log("x");')
    expect(untagged(first.text)).toBe(
      '[a.ts#TAG]\n 2:const Y = X;\n 3:\n+4:console.log("x");\n 5:console.log(Y);\n 6:export { X, Y };',
    )
    expect(first.details).toMatchObject({ firstChangedLine: 4, files: [{ path: 'a.ts', added: 1, removed: 1 }] })
    expect(first.details).toMatchObject({
      patch:
        '--- a.ts\n+++ a.ts\n@@ -1,6 +1,6 @@\n const X = "a";\n const Y = X;\n \n-console.log(X);\n+console.log("x");\n console.log(Y);\n export { X, Y };\n',
    })
    const second = await session.call('edit', { input: `[a.ts#${tagIn(first)}]\ndelete 1` })
    expect(second.ok).toBe(true)
    expect(second.text).not.toContain('Recovered')
  })

  it('S05 S03 keeps each ending, the mark and a missing final newline', async () => {
    await here.bench.write({
      'win.cs': 'a\r\nb\r\nc\r\n',
      'bom.md': '\uFEFF# T\nuno\n',
      'open.txt': 'a\nb',
      'mixed.txt': 'a\r\nb\nc\r\n',
    })
    const win = await magi('win.cs')
    await win.edit('SWAP 2.=2:\n+B1\n+B2')
    expect(await here.text('win.cs')).toBe('a\r\nB1\r\nB2\r\nc\r\n')
    const head = await atomic('win.cs')
    await head.edit('insert head:\r\n+top\r\ninsert tail:\r\n+end\r\n')
    expect(await here.text('win.cs')).toBe('top\r\na\r\nB1\r\nB2\r\nc\r\nend\r\n')
    const bom = await atomic('bom.md')
    await bom.edit('replace 1..1:\n+# Otro')
    expect(await here.text('bom.md')).toBe('\uFEFF# Otro\nuno\n')
    const open = await atomic('open.txt')
    await open.edit('insert tail:\n+c')
    expect(await here.text('open.txt')).toBe('a\nb\nc')
    const mixed = await atomic('mixed.txt')
    await mixed.edit('replace 2..2:\n+B')
    expect(await here.text('mixed.txt')).toBe('a\r\nB\nc\r\n')
  })

  it('S06 EDIT-15 one bad section: nothing is written', async () => {
    await here.bench.write({ 'a.txt': '1\n2\n3\n', 'b.txt': 'x\ny\n' })
    const session = here.open.atomic()
    const a = tagIn(await session.call('read', { path: 'a.txt' }))
    const b = tagIn(await session.call('read', { path: 'b.txt' }))
    const good = `[a.txt#${a}]\nreplace 1..1:\n+ONE`
    for (const input of [`${good}\n[b.txt#${b}]\ndelete 9`, `[b.txt#${b}]\ndelete 9\n${good}`]) {
      const answer = await session.call('edit', { input })
      expect(answer.ok).toBe(false)
      expect(answer.text).toBe('Could not edit file: b.txt. Line 9 does not exist (file has 2 lines).')
    }
    const unknown = b === 'FFFF' ? 'EEEE' : 'FFFF'
    const answer = await session.call('edit', { input: `${good}\n[b.txt#${unknown}]\ndelete 1` })
    expect(answer.error?.code).toBe('unknown_tag')
    expect(await here.text('a.txt')).toBe('1\n2\n3\n')
    expect(await here.text('b.txt')).toBe('x\ny\n')
  })

  it('S07 EDIT-16 a tag that two texts share never authorises the wrong one', async () => {
    await here.bench.dispose()
    here = await makeEditBench({ tagOf: () => 'AAAA' })
    await here.bench.write({ 'f.txt': 'one\ntwo\nthree\n' })
    const { edit } = await atomic('f.txt')
    await writeFile(here.at('f.txt'), 'zero\none\ntwo\nthree\n')
    const answer = await edit('replace 2..2:\n+TWO')
    expect(answer.ok).toBe(true)
    expect(answer.text).toContain(
      'Recovered from a stale file hash using a previous read snapshot (file changed externally between read and edit).',
    )
    expect(await here.text('f.txt')).toBe('zero\none\nTWO\nthree\n')
  })

  it("EDIT-13 EDIT-43 unknown and drifted tags are refused in the contract's words", async () => {
    await here.bench.write({ 'a.txt': 'a\nb\nc\nd\ne\n' })
    const { edit, tag } = await atomic('a.txt')
    const invented = tag === '0000' ? '1111' : '0000'
    const unknown = await edit('replace 3..3:\n+C', invented)
    expect(unknown.text).toBe(
      `Edit rejected for a.txt: hash #${invented} is not from this session.\nThe current file hashes to #${tag}. Re-read the file with \`read\` to copy a current [path#tag] header — never invent the tag and never reuse one from a prior session.\n\n 1:a\n 2:b\n*3:c\n 4:d\n 5:e`,
    )
    await writeFile(here.at('a.txt'), 'a\nb\nchanged\nd\ne\n')
    const stale = await edit('replace 3..3:\n+C')
    expect(stale.error?.code).toBe('stale_tag')
    const now = tagIn(stale, /currently?|hashes to #([0-9A-F]{4})/)
    expect(stale.text).toBe(
      `Edit rejected for a.txt: file changed between read and edit.\nSection is bound to #${tag}, but the current file hashes to #${now}. If a prior edit in this session modified this file, copy the [path#newhash] header from that edit's response; otherwise re-read the file with \`read\` to refresh the tag before retrying.\n\n 1:a\n 2:b\n*3:changed\n 4:d\n 5:e`,
    )
    expect(await here.text('a.txt')).toBe('a\nb\nchanged\nd\ne\n')
    expect((await edit('replace 3..3:\n+C', now)).ok).toBe(true)
  })

  it('EDIT-13 a tag of another session does not authorise', async () => {
    await here.bench.write({ 'a.txt': 'a\n' })
    const { tag } = await atomic('a.txt')
    const other = here.open.atomic()
    const answer = await other.call('edit', { input: `[a.txt#${tag}]\ndelete 1` })
    expect(answer.text).toContain(`hash #${tag} is not from this session.`)
  })

  it('EDIT-49 EDIT-50 EDIT-51 in-session drift is translated exactly', async () => {
    await here.bench.write({ 'a.txt': 'a\nb\nc\nd\ne\nf\n' })
    const { edit } = await atomic('a.txt')
    await edit('replace 1..1:\n+A\n+A2')
    const second = await edit('replace 5..5:\n+E')
    expect(second.text).toContain(
      'Recovered from a stale file hash using an earlier in-session snapshot (a prior edit in this session advanced the hash).',
    )
    expect(await here.text('a.txt')).toBe('A\nA2\nb\nc\nd\nE\nf\n')
    expect((await edit('replace 1..1:\n+again')).error?.code).toBe('stale_tag')
    await edit('replace 2..4:\n+B\n+c\n+D')
    const replayed = await edit('replace 3..3:\n+C')
    expect(replayed.text).toContain('Recovered by replaying your edits onto the current file content')
    expect(await here.text('a.txt')).toBe('A\nA2\nB\nC\nD\nE\nf\n')
    const tail = await edit('insert tail:\n+z')
    expect(tail.text).toContain(
      'Applied the `insert head:`/`insert tail:` edit despite a stale snapshot tag (file changed since your read) — head/tail position is content-independent. Re-read if the drift was unexpected.',
    )
  })

  it('EDIT-17 never slides to a twin', async () => {
    await here.bench.write({ 'a.txt': 'x\ndup\ny\nz\ndup\nw\n' })
    const { edit } = await atomic('a.txt')
    await writeFile(here.at('a.txt'), 'x\nchanged\ny\nz\ndup\nw\n')
    expect((await edit('delete 2')).error?.code).toBe('stale_tag')
    expect(await here.text('a.txt')).toBe('x\nchanged\ny\nz\ndup\nw\n')
  })

  it('EDIT-18 EDIT-58 parallel calls on one tag are one batch', async () => {
    await here.bench.write({ 'a.txt': 'a\nb\nc\n' })
    const { session, tag } = await atomic('a.txt')
    const answers = await session.batch(
      ['edit', { input: `[a.txt#${tag}]\nreplace 1..1:\n+A\n*** End Patch` }],
      ['edit', { input: `[a.txt#${tag}]\nreplace 3..3:\n+C` }],
    )
    for (const answer of answers) {
      expect(answer.ok, answer.text).toBe(true)
      expect(answer.text).toContain('Applied 2 parallel edit calls as one snapshot-anchored batch.')
    }
    expect(await here.text('a.txt')).toBe('A\nb\nC\n')
    const tag2 = tagIn(await session.call('read', { path: 'a.txt' }))
    const clash = await session.batch(
      ['edit', { input: `[a.txt#${tag2}]\nreplace 1..2:\n+1` }],
      ['edit', { input: `[a.txt#${tag2}]\nreplace 2..2:\n+2` }],
    )
    expect(clash.every((answer) => !answer.ok)).toBe(true)
    expect(await here.text('a.txt')).toBe('A\nb\nC\n')
  })

  it('EDIT-44 EDIT-69 no-ops are told, counted and stopped', async () => {
    await here.bench.write({ 'a.txt': 'a\nb\n' })
    const { edit } = await atomic('a.txt')
    const text =
      'Edits to a.txt parsed and applied cleanly, but produced no change: your body row(s) are byte-identical to the file at the targeted lines. The bug is somewhere else — re-read the file before issuing another edit. Do NOT widen the payload or add lines; verify the anchor first.'
    const before = (await stat(here.at('a.txt'))).mtimeMs
    const first = await edit('replace 1..1:\n+a')
    expect([first.ok, first.text]).toEqual([true, text])
    const second = await edit('replace 1..1:\n+a')
    expect([second.ok, second.text]).toEqual([true, `${text} No-op count for this identical payload: 2.`])
    const third = await edit('replace 1..1:\n+a')
    expect(third.ok).toBe(false)
    expect(third.text).toMatch(/^STOP\. /)
    expect((await stat(here.at('a.txt'))).mtimeMs).toBe(before)
    const other = await edit('replace 2..2:\n+b')
    expect(other.text).toBe(text)
  })

  it('EDIT-14 magi and plumbline refuse lines that were never shown, and accept the retry', async () => {
    await here.bench.write({ 'a.txt': Array.from({ length: 30 }, (_, index) => `l${index + 1}\n`).join('') })
    const session = here.open.magi()
    const tag = tagIn(await session.call('read', { paths: ['a.txt:1-5'] }))
    const input = `[a.txt#${tag}]\nSWAP 20.=21:\n+x`
    const refused = await session.call('hash_edit', { input })
    expect(refused.text).toMatch(/^Nothing was written\./)
    expect(refused.text).toContain('20:l20\n21:l21')
    expect((await session.call('hash_edit', { input })).ok).toBe(true)
    const open = await here.open.atomic()
    const atomicTag = tagIn(await open.call('read', { path: 'a.txt:1-5' }))
    expect((await open.call('edit', { input: `[a.txt#${atomicTag}]\ndelete 25` })).ok).toBe(true)
  })

  it('EDIT-19 EDIT-23 blocks are resolved and echoed', async () => {
    const source = 'function a() {\n  return 1\n}\n\nfunction b() {\n  return 2\n}\n'
    await here.bench.write({ 'a.ts': source })
    const one = await atomic('a.ts')
    const replaced = await one.edit('replace block 1:\n+function a() {}\ninsert after block 5:\n+b()')
    expect(replaced.text).toContain('replace block 1 → resolved lines 1-3 (3 lines)')
    expect(replaced.text).toContain('insert after block 5 → resolved lines 5-7 (3 lines); body lands after line 7')
    expect(await here.text('a.ts')).toBe('function a() {}\n\nfunction b() {\n  return 2\n}\nb()\n')
    await here.bench.write({ 'a.ts': source })
    const two = await atomic('a.ts')
    const closer = await two.edit('insert after block 3:\n+x()')
    expect(closer.text).toContain(
      '`insert after block 3:` anchors on a closing delimiter, so it was applied as plain `insert after 3:`. Anchor on the line that OPENS the construct.',
    )
    const three = await atomic('a.ts')
    const refused = await three.edit('delete block 3')
    expect(refused.text).toBe(
      'line 2: `delete block 3` could not resolve a syntactic block beginning on line 3 (unsupported language, blank/closer line, or parse error). Use `delete 3..M` with explicit lines.\n\n 1:function a() {\n 2:  return 1\n*3:}\n 4:x()\n 5:',
    )
  })

  it('EDIT-42 without a resolver block operations are refused', async () => {
    await here.bench.dispose()
    here = await makeEditBench({ blocks: false })
    await here.bench.write({ 'a.ts': SAMPLE })
    const { edit } = await atomic('a.ts')
    expect((await edit('delete block 1')).text).toBe(
      'line 2: `replace block`/`delete block`/`insert after block` are not available here (no block resolver configured). Use a concrete line range.',
    )
  })

  it('EDIT-34 EDIT-35 overlaps and aliases are refused', async () => {
    await here.bench.write({ 'a.ts': 'function a() {\n  return 1\n}\n' })
    await symlink(here.at('a.ts'), here.at('link.ts'))
    const { session, edit, tag } = await atomic('a.ts')
    expect((await edit('replace 1..2:\n+x\ndelete 2..3')).text).toBe(
      'line 4: anchor line 2 is already targeted by another hunk on line 2. Issue ONE hunk per range; payload is only the final desired content, never a before/after pair.',
    )
    expect((await edit('replace block 1:\n+x\nreplace 2..2:\n+y')).text).toContain('anchor line 2 is already targeted')
    const alias = await session.call('edit', { input: `[a.ts#${tag}]\ndelete 1\n[./a.ts#${tag}]\ndelete 2` })
    expect(alias.text).toBe(
      'Multiple hashline sections resolve to the same file (a.ts and ./a.ts). Merge their ops under one header before applying.',
    )
    const link = await session.call('edit', { input: `[a.ts#${tag}]\ndelete 1\n[link.ts#${tag}]\ndelete 2` })
    expect(link.text).toContain('resolve to the same file (a.ts and link.ts)')
    const strict = here.open.magi()
    const magiTag = tagIn(await strict.call('read', { paths: ['a.ts'] }))
    expect((await strict.call('hash_edit', { input: `[link.ts#${magiTag}]\nDEL 1.=1` })).text).toContain(
      'symbolic link',
    )
  })

  it('EDIT-54 EDIT-55 EDIT-68 landings are corrected and told', async () => {
    await here.bench.write({ 'a.ts': 'function a() {\n  if (x) {\n    y()\n  }\n}\n' })
    const one = await atomic('a.ts')
    const out = await one.edit('insert after 3:\n+  z()')
    expect(out.text).toContain(
      'insert after 3: body indented shallower than the anchor, so the landing moved past 1 closing line to after line 4. For the deeper position inside the block, re-issue with the body indented to match.',
    )
    expect(await here.text('a.ts')).toBe('function a() {\n  if (x) {\n    y()\n  }\n  z()\n}\n')
    const two = await atomic('a.ts')
    const inside = await two.edit('insert after block 2:\n+    w()')
    expect(inside.text).toContain(
      'insert after block 2: body indented deeper than closing line 4, so it was placed inside the block, after line 3. `insert after block` lands AFTER the block at sibling depth — if inside was intended, use plain `insert after 4:`.',
    )
    expect(await here.text('a.ts')).toBe('function a() {\n  if (x) {\n    y()\n    w()\n  }\n  z()\n}\n')
  })

  it('EDIT-56 EDIT-57 EDIT-66 EDIT-67 border repairs are made where proven, and told', async () => {
    const source = 'function a() {\n  one()\n}\nfunction b() {\n  two()\n}\n'
    const cases: [string, string, string][] = [
      [
        'replace 2..2:\n+function a() {\n+  uno()\n+}',
        'function a() {\n  uno()\n}\nfunction b() {\n  two()\n}\n',
        'Auto-repaired a replacement boundary echo at line 2: dropped 1 leading and 1 trailing payload line(s) already present outside the range.',
      ],
      [
        'replace 2..2:\n+  uno()\n+}',
        'function a() {\n  uno()\n}\nfunction b() {\n  two()\n}\n',
        'Auto-repaired a delimiter-balance mismatch in the replacement at line 2: dropped 1 duplicated trailing payload line(s) already present below the range.',
      ],
      [
        'replace 2..3:\n+  uno()',
        'function a() {\n  uno()\n}\nfunction b() {\n  two()\n}\n',
        'Auto-repaired a delimiter-balance mismatch in the replacement at line 2: kept 1 structural closing line(s) the range deleted without restating.',
      ],
      [
        'replace 5..5:\n+function b() {\n+  dos()',
        'function a() {\n  one()\n}\nfunction b() {\n  dos()\n}\n',
        'dropped 1 duplicated leading payload line(s) already present above the range.',
      ],
    ]
    for (const [ops, expected, warning] of cases) {
      await here.bench.write({ 'a.ts': source })
      const { edit } = await atomic('a.ts')
      const answer = await edit(ops)
      expect(answer.text).toContain(warning)
      expect(await here.text('a.ts')).toBe(expected)
    }
    await here.bench.write({ 'a.ts': source })
    const { edit } = await atomic('a.ts')
    const unwrapped = await edit('delete 1\nreplace 2..3:\n+one()')
    expect(unwrapped.text).not.toContain('Auto-repaired')
    expect(await here.text('a.ts')).toBe('one()\nfunction b() {\n  two()\n}\n')
  })

  it('EDIT-11 MV and REM move and remove whole files, never over another or under a stale tag', async () => {
    await here.bench.write({ 'a.txt': 'a\r\nb\r\n', 'taken.txt': 'x\n' })
    const { session, edit, tag } = await magi('a.txt')
    const taken = await edit('MV taken.txt')
    expect(taken.ok).toBe(false)
    expect(await here.text('taken.txt')).toBe('x\n')
    const moved = await edit('SWAP 2.=2:\n+B\nMV deep/b.txt')
    expect(moved.ok, moved.text).toBe(true)
    expect(await here.text('deep/b.txt')).toBe('a\r\nB\r\n')
    await expect(stat(here.at('a.txt'))).rejects.toThrow('ENOENT')
    const again = await session.call('hash_edit', { input: `[deep/b.txt#${tagIn(moved)}]\nMV c.txt` })
    expect(again.ok, again.text).toBe(true)
    const invented = await session.call('hash_edit', { input: `[c.txt#${tag === '0000' ? '1111' : '0000'}]\nREM` })
    expect(invented.error?.code).toBe('unknown_tag')
    await writeFile(here.at('c.txt'), 'changed\n')
    expect((await session.call('hash_edit', { input: `[c.txt#${tagIn(again)}]\nREM` })).error?.code).toBe('stale_tag')
    const fresh = tagIn(await session.call('read', { paths: ['c.txt'] }))
    const removed = await session.call('hash_edit', { input: `[c.txt#${fresh}]\nREM` })
    expect([removed.ok, removed.text]).toEqual([true, 'Removed c.txt'])
    await expect(stat(here.at('c.txt'))).rejects.toThrow('ENOENT')
  })

  it('EDIT-12 EDIT-37 EDIT-65 targets that can not be edited', async () => {
    await mkdir(here.at('dir'))
    await here.bench.write({ 'nul.bin': new Uint8Array([65, 0, 66]), 'latin.txt': new Uint8Array([0xe9, 10]) })
    const session = here.open.atomic()
    const edit = (name: string) => session.call('edit', { input: `[${name}#ABCD]\ndelete 1` })
    expect((await edit('none.txt')).text).toBe('File not found: none.txt. Use the write tool to create new files.')
    expect((await edit('dir')).text).toBe('Could not edit file: dir. It is a directory.')
    expect((await edit('nul.bin')).error?.code).toBe('binary_file')
    expect((await edit('latin.txt')).error?.code).toBe('invalid_encoding')
    expect((await session.call('edit', { input: '  \n' })).text).toBe(
      'edit input must be a non-empty hashline script with [PATH#TAG] sections.',
    )
  })

  it('S08 keeps the mode; S09 a failing disk leaves the old file and nothing beside it', async () => {
    await here.bench.write({ 'run.sh': '#!/bin/sh\necho a\n', 'token.txt': 'a\n' })
    await chmod(here.at('run.sh'), 0o755)
    await chmod(here.at('token.txt'), 0o600)
    await (await atomic('run.sh')).edit('replace 2..2:\n+echo b')
    await (await magi('token.txt')).edit('SWAP 1.=1:\n+b')
    expect((await stat(here.at('run.sh'))).mode & 0o777).toBe(0o755)
    expect((await stat(here.at('token.txt'))).mode & 0o777).toBe(0o600)
    await here.bench.dispose()
    const full = Object.assign(new Error('ENOSPC: no space left on device, rename'), { code: 'ENOSPC' })
    here = await makeEditBench({
      files: {
        rename: async () => {
          throw full
        },
      },
    })
    await here.bench.write({ 'a.txt': 'a\n' })
    const answer = await (await atomic('a.txt')).edit('replace 1..1:\n+b')
    expect(answer.text).toBe('Failed to write a.txt: ENOSPC: no space left on device, rename.')
    expect(await readdir(here.bench.project)).toEqual(['a.txt'])
    expect(await readFile(here.at('a.txt'), 'utf8')).toBe('a\n')
  })

  it('EDIT-37 a failure in the middle names what is written and what is not', async () => {
    await here.bench.dispose()
    const { rename } = await import('node:fs/promises')
    here = await makeEditBench({
      files: {
        rename: async (from, to) => {
          if (String(to).endsWith('b.txt'))
            throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
          await rename(from, to)
        },
      },
    })
    await here.bench.write({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' })
    const session = here.open.atomic()
    const parts: string[] = []
    for (const name of ['a.txt', 'b.txt', 'c.txt']) {
      parts.push(`[${name}#${tagIn(await session.call('read', { path: name }))}]\nreplace 1..1:\n+new`)
    }
    const answer = await session.call('edit', { input: parts.join('\n') })
    expect(answer.text).toBe(
      'Failed to write b.txt: EACCES: permission denied. Sections already written: a.txt. Sections not written: b.txt, c.txt.',
    )
    expect([await here.text('a.txt'), await here.text('b.txt'), await here.text('c.txt')]).toEqual([
      'new\n',
      'b\n',
      'c\n',
    ])
  })
})
