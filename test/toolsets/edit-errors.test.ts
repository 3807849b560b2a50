import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ANCHORED, row, WORDED } from '../support/contract-row'
import { makeEditBench, tagIn } from '../support/edit-bench'
import { openAnchored, spell } from '../support/edit-dialect'

let here: Awaited<ReturnType<typeof makeEditBench>>

beforeEach(async () => {
  here = await makeEditBench()
})
afterEach(() => here.bench.dispose())

type Anchored = (typeof ANCHORED)[number]
type Case = readonly [ops: string, words: string, magi?: string]

/** Each refusal word for word, and the file as it was. `magi` holds what its own spelling makes of it. */
async function refuses(toolset: Anchored, cases: readonly Case[], content = 'a\nb\nc\n'): Promise<void> {
  await here.bench.write({ 'a.txt': content })
  const { edit } = await openAnchored(here, toolset, 'a.txt')
  for (const [ops, words, magi] of cases) {
    const answer = await edit(ops)
    expect([ops, answer.text]).toEqual([ops, toolset === 'magi' && magi !== undefined ? magi : words])
    expect(answer.ok).toBe(false)
    expect(await here.text('a.txt')).toBe(content)
  }
}

const NO_EDIT = 'edit input must be a non-empty hashline script with [PATH#TAG] sections.'

describe('tool boundary and file system', () => {
  row('EDIT-37', ANCHORED, 'empty input, alias sections, stale before write, failed write', async (toolset) => {
    await here.bench.write({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' })
    const { raw, tagOf, tool, session } = await openAnchored(here, toolset, 'a.txt')
    for (const input of ['', '  \n']) expect((await raw(input)).text).toBe(NO_EDIT)
    expect((await session.call(tool, {})).text).toBe(NO_EDIT)
    const a = await tagOf('a.txt')
    const op = spell(toolset, 'delete 1')
    expect((await raw(`[a.txt#${a}]\n${op}\n[./a.txt#${a}]\n${op}`)).text).toBe(
      'Multiple hashline sections resolve to the same file (a.txt and ./a.txt). Merge their ops under one header before applying.',
    )
    const controller = new AbortController()
    controller.abort()
    const aborted = await session.call(tool, { input: `[a.txt#${a}]\n${op}` }, controller.signal)
    expect([aborted.error?.code, aborted.text]).toEqual(['aborted', 'Operation aborted'])
    await mkdir(here.at('dir'))
    expect((await raw(`[dir#ABCD]\n${op}`)).text).toBe('Could not edit file: dir. It is a directory.')
    expect(await here.text('a.txt')).toBe('a\n')
  })

  row('EDIT-65', ANCHORED, 'a missing file is left to write', async (toolset) => {
    const { raw } = await openAnchored(here, toolset, '')
    const answer = await raw(`[none.txt#ABCD]\n${spell(toolset, 'delete 1')}`)
    expect([answer.error?.code, answer.text]).toEqual([
      'not_found',
      'File not found: none.txt. Use the write tool to create new files.',
    ])
  })

  row('EDIT-12', ANCHORED, 'nothing is created', async (toolset) => {
    const { raw } = await openAnchored(here, toolset, '')
    for (const header of ['[new.txt#ABCD]', '[new.txt]']) {
      const answer = await raw(`${header}\n${spell(toolset, 'insert head:')}\n+x`)
      expect(answer.text).toContain('write tool')
    }
    await expect(here.text('new.txt')).rejects.toThrow('ENOENT')
  })

  row('EDIT-37', ANCHORED, 'a file that keeps changing before the write', async (toolset) => {
    await here.bench.dispose()
    const { lstat } = await import('node:fs/promises')
    let turn = 0
    here = await makeEditBench({
      files: {
        lstat: (async (target: string) => {
          if (String(target).endsWith('a.txt') && turn > 0) await writeFile(target, `other ${turn++}\nb\n`)
          return lstat(target)
        }) as never,
      },
    })
    await here.bench.write({ 'a.txt': 'a\nb\n' })
    const { edit } = await openAnchored(here, toolset, 'a.txt')
    turn = 1
    const answer = await edit('insert tail:\n+x')
    expect([answer.error?.code, answer.text]).toEqual([
      'conflict',
      'Stale hashline tag for a.txt: file content changed before write. Re-read before editing.',
    ])
  })

  row('EDIT-37', ANCHORED, 'a failed write names what is written and what is not', async (toolset) => {
    await here.bench.dispose()
    const { rename } = await import('node:fs/promises')
    here = await makeEditBench({
      files: {
        rename: async (from, to) => {
          if (String(to).endsWith('b.txt')) throw Object.assign(new Error('EACCES: denied'), { code: 'EACCES' })
          await rename(from, to)
        },
      },
    })
    await here.bench.write({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' })
    const { raw, tagOf } = await openAnchored(here, toolset, '')
    const section = async (name: string) => `[${name}#${await tagOf(name)}]\n${spell(toolset, 'replace 1..1:\n+new')}`
    const all = [await section('a.txt'), await section('b.txt'), await section('c.txt')]
    const answer = await raw(all.join('\n'))
    expect(answer.text).toBe(
      'Failed to write b.txt: EACCES: denied. Sections already written: a.txt. Sections not written: b.txt, c.txt.',
    )
    expect((await raw(all[1] ?? '')).text).toBe('Failed to write b.txt: EACCES: denied.')
    expect([await here.text('a.txt'), await here.text('b.txt'), await here.text('c.txt')]).toEqual([
      'new\n',
      'b\n',
      'c\n',
    ])
  })

  row('EDIT-72', ANCHORED, 'a file that can not be read before the write', async (toolset) => {
    await here.bench.dispose()
    const { readFile } = await import('node:fs/promises')
    let closed = false
    let reads = 0
    here = await makeEditBench({
      files: {
        readFile: (async (target: string) => {
          if (closed && ++reads > 1) throw Object.assign(new Error('EACCES: denied'), { code: 'EACCES' })
          return readFile(target)
        }) as never,
      },
    })
    await here.bench.write({ 'a.txt': 'a\n' })
    const { edit } = await openAnchored(here, toolset, 'a.txt')
    closed = true
    const answer = await edit('replace 1..1:\n+b')
    expect(answer.text).toBe(
      `FILE_MUTATION_CONFLICT:target_unreadable: ${here.at('a.txt')} can't be read (EACCES). No changes were written. Restore access, then read the file again before retrying.`,
    )
  })
})

describe('headers and tags', () => {
  row('EDIT-38', ANCHORED, 'every template', async (toolset) => {
    await here.bench.write({ 'a.txt': 'a\nb\n' })
    const { raw } = await openAnchored(here, toolset, 'a.txt')
    const op = spell(toolset, 'delete 1')
    const example = toolset === 'magi' ? 'SWAP/DEL/INS ops' : 'edit ops'
    const cases: [string, string][] = [
      [
        'hello',
        `input must begin with "[PATH#HASH]" on the first non-blank line for anchored edits; got: "hello". Example: "[src/foo.ts#1A2B]" then ${example}.`,
      ],
      ...['[a.txt#12]', '[a.txt#12345]', '[a.txt#XYZW]', '[a.txt#1A2B] prose', '[a.txt#1A2B:42]'].map(
        (header): [string, string] => [
          `${header}\n${op}`,
          `Input header must be [PATH] or [PATH#TAG] with a 4-hex content-hash tag; got ${header}.`,
        ],
      ),
      [`[]\n${op}`, 'Input header "[]" is empty; provide a file path.'],
      ['[a.txt#1A2B]\n', 'Patch input did not produce any sections.'],
      [
        `[a.txt]\n${op}`,
        'Missing hashline snapshot tag for a.txt; use `[a.txt#tag]` from your latest read/search output. To create a new file, use the write tool.',
      ],
      [
        `[a.txt#1A2B]\n${op}\n[a.txt#3C4D]\n${op}`,
        'Conflicting hashline snapshot tags for a.txt: #1A2B and #3C4D. Re-read the file and retry with one current header.',
      ],
    ]
    for (const [input, text] of cases) {
      const answer = await raw(input)
      expect([input, answer.ok, answer.text]).toEqual([input, false, text])
    }
    expect(await here.text('a.txt')).toBe('a\nb\n')
  })

  row('EDIT-43', ANCHORED, 'unknown and drifted tags, with context', async (toolset) => {
    await here.bench.write({ 'a.txt': 'a\nb\nc\nd\ne\nf\n' })
    const { edit, tag, tagOf } = await openAnchored(here, toolset, 'a.txt')
    const invented = tag === '0000' ? '1111' : '0000'
    expect((await edit('replace 3..3:\n+C', invented)).text).toBe(
      `Edit rejected for a.txt: hash #${invented} is not from this session.\nThe current file hashes to #${tag}. Re-read the file with \`read\` to copy a current [path#tag] header — never invent the tag and never reuse one from a prior session.\n\n 1:a\n 2:b\n*3:c\n 4:d\n 5:e`,
    )
    await writeFile(here.at('a.txt'), 'a\nb\nother\nd\ne\nf\n')
    const stale = await edit('replace 3..3:\n+C')
    const current = await tagOf('a.txt')
    expect(stale.text).toContain(
      `Edit rejected for a.txt: file changed between read and edit.\nSection is bound to #${tag}, but the current file hashes to #${current}. If a prior edit in this session modified this file, copy the [path#newhash] header from that edit's response; otherwise re-read the file with \`read\` to refresh the tag before retrying.`,
    )
    expect(stale.text).toMatch(/\n\n 1:a\n 2:b\n\*3:other\n 4:d\n 5:e$/)
    expect((await edit('replace 3..3:\n+C', current)).ok).toBe(true)
  })

  row('EDIT-36', ANCHORED, 'two lines on either side of each anchor', async (toolset) => {
    await here.bench.write({ 'a.txt': Array.from({ length: 20 }, (_, index) => `l${index + 1}\n`).join('') })
    const { edit, tag } = await openAnchored(here, toolset, 'a.txt')
    const answer = await edit('delete 1\nreplace 9..10:\n+x\ndelete 20', tag === '0000' ? '1111' : '0000')
    expect(answer.text.split('\n\n').slice(1).join('\n\n')).toBe(
      '*1:l1\n 2:l2\n 3:l3\n...\n 7:l7\n 8:l8\n*9:l9\n*10:l10\n 11:l11\n 12:l12\n...\n 18:l18\n 19:l19\n*20:l20',
    )
  })

  row('EDIT-13', ANCHORED, "another session's tag opens nothing", async (toolset) => {
    await here.bench.write({ 'a.txt': 'a\n' })
    const first = await openAnchored(here, toolset, 'a.txt')
    const other = await openAnchored(here, toolset, '')
    const answer = await other.raw(`[a.txt#${first.tag}]\n${spell(toolset, 'delete 1')}`)
    expect([answer.error?.code, answer.text.split('\n')[0]]).toEqual([
      'unknown_tag',
      `Edit rejected for a.txt: hash #${first.tag} is not from this session.`,
    ])
  })
})

describe('anchors, ranges, bodies', () => {
  row('EDIT-39', ANCHORED, 'every template', (toolset) =>
    refuses(toolset, [
      [
        'delete 9007199254740992',
        'line 2: line anchor "9007199254740992" is not a safe integer; line numbers must be positive safe integers no greater than 9007199254740991.',
      ],
      [
        'delete 0',
        'line 2: line anchor "0" is not a safe integer; line numbers must be positive safe integers no greater than 9007199254740991.',
      ],
      [
        'replace one:\n+x',
        'line 2: expected a line number such as "119", "112", "7"; got "one". Use [PATH#hash] from your latest read for file-version binding.',
      ],
      ['delete 4', 'Could not edit file: a.txt. Line 4 does not exist (file has 3 lines).'],
    ]),
  )

  row('EDIT-33', ANCHORED, 'limits of ranges', (toolset) =>
    refuses(toolset, [
      [
        'delete 1..100001',
        'line 2: range 1..100001 expands to 100001 lines; numeric ranges are limited to 100,000 lines.',
      ],
      ['delete 1..100000', 'Could not edit file: a.txt. Line 100000 does not exist (file has 3 lines).'],
      [
        'delete 9007199254740991',
        'Could not edit file: a.txt. Line 9007199254740991 does not exist (file has 3 lines).',
      ],
    ]),
  )

  row('EDIT-40', ANCHORED, 'every template', (toolset) =>
    refuses(toolset, [
      ['replace 3..1:\n+x', 'line 2: range 3..1 ends before it starts.'],
      [
        'delete 1..200000',
        'line 2: range 1..200000 expands to 200000 lines; numeric ranges are limited to 100,000 lines.',
      ],
      ['+x', 'line 2: payload line has no preceding hunk header. Got "+x".'],
      [
        'x',
        'line 2: payload line has no preceding hunk header. Use `replace N..M:`, `delete N..M`, or `insert before|after|head|tail:` above the body. Got "x".',
        'line 2: payload line has no preceding hunk header. Use `SWAP N.=M:`, `DEL N.=M`, or `INS.PRE|POST|HEAD|TAIL:` above the body. Got "x".',
      ],
      [
        'replace 1..1:\n-x',
        'line 3: `-` rows are not valid; the range already names the lines being changed. For a literal `-` line, write `+-…`.',
      ],
      [
        'delete 1..2\n+x',
        'line 3: `delete N..M` does not take body rows. Remove the body, or use `replace N..M:`.',
        'line 3: `DEL N.=M` does not take body rows. Remove the body, or use `SWAP N.=M:`.',
      ],
      [
        'delete block 1\n+x',
        'line 3: `delete block N` does not take body rows. Remove the body, or use `replace block N:`.',
        'line 3: `DEL.BLK N` does not take body rows. Remove the body, or use `SWAP.BLK N:`.',
      ],
      [
        'insert after 1:',
        'line 2: `insert` needs at least one `+TEXT` body row.',
        'line 2: `INS` needs at least one `+TEXT` body row.',
      ],
      [
        'insert after block 1:',
        'line 2: `insert` needs at least one `+TEXT` body row.',
        'line 2: `INS` needs at least one `+TEXT` body row.',
      ],
      [
        'replace block 1:',
        'line 2: `replace block N:` needs at least one `+TEXT` body row. To delete a block, use `delete block N`.',
        'line 2: `SWAP.BLK N:` needs at least one `+TEXT` body row. To delete a block, use `DEL.BLK N`.',
      ],
      [
        'replace 1..2:\n+x\ndelete 2',
        'line 4: anchor line 2 is already targeted by another hunk on line 2. Issue ONE hunk per range; payload is only the final desired content, never a before/after pair.',
      ],
    ]),
  )

  row('EDIT-34', ANCHORED, 'a line belongs to one hunk, blocks and inserts included', async (toolset) => {
    const message = (patch: number, anchor: number, other: number) =>
      `line ${patch}: anchor line ${anchor} is already targeted by another hunk on line ${other}. Issue ONE hunk per range; payload is only the final desired content, never a before/after pair.`
    await refuses(toolset, [
      ['delete 1..2\ndelete 1..2', message(3, 1, 2)],
      ['delete 1..3\ndelete 2', message(3, 2, 2)],
      ['replace 1..3:\n+x\ninsert after 1:\n+y', message(4, 1, 2)],
    ])
    await here.bench.write({ 'b.ts': 'function a() {\n  return 1\n}\n' })
    const { edit } = await openAnchored(here, toolset, 'b.ts')
    expect((await edit('replace block 1:\n+x\nreplace 2..2:\n+y')).text).toBe(message(4, 2, 2))
    const edge = await edit('insert before 1:\n+first\nreplace 1..1:\n+function b() {\ninsert after 3:\n+last')
    expect(edge.ok, edge.text).toBe(true)
    expect(await here.text('b.ts')).toBe('first\nfunction b() {\n  return 1\n}\nlast\n')
  })
})

describe('contamination and malformed headers', () => {
  row('EDIT-41', ANCHORED, 'every template', async (toolset) => {
    await refuses(toolset, [
      [
        'replace 1..1:\n*** Update File: b.txt',
        'line 3: apply_patch sentinel "*** Update File: b.txt" is not valid in hashline. File sections start with `[path#HASH]` (no `Update File:` / `Add File:` keyword). Use `replace N..M:`, `delete N..M`, or `insert before|after|head|tail:` ops.',
        'line 3: apply_patch sentinel "*** Update File: b.txt" is not valid in hashline. File sections start with `[path#HASH]` (no `Update File:` / `Add File:` keyword). Use `SWAP N.=M:`, `DEL N.=M`, or `INS.PRE|POST|HEAD|TAIL:` ops.',
      ],
      [
        '@@ -1,2 +1,2 @@',
        'line 2: unified-diff hunk header (`@@ -N,M +N,M @@`) is not valid in hashline. Use `replace N..M:`, `delete N..M`, or `insert before|after|head|tail:` ops.',
        'line 2: unified-diff hunk header (`@@ -N,M +N,M @@`) is not valid in hashline. Use `SWAP N.=M:`, `DEL N.=M`, or `INS.PRE|POST|HEAD|TAIL:` ops.',
      ],
      [
        '@@ replace 1 @@',
        'line 2: `@@`-bracketed hunk header "@@ replace 1 @@" is not valid in hashline. Drop the `@@ ... @@` brackets and write a verb header such as `replace N..M:`.',
        'line 2: `@@`-bracketed hunk header "@@ replace 1 @@" is not valid in hashline. Drop the `@@ ... @@` brackets and write a verb header such as `SWAP N.=M:`.',
      ],
      [
        'delete 1..2:',
        'line 2: `delete N..M` has no colon and no body. Remove the colon and body rows.',
        'line 2: `DEL N.=M` has no colon and no body. Remove the colon and body rows.',
      ],
      [
        '7',
        'line 2: hunk headers need a verb. Use `replace 7..7:` to replace, or `delete 7` to delete.',
        'line 2: hunk headers need a verb. Use `SWAP 7.=7:` to replace, or `DEL 7.=7` to delete.',
      ],
      [
        '1..2:',
        'line 2: bare range hunk header "1..2" is not valid. Hunk headers need a verb: write `replace 1..2:` or `delete 1..2`.',
        'line 2: bare range hunk header "1.=2" is not valid. Hunk headers need a verb: write `SWAP 1.=2:` or `DEL 1.=2`.',
      ],
    ])
    const { raw } = await openAnchored(here, toolset, '')
    const verbs = toolset === 'magi' ? '`SWAP`, `DEL`, or `INS`' : '`replace`, `delete`, or `insert`'
    expect((await raw('@@ -1,2 +1,2 @@\n-a\n+b')).text).toBe(
      `unified-diff hunk header (\`@@ -N,M +N,M @@\`) is not valid in hashline. File sections start with \`[path#HASH]\`; use ${verbs} ops.`,
    )
  })

  row('EDIT-32', ANCHORED, 'foreign shapes inside a body are refused, literal ones are not', async (toolset) => {
    await here.bench.write({ 'a.txt': 'a\n' })
    const { edit } = await openAnchored(here, toolset, 'a.txt')
    for (const foreign of ['*** Add File: x', '@@ x @@', '3..4:', '-old', '5']) {
      expect((await edit(`replace 1..1:\n+x\n${foreign}`)).error?.code).toBe('invalid_arguments')
    }
    const literal = ['[b#1A2B]', '*** Begin Patch', '@@ x @@', '3..4:', '-old', '5', '*** End Patch']
    const kept = await edit(`replace 1..1:\n${literal.map((line) => `+${line}`).join('\n')}`)
    expect(kept.ok, kept.text).toBe(true)
    expect(await here.text('a.txt')).toBe(`${literal.join('\n')}\n`)
  })

  row('EDIT-60', ANCHORED, 'messages name the line of the patch', async (toolset) => {
    await here.bench.write({ 'a.txt': 'a\nb\n' })
    const { raw, tag } = await openAnchored(here, toolset, 'a.txt')
    const op = spell(toolset, 'delete 2..1')
    expect((await raw(`\n*** Begin Patch\n[a.txt#${tag}]\n\n# note\n${op}`)).text).toBe(
      'line 6: range 2..1 ends before it starts.',
    )
  })
})

describe('blocks', () => {
  const SOURCE = 'function a() {\n  return 1\n}\n'

  row('EDIT-22', ANCHORED, 'replace and delete that resolve nothing, with context', async (toolset) => {
    await here.bench.write({ 'a.ts': SOURCE })
    const { edit } = await openAnchored(here, toolset, 'a.ts')
    const why =
      'could not resolve a syntactic block beginning on line 3 (unsupported language, blank/closer line, or parse error).'
    const context = '\n\n 1:function a() {\n 2:  return 1\n*3:}'
    const magi = toolset === 'magi'
    expect((await edit('delete block 3')).text).toBe(
      magi
        ? `line 2: \`DEL.BLK 3\` ${why} Use \`DEL 3.=M\` with explicit lines.${context}`
        : `line 2: \`delete block 3\` ${why} Use \`delete 3..M\` with explicit lines.${context}`,
    )
    expect((await edit('replace block 3:\n+x')).text).toBe(
      magi
        ? `line 2: \`SWAP.BLK 3:\` ${why} Use \`SWAP 3.=M:\` with explicit lines.${context}`
        : `line 2: \`replace block 3:\` ${why} Use \`replace 3..M:\` with explicit lines.${context}`,
    )
  })

  row('EDIT-42', ANCHORED, 'without a resolver', async (toolset) => {
    await here.bench.dispose()
    here = await makeEditBench({ blocks: false })
    await here.bench.write({ 'a.ts': SOURCE })
    const { edit } = await openAnchored(here, toolset, 'a.ts')
    const forms =
      toolset === 'magi' ? '`SWAP.BLK`/`DEL.BLK`/`INS.BLK.POST`' : '`replace block`/`delete block`/`insert after block`'
    for (const op of ['delete block 1', 'replace block 1:\n+x', 'insert after block 1:\n+x']) {
      expect((await edit(op)).text).toBe(
        `line 2: ${forms} are not available here (no block resolver configured). Use a concrete line range.`,
      )
    }
    expect(await here.text('a.ts')).toBe(SOURCE)
  })
})

describe('sections and files', () => {
  row('EDIT-35', ANCHORED, 'two spellings of one file', async (toolset) => {
    await here.bench.write({ 'a.txt': 'a\nb\n' })
    await symlink('.', here.at('sub'))
    const { raw, tag } = await openAnchored(here, toolset, 'a.txt')
    const ops = (line: number) => spell(toolset, `delete ${line}`)
    expect((await raw(`[a.txt#${tag}]\n${ops(1)}\n[sub/a.txt#${tag}]\n${ops(2)}`)).text).toBe(
      'Multiple hashline sections resolve to the same file (a.txt and sub/a.txt). Merge their ops under one header before applying.',
    )
    expect(await here.text('a.txt')).toBe('a\nb\n')
  })

  row('EDIT-44', ANCHORED, 'no-ops: told, counted, stopped, and refused beside real changes', async (toolset) => {
    await here.bench.write({ 'a.txt': 'a\nb\n', 'b.txt': 'b\n' })
    const { edit, raw, tag, tagOf } = await openAnchored(here, toolset, 'a.txt')
    const text =
      'Edits to a.txt parsed and applied cleanly, but produced no change: your body row(s) are byte-identical to the file at the targeted lines. The bug is somewhere else — re-read the file before issuing another edit. Do NOT widen the payload or add lines; verify the anchor first.'
    const op = 'replace 1..1:\n+a'
    const answers = [await edit(op), await edit(op), await edit(op)]
    expect(answers.map((answer) => [answer.ok, answer.text])).toEqual([
      [true, text],
      [true, `${text} No-op count for this identical payload: 2.`],
      [false, `STOP. ${text} No-op count for this identical payload: 3.`],
    ])
    const b = await tagOf('b.txt')
    const mixed = await raw(
      `[a.txt#${tag}]\n${spell(toolset, op)}\n[b.txt#${b}]\n${spell(toolset, 'replace 1..1:\n+B')}`,
    )
    expect([mixed.ok, mixed.text]).toEqual([false, text])
    expect(await here.text('b.txt')).toBe('b\n')
  })

  row('EDIT-69', ANCHORED, 'another payload or a real change starts the count again', async (toolset) => {
    await here.bench.write({ 'a.txt': 'a\nb\n' })
    const { edit } = await openAnchored(here, toolset, 'a.txt')
    const [one, two] = ['replace 1..1:\n+a', 'replace 2..2:\n+b']
    const failures: boolean[] = []
    for (const op of [one, one, two, one, one]) failures.push((await edit(op)).ok)
    expect(failures).toEqual([true, true, true, true, true])
    const changed = await edit('replace 2..2:\n+B')
    const again = await edit(one, tagIn(changed))
    expect([again.ok, again.text.includes('No-op count')]).toEqual([true, false])
  })

  row('EDIT-73', ANCHORED, 'patches have a largest size', async (toolset) => {
    await here.bench.write({ 'a.txt': 'a\n' })
    const { edit, raw } = await openAnchored(here, toolset, 'a.txt')
    const mebibyte = 1024 * 1024
    const max = toolset === 'magi' ? mebibyte : 8 * mebibyte
    const big = await edit(`insert tail:\n+${'x'.repeat(max)}`)
    expect([big.ok, big.text]).toEqual([false, `Patch is larger than ${max} bytes. Split it into several calls.`])
    const most = { plumbline: 256, magi: 64, atomic: 1000 }[toolset]
    const many = Array.from({ length: most + 1 }, (_, index) => `[f${index}#1A2B]\n${spell(toolset, 'delete 1')}`)
    expect((await raw(many.join('\n'))).text).toBe(`Patch has more than ${most} sections. Split it into several calls.`)
    expect((await raw(many.slice(1).join('\n'))).text).toContain('File not found: f1.')
  })
})

describe('words only', () => {
  row('EDIT-28', WORDED, 'an empty replacement deletes, an empty block is refused', async (toolset) => {
    await here.bench.write({ 'a.txt': 'a\nb\nc\n' })
    const { edit } = await openAnchored(here, toolset, 'a.txt')
    expect((await edit('replace 1..2:')).ok).toBe(true)
    expect(await here.text('a.txt')).toBe('c\n')
  })

  it('EDIT-28 magi: an empty replacement is refused', async () => {
    await refuses('magi', [
      [
        'replace 1..2:',
        '',
        'line 2: `SWAP N.=M:` needs at least one `+TEXT` body row. To delete lines, use `DEL N.=M`.',
      ],
    ])
  })
})
