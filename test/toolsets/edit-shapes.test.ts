import { mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ANCHORED, row, WORDED } from '../support/contract-row'
import { makeEditBench, tagIn, untagged } from '../support/edit-bench'
import { openAnchored, spell } from '../support/edit-dialect'

let here: Awaited<ReturnType<typeof makeEditBench>>

beforeEach(async () => {
  here = await makeEditBench()
})
afterEach(() => here.bench.dispose())

type Anchored = (typeof ANCHORED)[number]

/** Applies each to a fresh file and compares the bytes that come out; `also` is what the answer must hold. */
async function makes(
  toolset: Anchored,
  content: string,
  cases: readonly (readonly [ops: string, expected: string, also?: string])[],
  name = 'a.txt',
): Promise<void> {
  for (const [ops, expected, also] of cases) {
    await here.bench.write({ [name]: content })
    const { edit } = await openAnchored(here, toolset, name)
    const answer = await edit(ops)
    expect([ops, answer.ok ? await here.text(name) : answer.text]).toEqual([ops, expected])
    if (also !== undefined) expect(answer.text.split('\n')).toContain(also)
  }
}

const FOUR = 'a\nb\nc\nd\n'

describe('operations', () => {
  row('EDIT-01', ANCHORED, 'one core behind either vocabulary', (toolset) =>
    makes(toolset, FOUR, [
      ['replace 2..3:\n+x\ninsert head:\n+h\ninsert after 4:\n+t', 'h\na\nx\nd\nt\n'],
      ['delete 1..2\ninsert before 3:\n+n', 'n\nc\nd\n'],
    ]),
  )

  row('EDIT-07', ['plumbline', 'magi'], 'every verb', async (toolset) => {
    await makes(toolset, FOUR, [
      ['SWAP 1.=2:\n+one', 'one\nc\nd\n'],
      ['DEL 2.=3', 'a\nd\n'],
      ['INS.PRE 1:\n+x', 'x\na\nb\nc\nd\n'],
      ['INS.POST 4:\n+x', 'a\nb\nc\nd\nx\n'],
      ['INS.HEAD:\n+x\nINS.TAIL:\n++y', 'x\na\nb\nc\nd\n+y\n'],
    ])
    const source = 'f(() => {\n  x\n})\ny\n'
    await makes(
      toolset,
      source,
      [
        ['SWAP.BLK 1:\n+z', 'z\ny\n'],
        ['DEL.BLK 1', 'y\n'],
        ['INS.BLK.POST 1:\n+z', 'f(() => {\n  x\n})\nz\ny\n'],
      ],
      'a.ts',
    )
  })

  row('EDIT-08', WORDED, 'every operation', async (toolset) => {
    await makes(toolset, FOUR, [
      ['replace 1..2:\n+one', 'one\nc\nd\n'],
      ['delete 2..3', 'a\nd\n'],
      ['insert before 1:\n+x', 'x\na\nb\nc\nd\n'],
      ['insert after 4:\n+x', 'a\nb\nc\nd\nx\n'],
      ['insert head:\n+x\ninsert tail:\n++y', 'x\na\nb\nc\nd\n+y\n'],
    ])
    await makes(
      toolset,
      'f(() => {\n  x\n})\ny\n',
      [
        ['replace block 1:\n+z', 'z\ny\n'],
        ['delete block 1', 'y\n'],
        ['insert after block 1:\n+z', 'f(() => {\n  x\n})\nz\ny\n'],
      ],
      'a.ts',
    )
  })

  row('EDIT-09', ANCHORED, 'body rows are literal behind their plus', (toolset) =>
    makes(toolset, FOUR, [
      ['replace 1..1:\n+\n++value\n+- item\n+#', '\n+value\n- item\n#\nb\nc\nd\n'],
      ['replace 1..1:\n+$& $1 $$ $`', '$& $1 $$ $`\nb\nc\nd\n'],
    ]),
  )

  row('EDIT-61', ANCHORED, 'blanks in rows stay as they are', (toolset) =>
    makes(toolset, FOUR, [['replace 1..1:\n+\t x \t\n+    ', '\t x \t\n    \nb\nc\nd\n']]),
  )

  row('EDIT-10', ANCHORED, 'line numbers are those of the snapshot, whatever the order', (toolset) =>
    makes(toolset, FOUR, [
      ['delete 1\nreplace 2..2:\n+B1\n+B2\ninsert after 4:\n+e', 'B1\nB2\nc\nd\ne\n'],
      ['insert after 4:\n+e\nreplace 2..2:\n+B1\n+B2\ndelete 1', 'B1\nB2\nc\nd\ne\n'],
      ['insert after 2:\n+3\ninsert before 2:\n+1\nreplace 2..2:\n+2', 'a\n1\n2\n3\nc\nd\n'],
    ]),
  )

  row('EDIT-11', ['plumbline', 'magi'], 'MV and REM take whole files, never another, never stale', async (toolset) => {
    await here.bench.write({ 'a.txt': 'a\r\nb', 'taken.txt': 'x\n' })
    const { edit, raw, tagOf } = await openAnchored(here, toolset, 'a.txt')
    expect((await edit('MV taken.txt')).text).toBe(
      'Could not move a.txt to taken.txt: the destination already exists. Nothing was written.',
    )
    expect((await edit('REM\ndelete 1')).error?.code).toBe('invalid_arguments')
    const moved = await edit('replace 2..2:\n+B\nMV "deep er/b.txt"')
    expect(untagged(moved.text).split('\n').slice(0, 2)).toEqual([
      '[deep er/b.txt#TAG]',
      'Moved a.txt to deep er/b.txt',
    ])
    expect(await here.text('deep er/b.txt')).toBe('a\r\nB')
    await writeFile(here.at('deep er/b.txt'), 'foreign\n')
    expect((await raw(`[deep er/b.txt#${tagIn(moved)}]\nREM`)).error?.code).toBe('stale_tag')
    const removed = await raw(`[deep er/b.txt#${await tagOf('deep er/b.txt')}]\nREM`)
    expect([removed.ok, removed.text]).toEqual([true, 'Removed deep er/b.txt'])
    expect((await readdir(here.bench.project)).sort()).toEqual(['deep er', 'taken.txt'])
    await symlink('taken.txt', here.at('link.txt'))
    const taken = await tagOf('taken.txt')
    expect((await raw(`[link.txt#${taken}]\nREM`)).error?.code).toBe('not_a_file')
    expect(await here.text('taken.txt')).toBe('x\n')
  })

  it('EDIT-11 atomic: has no such operations', async () => {
    await here.bench.write({ 'a.txt': 'a\n' })
    const { edit } = await openAnchored(here, 'atomic', 'a.txt')
    for (const op of ['REM', 'MV b.txt']) expect((await edit(op)).error?.code).toBe('invalid_arguments')
    expect(await readdir(here.bench.project)).toEqual(['a.txt'])
  })
})

describe('tolerated shapes', () => {
  row('EDIT-06', ANCHORED, 'the tag of the latest read opens the file', async (toolset) => {
    await here.bench.write({ 'my (x) 1.txt': 'a\n' })
    const first = await openAnchored(here, toolset, 'my (x) 1.txt')
    expect(first.tag).toMatch(/^[0-9A-F]{4}$/)
    expect(await first.tagOf('my (x) 1.txt')).toBe(first.tag)
    const answer = await first.edit('replace 1..1:\n+A')
    expect(answer.ok, answer.text).toBe(true)
    expect((await first.edit('replace 1..1:\n+B', tagIn(answer))).ok).toBe(true)
    expect(await here.text('my (x) 1.txt')).toBe('B\n')
  })

  row('EDIT-24', ANCHORED, 'envelopes, marks and blank lines', async (toolset) => {
    for (const [before, after] of [
      ['\uFEFF', ''],
      ['\n  \n', '\n\n'],
      ['*** Begin Patch\n', '\n*** End Patch\nanything [ else'],
      ['*** Begin Patch\r\n', '\r\n*** Abort\r\n+x'],
    ] as const) {
      await here.bench.write({ 'a.txt': FOUR })
      const { raw, tag } = await openAnchored(here, toolset, 'a.txt')
      const answer = await raw(`${before}[a.txt#${tag}]\n${spell(toolset, 'delete 1')}${after}`)
      expect([before, answer.ok, await here.text('a.txt')]).toEqual([before, true, 'b\nc\nd\n'])
    }
  })

  row('EDIT-25', ANCHORED, 'lower case tags, quoted and absolute paths', async (toolset) => {
    for (const path of ['"a.txt"', "'a.txt'", here.at('a.txt'), 'a.txt']) {
      await here.bench.write({ 'a.txt': FOUR })
      const { raw, tag } = await openAnchored(here, toolset, 'a.txt')
      const answer = await raw(`[${path}#${tag.toLowerCase()}]\n${spell(toolset, 'delete 1')}`)
      expect([path, untagged(answer.text).split('\n')[0]]).toEqual([path, '[a.txt#TAG]'])
      expect(await here.text('a.txt')).toBe('b\nc\nd\n')
    }
  })

  row('EDIT-26', ANCHORED, 'words of other patch formats in the header', async (toolset) => {
    for (const noise of [
      '*** Update File: ',
      'Update File: ',
      'Add File: ',
      '*** Delete File: ',
      'Move to: ',
      '*** ',
    ]) {
      await here.bench.write({ 'a.txt': FOUR })
      const { raw, tag } = await openAnchored(here, toolset, 'a.txt')
      const answer = await raw(`[${noise}a.txt#${tag}]\n${spell(toolset, 'delete 1')}`)
      expect([noise, answer.ok ? await here.text('a.txt') : answer.text]).toEqual([noise, 'b\nc\nd\n'])
      expect((await raw(`[${noise}a.txt]\n${spell(toolset, 'delete 1')}`)).text).toMatch(
        /^Missing hashline snapshot tag for a\.txt;/,
      )
    }
  })

  row('EDIT-27', ANCHORED, 'single lines, separators and missing colons', async (toolset) => {
    const verb =
      toolset === 'magi'
        ? { replace: 'SWAP', remove: 'DEL', after: 'INS.POST' }
        : { replace: 'replace', remove: 'delete', after: 'insert after' }
    const cases: [string, string][] = [
      [`${verb.replace} 2:\n+B`, 'a\nB\nc\nd\n'],
      [`${verb.replace} 2\n+B`, 'a\nB\nc\nd\n'],
      [`${verb.remove} 2`, 'a\nc\nd\n'],
      [`${verb.after} 4\n+e`, 'a\nb\nc\nd\ne\n'],
      [`  ${verb.after} 4:\n+e`, 'a\nb\nc\nd\ne\n'],
      ...['2-3', '2…3', '2 3', '2..3', '2 .. 3'].flatMap((range): [string, string][] => [
        [`${verb.replace} ${range}:\n+x`, 'a\nx\nd\n'],
        [`${verb.remove} ${range}`, 'a\nd\n'],
      ]),
    ]
    await makes(toolset, FOUR, cases)
  })

  row('EDIT-29', WORDED, 'bare rows are taken literally, pasted numbers go when all rows have one', (toolset) => {
    const warning = 'Auto-prefixed bare body row(s) with `+`. Body rows must be `+TEXT` literal lines.'
    return makes(toolset, FOUR, [
      ['replace 1..1:\n  x\ny', '  x\ny\nb\nc\nd\n', warning],
      ['replace 1..2:\n1:one\n*2:two', 'one\ntwo\nc\nd\n', warning],
      ['replace 1..1:\n1:one\nplain', '1:one\nplain\nb\nc\nd\n', warning],
      ['replace 1..1:\n+1:one', '1:one\nb\nc\nd\n'],
      ['replace 1..1:\n# x', '# x\nb\nc\nd\n', warning],
    ])
  })

  row('EDIT-46', WORDED, 'the warning of bare rows stands under the header', async (toolset) => {
    await here.bench.write({ 'a.txt': FOUR })
    const { edit } = await openAnchored(here, toolset, 'a.txt')
    expect(untagged((await edit('replace 1..1:\nx')).text)).toBe(
      '[a.txt#TAG]\nAuto-prefixed bare body row(s) with `+`. Body rows must be `+TEXT` literal lines.\n+1:x\n 2:b\n 3:c',
    )
  })

  row('EDIT-62', WORDED, 'numeric keys of a map of values stay', (toolset) =>
    makes(toolset, FOUR, [
      ['replace 1..1:\n1: "one",\n2: "two"', '1: "one",\n2: "two"\nb\nc\nd\n'],
      ['replace 1..1:\n1: 10,\n2: -2.5', '1: 10,\n2: -2.5\nb\nc\nd\n'],
      ['replace 1..1:\n1: one\n2: "two"', ' one\n "two"\nb\nc\nd\n'],
    ]),
  )

  it('EDIT-29 EDIT-46 EDIT-62 magi: rows without a plus are refused', async () => {
    await here.bench.write({ 'a.txt': FOUR })
    const { edit } = await openAnchored(here, 'magi', 'a.txt')
    for (const body of ['x', '1:one', '1: "one"']) {
      expect((await edit(`replace 1..1:\n${body}`)).text).toBe(
        `line 3: body rows must start with \`+\`. For this line write \`+${body}\`.`,
      )
    }
    expect(await here.text('a.txt')).toBe(FOUR)
  })

  row('EDIT-30', ANCHORED, 'sections of one path are one', async (toolset) => {
    await here.bench.write({ 'a.txt': FOUR, 'b.txt': 'x\ny\n' })
    const { raw, tagOf } = await openAnchored(here, toolset, '')
    const [a, b] = [await tagOf('a.txt'), await tagOf('b.txt')]
    const op = (line: number) => spell(toolset, `delete ${line}`)
    const answer = await raw(`[a.txt#${a}]\n${op(1)}\n[b.txt#${b}]\n${op(1)}\n[a.txt#${a.toLowerCase()}]\n${op(3)}`)
    expect(
      untagged(answer.text)
        .split('\n\n')
        .map((block) => block.split('\n')[0]),
    ).toEqual(['[a.txt#TAG]', '[b.txt#TAG]'])
    expect([await here.text('a.txt'), await here.text('b.txt')]).toEqual(['b\nd\n', 'y\n'])
  })

  row('EDIT-31', ANCHORED, 'comments go where an operation follows at once', async (toolset) => {
    await makes(toolset, FOUR, [['# why\n# more\ndelete 1', 'b\nc\nd\n']])
    await here.bench.write({ 'a.txt': FOUR })
    const { edit, raw, tag } = await openAnchored(here, toolset, 'a.txt')
    const stray = /^line 2: payload line has no preceding hunk header\. Use .* Got "# why"\.$/
    expect((await edit('# why\n\ndelete 1')).text).toMatch(stray)
    expect((await edit('# why')).text).toMatch(stray)
    expect((await raw(`[a.txt#${tag}]\n# why\n[b.txt#1A2B]\n${spell(toolset, 'delete 1')}`)).text).toMatch(stray)
    const under = (await edit('delete 1\n# why')).text
    expect(under).toContain(
      toolset === 'magi' ? '`DEL N.=M` does not take body rows.' : '`delete N..M` does not take body rows.',
    )
    expect(await here.text('a.txt')).toBe(FOUR)
  })

  row('EDIT-63', ANCHORED, 'blank rows around a body are layout, between rows they are content', async (toolset) => {
    await makes(toolset, FOUR, [
      ['replace 1..1:\n\n+x\n\n\ndelete 4', 'x\nb\nc\n'],
      ['replace 1..1:\n+x\n+\n+y', 'x\n\ny\nb\nc\nd\n'],
      ['replace 1..1:\n+x\n\n+y\n', 'x\n\ny\nb\nc\nd\n'],
    ])
  })
})

describe('checks', () => {
  row('EDIT-14', ['plumbline', 'magi'], 'lines that were never shown are refused, with their text', async (toolset) => {
    await here.bench.write({ 'a.txt': Array.from({ length: 30 }, (_, index) => `l${index + 1}\n`).join('') })
    const { raw, tagOf } = await openAnchored(here, toolset, '')
    const tag = await tagOf('a.txt:1-5')
    const input = `[a.txt#${tag}]\n${spell(toolset, 'replace 20..21:')}\n+x`
    expect((await raw(input)).text).toBe(
      'Nothing was written. The patch for a.txt names 2 lines that this session was never shown. They read as follows; if the patch is still right, send it again with the same tag.\n\n20:l20\n21:l21',
    )
    expect((await raw(input)).ok).toBe(true)
  })

  it('EDIT-14 atomic: has no such guard', async () => {
    await here.bench.write({ 'a.txt': Array.from({ length: 30 }, (_, index) => `l${index + 1}\n`).join('') })
    const { raw, tagOf } = await openAnchored(here, 'atomic', '')
    expect((await raw(`[a.txt#${await tagOf('a.txt:1-5')}]\ndelete 25`)).ok).toBe(true)
  })

  row('EDIT-15', ANCHORED, 'one bad section anywhere: nothing is written', async (toolset) => {
    await here.bench.write({ 'a.txt': '1\n2\n3\n', 'b.txt': 'x\ny\n' })
    const { raw, tagOf } = await openAnchored(here, toolset, '')
    const [a, b] = [await tagOf('a.txt'), await tagOf('b.txt')]
    const good = `[a.txt#${a}]\n${spell(toolset, 'replace 1..1:')}\n+ONE`
    const bad = `[b.txt#${b}]\n${spell(toolset, 'delete 9')}`
    for (const input of [`${good}\n${bad}`, `${bad}\n${good}`]) {
      expect((await raw(input)).text).toBe('Could not edit file: b.txt. Line 9 does not exist (file has 2 lines).')
    }
    expect([await here.text('a.txt'), await here.text('b.txt')]).toEqual(['1\n2\n3\n', 'x\ny\n'])
  })

  row('EDIT-64', ANCHORED, 'an inner fault is told as it is and writes nothing', async (toolset) => {
    await here.bench.dispose()
    here = await makeEditBench({
      files: {
        readFile: (async () => {
          throw new TypeError('the adapter answered nonsense')
        }) as never,
      },
    })
    await here.bench.write({ 'a.txt': 'a\n' })
    const { edit } = await openAnchored(here, toolset, 'a.txt')
    const answer = await edit('delete 1')
    expect([answer.error?.code, answer.text]).toEqual(['internal', 'the adapter answered nonsense'])
    expect(await here.text('a.txt')).toBe('a\n')
  })
})

describe('answers', () => {
  row('EDIT-70', ANCHORED, 'a fresh header, then a compact preview in new numbers', async (toolset) => {
    await here.bench.write({ 'a.txt': Array.from({ length: 12 }, (_, index) => `l${index + 1}\n`).join('') })
    const { edit, raw } = await openAnchored(here, toolset, 'a.txt')
    const long = Array.from({ length: 12 }, (_, index) => `+n${index + 1}`).join('\n')
    const answer = await edit(`replace 3..4:\n${long}\ndelete 10`)
    const deltas = toolset === 'plumbline' ? 'lines 5-9: +10; 10 gone; lines ≥11: +9\n' : ''
    expect(untagged(answer.text)).toBe(
      `[a.txt#TAG]\n${deltas} 1:l1\n 2:l2\n+3:n1\n+4:n2\n…\n+13:n11\n+14:n12\n 15:l5\n 16:l6\n…\n 18:l8\n 19:l9\n 20:l11\n 21:l12`,
    )
    const next = await raw(`[a.txt#${tagIn(answer)}]\n${spell(toolset, 'delete 21')}`)
    expect([next.ok, next.text.includes('Recovered')]).toEqual([true, false])
  })

  row('EDIT-71', ANCHORED, 'details hold diff, patch and the first changed line', async (toolset) => {
    await here.bench.write({ 'a.txt': FOUR })
    const { edit } = await openAnchored(here, toolset, 'a.txt')
    const answer = await edit('replace 3..3:\n+C')
    expect(answer.details).toMatchObject({
      diff: '@@ -1,4 +1,4 @@\n a\n b\n-c\n+C\n d\n',
      patch: '--- a.txt\n+++ a.txt\n@@ -1,4 +1,4 @@\n a\n b\n-c\n+C\n d\n',
      firstChangedLine: 3,
    })
  })
})

describe('bytes', () => {
  row('EDIT-16', ANCHORED, 'S03 S05 S08 marks, endings, final newline and mode stay', async (toolset) => {
    await here.bench.write({ 'win.cs': 'a\r\nb\r\nc\r\n', 'bom.md': '\uFEFF# T\nuno', 'mixed.txt': 'a\r\nb\nc\r\n' })
    await mkdir(here.at('bin'))
    await writeFile(here.at('bin/run.sh'), '#!/bin/sh\necho a\n', { mode: 0o750 })
    const open = (name: string) => openAnchored(here, toolset, name)
    await (await open('win.cs')).edit('replace 2..2:\n+B1\r\n+B2\r')
    await (await open('win.cs')).edit('insert head:\n+top\ninsert tail:\n+end')
    await (await open('bom.md')).edit('replace 1..1:\n+# Otro\ninsert tail:\n+dos')
    await (await open('mixed.txt')).edit('replace 2..2:\n+B')
    await (await open('bin/run.sh')).edit('replace 2..2:\n+echo b')
    expect(await here.text('win.cs')).toBe('top\r\na\r\nB1\r\nB2\r\nc\r\nend\r\n')
    expect(await here.text('bom.md')).toBe('\uFEFF# Otro\nuno\ndos')
    expect(await here.text('mixed.txt')).toBe('a\r\nB\nc\r\n')
    expect((await stat(here.at('bin/run.sh'))).mode & 0o777).toBe(0o750)
  })
})
