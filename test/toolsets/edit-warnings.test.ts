import { writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { ANCHORED, row } from '../support/contract-row'
import { makeEditBench, tagIn, untagged } from '../support/edit-bench'
import { openAnchored, spell } from '../support/edit-dialect'

let here: Awaited<ReturnType<typeof makeEditBench>>

beforeEach(async () => {
  here = await makeEditBench()
})
afterEach(() => here.bench.dispose())

type Anchored = (typeof ANCHORED)[number]

/** Applies the operations to a file and expects exactly these lines between header and preview, and these bytes. */
async function warns(
  toolset: Anchored,
  file: { name: string; content: string },
  ops: string,
  expected: { lines: readonly string[]; text: string },
): Promise<void> {
  await here.bench.write({ [file.name]: file.content })
  const { edit } = await openAnchored(here, toolset, file.name)
  const answer = await edit(ops)
  expect(answer.ok, answer.text).toBe(true)
  const said = answer.text
    .split('\n')
    .slice(1)
    .filter((line) => !/^[ +]\d+:|^…$|^lines |^\d+(-\d+)? gone/.test(line))
  expect(said).toEqual(expected.lines)
  expect(await here.text(file.name)).toBe(expected.text)
}

const TWO = 'function a() {\n  one()\n}\nfunction b() {\n  two()\n}\n'
const RESTATE =
  'Issue the payload as the final desired content only — never restate or omit a closing bracket bordering the range.'
const SIX = 'a\nb\nc\nd\ne\nf\n'

const RECOVERED = {
  external:
    'Recovered from a stale file hash using a previous read snapshot (file changed externally between read and edit).',
  session:
    'Recovered from a stale file hash using an earlier in-session snapshot (a prior edit in this session advanced the hash).',
  replayed:
    'Recovered by replaying your edits onto the current file content (a prior in-session edit changed the lines you re-targeted with a stale hash). Verify the diff matches your intent.',
  headTail:
    'Applied the `insert head:`/`insert tail:` edit despite a stale snapshot tag (file changed since your read) — head/tail position is content-independent. Re-read if the drift was unexpected.',
}

describe('stale tags', () => {
  row('EDIT-16', ANCHORED, 'provable drift is recovered, anything else refused', async (toolset) => {
    const cases: [foreign: string, ops: string, expected: string | undefined][] = [
      ['0\na\nb\nc\nd\ne\nf\n', 'replace 3..3:\n+C', '0\na\nb\nC\nd\ne\nf\n'],
      ['a\nb\nc\nd\ne\nF\n', 'delete 1', 'b\nc\nd\ne\nF\n'],
      ['a\nb\nc\nnew\nd\ne\nf\n', 'delete 2\nreplace 5..5:\n+E', 'a\nc\nnew\nd\nE\nf\n'],
      ['a\nb\nC\nd\ne\nf\n', 'delete 3', undefined],
      ['a\nb\nd\ne\nf\n', 'delete 3', undefined],
      ['a\nb\nx\nc\nd\ne\nf\n', 'delete 2..3', undefined],
    ]
    for (const [foreign, ops, expected] of cases) {
      await here.bench.write({ 'a.txt': SIX })
      const { edit } = await openAnchored(here, toolset, 'a.txt')
      await writeFile(here.at('a.txt'), foreign)
      const answer = await edit(ops)
      expect([ops, answer.ok, await here.text('a.txt')]).toEqual([ops, expected !== undefined, expected ?? foreign])
      if (expected === undefined) expect(answer.error?.code).toBe('stale_tag')
    }
  })

  row('EDIT-17', ANCHORED, 'never slides to a twin', async (toolset) => {
    await here.bench.write({ 'a.txt': 'x\ndup\ny\nz\ndup\nw\n' })
    const { edit } = await openAnchored(here, toolset, 'a.txt')
    await writeFile(here.at('a.txt'), 'x\nchanged\ny\nz\ndup\nw\n')
    expect((await edit('delete 2')).error?.code).toBe('stale_tag')
    expect(await here.text('a.txt')).toBe('x\nchanged\ny\nz\ndup\nw\n')
  })

  row('EDIT-48', ANCHORED, 'another program changed the file', async (toolset) => {
    await here.bench.write({ 'a.txt': SIX })
    const { edit } = await openAnchored(here, toolset, 'a.txt')
    await writeFile(here.at('a.txt'), `zero\n${SIX}`)
    const deltas = toolset === 'plumbline' ? '4 gone; lines ≥5: -1\n' : ''
    expect(untagged((await edit('delete 3')).text)).toBe(
      `[a.txt#TAG]\n${RECOVERED.external}\n${deltas} 2:a\n 3:b\n 4:d\n 5:e`,
    )
  })

  row('EDIT-49', ANCHORED, 'an edit of this session moved the lines', async (toolset) => {
    await here.bench.write({ 'a.txt': SIX })
    const { edit } = await openAnchored(here, toolset, 'a.txt')
    await edit('replace 1..1:\n+A\n+A2')
    const answer = await edit('replace 5..5:\n+E')
    expect(answer.text.split('\n')[1]).toBe(RECOVERED.session)
    expect(await here.text('a.txt')).toBe('A\nA2\nb\nc\nd\nE\nf\n')
  })

  row('EDIT-50', ANCHORED, 'an edit of this session rewrote the lines and left this one', async (toolset) => {
    await here.bench.write({ 'a.txt': SIX })
    const { edit } = await openAnchored(here, toolset, 'a.txt')
    await edit('replace 2..4:\n+B\n+c\n+D')
    const answer = await edit('replace 3..3:\n+C')
    expect(answer.text.split('\n')[1]).toBe(RECOVERED.replayed)
    expect(await here.text('a.txt')).toBe('a\nB\nC\nD\ne\nf\n')
    expect((await edit('replace 2..2:\n+again')).error?.code).toBe('stale_tag')
  })

  row('EDIT-51', ANCHORED, 'head and tail stand anywhere', async (toolset) => {
    await here.bench.write({ 'a.txt': SIX })
    const { edit } = await openAnchored(here, toolset, 'a.txt')
    await writeFile(here.at('a.txt'), 'other\n')
    const answer = await edit('insert head:\n+h\ninsert tail:\n+t')
    expect(answer.text.split('\n')[1]).toBe(RECOVERED.headTail)
    expect(await here.text('a.txt')).toBe('h\nother\nt\n')
  })

  row('EDIT-18', ANCHORED, 'parallel calls on one tag are one batch, clashes change nothing', async (toolset) => {
    await here.bench.write({ 'a.txt': 'a\nb\nc\n' })
    const { session, tool, tag, tagOf } = await openAnchored(here, toolset, 'a.txt')
    const call = (ops: string, own: string): [string, unknown] => [
      tool,
      { input: `[a.txt#${own}]\n${spell(toolset, ops)}` },
    ]
    const both = await session.batch(call('replace 1..1:\n+A', tag), call('replace 3..3:\n+C', tag))
    expect(both.map((answer) => answer.ok)).toEqual([true, true])
    expect(await here.text('a.txt')).toBe('A\nb\nC\n')
    const next = await tagOf('a.txt')
    const clash = await session.batch(call('replace 1..2:\n+1', next), call('replace 2..2:\n+2', next))
    expect(clash.map((answer) => answer.ok)).toEqual([false, false])
    expect(await here.text('a.txt')).toBe('A\nb\nC\n')
  })

  row('EDIT-58', ANCHORED, 'a batch says how many calls it took', async (toolset) => {
    await here.bench.write({ 'a.txt': 'a\nb\nc\n' })
    const { session, tool, tag } = await openAnchored(here, toolset, 'a.txt')
    const answers = await session.batch(
      ...[1, 2, 3].map((line): [string, unknown] => [
        tool,
        { input: `[a.txt#${tag}]\n${spell(toolset, `replace ${line}..${line}:`)}\n+n${line}` },
      ]),
    )
    for (const answer of answers)
      expect(answer.text.split('\n')[1]).toBe('Applied 3 parallel edit calls as one snapshot-anchored batch.')
    expect(await here.text('a.txt')).toBe('n1\nn2\nn3\n')
  })
})

describe('blocks', () => {
  const NESTED = 'function a() {\n  if (x) {\n    y()\n  }\n}\n'
  const file = { name: 'a.ts', content: NESTED }

  row('EDIT-19', ANCHORED, 'the outermost block that begins on the line', (toolset) =>
    warns(toolset, file, 'replace block 2:\n+  z()', {
      lines: [`${toolset === 'magi' ? 'SWAP.BLK' : 'replace block'} 2 → resolved lines 2-4 (3 lines)`],
      text: 'function a() {\n  z()\n}\n',
    }),
  )

  row('EDIT-23', ANCHORED, 'what a block took is echoed', async (toolset) => {
    const spelled = toolset === 'magi' ? ['DEL.BLK', 'INS.BLK.POST'] : ['delete block', 'insert after block']
    await warns(toolset, { name: 'a.ts', content: TWO }, 'delete block 1\ninsert after block 4:\n+end()', {
      lines: [
        `${spelled[0]} 1 → resolved lines 1-3 (3 lines)`,
        `${spelled[1]} 4 → resolved lines 4-6 (3 lines); body lands after line 6`,
      ],
      text: 'function b() {\n  two()\n}\nend()\n',
    })
  })

  row('EDIT-20', ANCHORED, 'decorators belong to what they decorate, Rust attributes do not', async (toolset) => {
    const cases: [name: string, content: string, line: number, expected: string][] = [
      ['a.py', '@one\n@two\ndef f():\n    pass\n\nx = 1\n', 1, '\nx = 1\n'],
      ['a.py', '@one\ndef f():\n    pass\n\nx = 1\n', 2, '@one\n\nx = 1\n'],
      ['a.ts', '@one\n@two()\nclass A {\n  b = 1\n}\nc()\n', 1, 'c()\n'],
      ['A.java', 'class A {\n  @Test\n  void f() {\n    g();\n  }\n}\n', 2, 'class A {\n}\n'],
      ['a.rs', '#[test]\nfn f() {\n    g();\n}\n', 1, 'fn f() {\n    g();\n}\n'],
      ['b.rs', '/// says\nfn f() {}\n', 1, 'fn f() {}\n'],
    ]
    for (const [name, content, line, expected] of cases) {
      await here.bench.write({ [name]: content })
      const { edit } = await openAnchored(here, toolset, name)
      const answer = await edit(`delete block ${line}`)
      expect([name, answer.ok ? await here.text(name) : answer.text]).toEqual([name, expected])
    }
  })

  row('EDIT-21', ANCHORED, 'insert after a block that is none becomes a plain one', async (toolset) => {
    await here.bench.write({ 'a.ts': '\nx()\n' })
    const { edit } = await openAnchored(here, toolset, 'a.ts')
    expect((await edit('insert after block 1:\n+y()')).ok).toBe(true)
    expect(await here.text('a.ts')).toBe('\ny()\nx()\n')
  })

  row('EDIT-52', ANCHORED, 'anchored on a closer', (toolset) => {
    const [asked, applied] = toolset === 'magi' ? ['INS.BLK.POST', 'INS.POST'] : ['insert after block', 'insert after']
    return warns(toolset, { name: 'a.ts', content: TWO }, 'insert after block 3:\n+x()', {
      lines: [
        `\`${asked} 3:\` anchors on a closing delimiter, so it was applied as plain \`${applied} 3:\`. Anchor on the line that OPENS the construct.`,
      ],
      text: TWO.replace('}\nfunction b', '}\nx()\nfunction b'),
    })
  })

  row('EDIT-53', ANCHORED, 'anchored on nothing', (toolset) => {
    const [asked, applied] = toolset === 'magi' ? ['INS.BLK.POST', 'INS.POST'] : ['insert after block', 'insert after']
    return warns(toolset, { name: 'a.ts', content: '\nx()\n' }, 'insert after block 1:\n+y()', {
      lines: [
        `\`${asked} 1:\` could not resolve a syntactic block on line 1, so it was applied as plain \`${applied} 1:\`. Verify the landing line; anchor on a line that OPENS a construct.`,
      ],
      text: '\ny()\nx()\n',
    })
  })

  row('EDIT-54', ANCHORED, 'a shallower body lands behind the closers', async (toolset) => {
    const said = (anchor: number, phrase: string, line: number) =>
      `insert after ${anchor}: body indented shallower than the anchor, so the landing moved past ${phrase} to after line ${line}. For the deeper position inside the block, re-issue with the body indented to match.`
    await warns(toolset, file, 'insert after 3:\n+  z()', {
      lines: [said(3, '1 closing line', 4)],
      text: 'function a() {\n  if (x) {\n    y()\n  }\n  z()\n}\n',
    })
    await warns(toolset, file, 'insert after 3:\n+z()', {
      lines: [said(3, '2 closing lines', 5)],
      text: `${NESTED}z()\n`,
    })
  })

  row('EDIT-55', ANCHORED, 'a deeper body behind a block stays inside', (toolset) =>
    warns(toolset, file, 'insert after block 2:\n+    w()', {
      lines: [
        'insert after block 2: body indented deeper than closing line 4, so it was placed inside the block, after line 3. `insert after block` lands AFTER the block at sibling depth — if inside was intended, use plain `insert after 4:`.',
        `${toolset === 'magi' ? 'INS.BLK.POST' : 'insert after block'} 2 → resolved lines 2-4 (3 lines); body lands after line 4`,
      ],
      text: 'function a() {\n  if (x) {\n    y()\n    w()\n  }\n}\n',
    }),
  )

  row('EDIT-68', ANCHORED, 'a landing never crosses content and follows an exact anchor', async (toolset) => {
    await warns(toolset, { name: 'a.ts', content: 'function a() {\n  y()\n  q()\n}\n' }, 'insert after 2:\n+z()', {
      lines: [],
      text: 'function a() {\n  y()\nz()\n  q()\n}\n',
    })
    await warns(toolset, file, 'insert after 4:\n+z()', { lines: [], text: NESTED.replace('  }\n}', '  }\nz()\n}') })
  })
})

describe('repairs', () => {
  const file = { name: 'a.ts', content: TWO }
  const echo = (line: number, before: number, after: number) =>
    `Auto-repaired a replacement boundary echo at line ${line}: dropped ${before} leading and ${after} trailing payload line(s) already present outside the range. Issue the payload as the final desired content for the selected range only — never restate unchanged lines bordering the range.`
  const balance = (line: number, action: string) =>
    `Auto-repaired a delimiter-balance mismatch in the replacement at line ${line}: ${action}. ${RESTATE}`
  const uno = TWO.replace('one', 'uno')

  row('EDIT-56', ANCHORED, 'both borders restated', (toolset) =>
    warns(toolset, file, 'replace 2..2:\n+function a() {\n+  uno()\n+}', { lines: [echo(2, 1, 1)], text: uno }),
  )

  row('EDIT-66', ANCHORED, 'a border on one side alone, or an insert, stays as authored', async (toolset) => {
    const plain = { name: 'a.txt', content: SIX }
    await warns(toolset, plain, 'replace 2..2:\n+a\n+B', { lines: [], text: 'a\na\nB\nc\nd\ne\nf\n' })
    await warns(toolset, plain, 'replace 2..2:\n+a\n+B\n+c', { lines: [echo(2, 1, 1)], text: 'a\nB\nc\nd\ne\nf\n' })
  })

  row('EDIT-57', ANCHORED, 'the three repairs of brackets', async (toolset) => {
    await warns(toolset, file, 'replace 2..2:\n+  uno()\n+}', {
      lines: [balance(2, 'dropped 1 duplicated trailing payload line(s) already present below the range')],
      text: uno,
    })
    await warns(toolset, file, 'replace 5..5:\n+function b() {\n+  dos()', {
      lines: [balance(5, 'dropped 1 duplicated leading payload line(s) already present above the range')],
      text: TWO.replace('two', 'dos'),
    })
    await warns(toolset, file, 'replace 2..3:\n+  uno()', {
      lines: [balance(2, 'kept 1 structural closing line(s) the range deleted without restating')],
      text: uno,
    })
  })

  row('EDIT-67', ANCHORED, 'a deliberate unwrap over two hunks is none', (toolset) =>
    warns(toolset, file, 'delete 1\nreplace 2..3:\n+one()', {
      lines: [],
      text: 'one()\nfunction b() {\n  two()\n}\n',
    }),
  )
})

describe('rows', () => {
  row('EDIT-47', ANCHORED, 'a row that reads as an operation stays text', async (toolset) => {
    const row1 = spell(toolset, 'replace 1..1:')
    await warns(toolset, { name: 'a.txt', content: 'a\nb\n' }, `replace 1..1:\n+${row1}`, {
      lines: ['Literal +TEXT row resembles a valid hunk header; it was kept as literal payload text.'],
      text: `${row1}\nb\n`,
    })
  })

  row('EDIT-45', ANCHORED, 'warnings stand under the fresh header, before echoes, without a label', async (toolset) => {
    await here.bench.write({ 'a.ts': TWO })
    const { edit } = await openAnchored(here, toolset, 'a.ts')
    const text = spell(toolset, 'delete 9')
    const answer = await edit(`insert after block 3:\n+${text}\nreplace block 4:\n+b()`)
    const [asked, applied, taken] =
      toolset === 'magi'
        ? ['INS.BLK.POST', 'INS.POST', 'SWAP.BLK']
        : ['insert after block', 'insert after', 'replace block']
    expect(untagged(answer.text).split('\n').slice(0, 4)).toEqual([
      '[a.ts#TAG]',
      'Literal +TEXT row resembles a valid hunk header; it was kept as literal payload text.',
      `\`${asked} 3:\` anchors on a closing delimiter, so it was applied as plain \`${applied} 3:\`. Anchor on the line that OPENS the construct.`,
      expect.stringMatching(/^After this edit|→/) as unknown as string,
    ])
    expect(answer.text).toContain(`${taken} 4 → resolved lines 4-6 (3 lines)`)
    expect(tagIn(answer)).toMatch(/^[0-9A-F]{4}$/)
    expect(answer.text).not.toContain('Warnings:')
  })
})
