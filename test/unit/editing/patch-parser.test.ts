import { describe, expect, it } from 'vitest'
import type { PatchRules } from '../../../main/editing/patch'
import { parsePartialPatch, parsePatch, withoutEnvelope } from '../../../main/editing/patch-parser'

const base = { bareRows: true, emptyReplaceDeletes: true, maxSections: 4, maxInputBytes: 100_000 }
const atomic: PatchRules = { ...base, vocabularies: ['atomic'] }
const magi: PatchRules = { ...base, vocabularies: ['magi'], bareRows: false, emptyReplaceDeletes: false }
const both: PatchRules = { ...base, vocabularies: ['atomic', 'magi'] }

const H = '[a.ts#1A2B]\n'

function shape(input: string, rules = atomic) {
  return parsePatch(input, rules).map((section) => ({
    path: section.path,
    tag: section.tag,
    hunks: section.hunks.map((hunk) => [hunk.kind, hunk.start, hunk.end, ...hunk.rows]),
  }))
}
const hunks = (ops: string, rules = atomic) => shape(H + ops, rules)[0]?.hunks
const refusal = (input: string, rules = atomic) => {
  try {
    parsePatch(input, rules)
  } catch (failure) {
    return failure instanceof Error ? failure.message : String(failure)
  }
  return 'accepted'
}

describe('patch parser', () => {
  it('EDIT-24 EDIT-25 EDIT-26 tolerated envelopes and headers', () => {
    const expected = [{ path: 'a.ts', tag: '1A2B', hunks: [['delete', 1, 1]] }]
    for (const input of [
      '[a.ts#1a2b]\ndelete 1',
      '\uFEFF\n\n*** Begin Patch\n[a.ts#1A2B]\ndelete 1\n*** End Patch\ngarbage',
      '[a.ts#1A2B]\r\ndelete 1\r\n*** Abort\r\n+x',
      '["a.ts"#1A2B]\ndelete 1',
      '[*** Update File: a.ts#1A2B]\ndelete 1',
      '[Add File: a.ts#1A2B]\ndelete 1',
    ]) {
      expect(shape(input)).toEqual(expected)
    }
    expect(shape('[my notes (1).md#1A2B]\ndelete 1')[0]?.path).toBe('my notes (1).md')
  })

  it('EDIT-27 EDIT-28 tolerated ranges', () => {
    for (const range of ['2..4', '2-4', '2…4', '2 4', '2 .. 4']) {
      expect(hunks(`replace ${range}:\n+x`)).toEqual([['replace', 2, 4, 'x']])
      expect(hunks(`delete ${range}`)).toEqual([['delete', 2, 4]])
    }
    expect(hunks('replace 2:\n+x')).toEqual([['replace', 2, 2, 'x']])
    expect(hunks('replace 2..4\n+x')).toEqual([['replace', 2, 4, 'x']])
    expect(hunks('insert after 3\n+x')).toEqual([['after', 3, 3, 'x']])
    expect(hunks('replace 2..4:')).toEqual([['delete', 2, 4]])
    for (const range of ['2.=4', '2..4', '2-4', '2,4', '2 4', '2=4']) {
      expect(hunks(`SWAP ${range}:\n+x`, magi)).toEqual([['replace', 2, 4, 'x']])
    }
    expect(hunks('DEL 2', magi)).toEqual([['delete', 2, 2]])
  })

  it('EDIT-09 EDIT-61 bodies are literal after the plus', () => {
    expect(hunks('insert head:\n+\n+++\n+  - x\n+[b#1234]\n+*** End Patch\n+@@\n+1:x')).toEqual([
      ['head', 0, 0, '', '++', '  - x', '[b#1234]', '*** End Patch', '@@', '1:x'],
    ])
    const [section] = parsePatch(`${H}insert head:\n+delete 5`, atomic)
    expect(section?.hunks[0]?.rows).toEqual(['delete 5'])
    expect(section?.warnings).toEqual([
      'Literal +TEXT row resembles a valid hunk header; it was kept as literal payload text.',
    ])
  })

  it('EDIT-29 EDIT-46 EDIT-62 bare rows', () => {
    const [section] = parsePatch(`${H}replace 1..2:\n2:one\n*3:two`, atomic)
    expect(section?.hunks[0]?.rows).toEqual(['one', 'two'])
    expect(section?.warnings).toEqual([
      'Auto-prefixed bare body row(s) with `+`. Body rows must be `+TEXT` literal lines.',
    ])
    expect(hunks('replace 1:\n2:one\ntwo')).toEqual([['replace', 1, 1, '2:one', 'two']])
    expect(hunks('replace 1:\n+2:one\n3:two')).toEqual([['replace', 1, 1, '2:one', 'two']])
    expect(hunks('replace 1:\n1: "a",\n2: "b"')).toEqual([['replace', 1, 1, '1: "a",', '2: "b"']])
    expect(refusal(`${H}SWAP 1.=1:\nx`, magi)).toBe('line 3: body rows must start with `+`. For this line write `+x`.')
  })

  it('EDIT-31 EDIT-63 comments and blanks', () => {
    expect(hunks('# why\n# more\ndelete 1')).toEqual([['delete', 1, 1]])
    expect(hunks('insert head:\n\n+a\n\n+b\n\n\ndelete 1')).toEqual([
      ['head', 0, 0, 'a', '', 'b'],
      ['delete', 1, 1],
    ])
    const stray =
      'line 2: payload line has no preceding hunk header. Use `replace N..M:`, `delete N..M`, or `insert before|after|head|tail:` above the body. Got "# why".'
    expect(refusal(`${H}# why\n\ndelete 1`)).toBe(stray)
    expect(refusal(`${H}# why`)).toBe(stray)
    expect(refusal(`${H}# why\n[b.ts#1A2B]\ndelete 1`)).toBe(stray)
    expect(hunks('insert head:\n# why')).toEqual([['head', 0, 0, '# why']])
  })

  it('EDIT-30 sections of one path are merged', () => {
    expect(shape('[a#1A2B]\ndelete 1\n[b#1A2B]\ndelete 1\n[a#1a2b]\ndelete 3')).toEqual([
      {
        path: 'a',
        tag: '1A2B',
        hunks: [
          ['delete', 1, 1],
          ['delete', 3, 3],
        ],
      },
      { path: 'b', tag: '1A2B', hunks: [['delete', 1, 1]] },
    ])
    expect(refusal('[a#1A2B]\ndelete 1\n[a#1A2C]\ndelete 3')).toBe(
      'Conflicting hashline snapshot tags for a: #1A2B and #1A2C. Re-read the file and retry with one current header.',
    )
  })

  const refused: [string, string][] = [
    [' ', 'edit input must be a non-empty hashline script with [PATH#TAG] sections.'],
    [
      'hello',
      'input must begin with "[PATH#HASH]" on the first non-blank line for anchored edits; got: "hello". Example: "[src/foo.ts#1A2B]" then edit ops.',
    ],
    [
      '@@ -1,2 +1,2 @@\n x',
      'unified-diff hunk header (`@@ -N,M +N,M @@`) is not valid in hashline. File sections start with `[path#HASH]`; use `replace`, `delete`, or `insert` ops.',
    ],
    ['[a.ts#12]', 'Input header must be [PATH] or [PATH#TAG] with a 4-hex content-hash tag; got [a.ts#12].'],
    ['[a.ts#1234567]', 'Input header must be [PATH] or [PATH#TAG] with a 4-hex content-hash tag; got [a.ts#1234567].'],
    [
      '[a.ts#1A2B] now',
      'Input header must be [PATH] or [PATH#TAG] with a 4-hex content-hash tag; got [a.ts#1A2B] now.',
    ],
    ['[a.ts#1A2B:4]', 'Input header must be [PATH] or [PATH#TAG] with a 4-hex content-hash tag; got [a.ts#1A2B:4].'],
    ['[]', 'Input header "[]" is empty; provide a file path.'],
    ['*** Begin Patch\n*** End Patch', 'Patch input did not produce any sections.'],
    [H, 'Patch input did not produce any sections.'],
    [
      '[a.ts]\ndelete 1',
      'Missing hashline snapshot tag for a.ts; use `[a.ts#tag]` from your latest read/search output. To create a new file, use the write tool.',
    ],
    [
      `${H}delete 99999999999999999999`,
      'line 2: line anchor "99999999999999999999" is not a safe integer; line numbers must be positive safe integers no greater than 9007199254740991.',
    ],
    [
      `${H}delete 0`,
      'line 2: line anchor "0" is not a safe integer; line numbers must be positive safe integers no greater than 9007199254740991.',
    ],
    [
      `${H}delete 1x`,
      'line 2: expected a line number such as "119", "112", "7"; got "1x". Use [PATH#hash] from your latest read for file-version binding.',
    ],
    [`${H}delete 5..3`, 'line 2: range 5..3 ends before it starts.'],
    [
      `${H}replace 1..100001:\n+x`,
      'line 2: range 1..100001 expands to 100001 lines; numeric ranges are limited to 100,000 lines.',
    ],
    [`${H}+x`, 'line 2: payload line has no preceding hunk header. Got "+x".'],
    [
      `${H}x`,
      'line 2: payload line has no preceding hunk header. Use `replace N..M:`, `delete N..M`, or `insert before|after|head|tail:` above the body. Got "x".',
    ],
    [
      `${H}replace 1:\n- x`,
      'line 3: `-` rows are not valid; the range already names the lines being changed. For a literal `-` line, write `+-…`.',
    ],
    [`${H}delete 1\n+x`, 'line 3: `delete N..M` does not take body rows. Remove the body, or use `replace N..M:`.'],
    [`${H}delete 1\n# x`, 'line 3: `delete N..M` does not take body rows. Remove the body, or use `replace N..M:`.'],
    [
      `${H}delete block 1\nx`,
      'line 3: `delete block N` does not take body rows. Remove the body, or use `replace block N:`.',
    ],
    [`${H}insert after 1:`, 'line 2: `insert` needs at least one `+TEXT` body row.'],
    [
      `${H}replace block 1:\ndelete 9`,
      'line 2: `replace block N:` needs at least one `+TEXT` body row. To delete a block, use `delete block N`.',
    ],
    [
      `${H}*** Update File: b`,
      'line 2: apply_patch sentinel "*** Update File: b" is not valid in hashline. File sections start with `[path#HASH]` (no `Update File:` / `Add File:` keyword). Use `replace N..M:`, `delete N..M`, or `insert before|after|head|tail:` ops.',
    ],
    [
      `${H}replace 1:\n@@ -1 +1 @@`,
      'line 3: unified-diff hunk header (`@@ -N,M +N,M @@`) is not valid in hashline. Use `replace N..M:`, `delete N..M`, or `insert before|after|head|tail:` ops.',
    ],
    [
      `${H}@@ replace 1 @@`,
      'line 2: `@@`-bracketed hunk header "@@ replace 1 @@" is not valid in hashline. Drop the `@@ ... @@` brackets and write a verb header such as `replace N..M:`.',
    ],
    [`${H}delete 1..2:`, 'line 2: `delete N..M` has no colon and no body. Remove the colon and body rows.'],
    [`${H}7`, 'line 2: hunk headers need a verb. Use `replace 7..7:` to replace, or `delete 7` to delete.'],
    [
      `${H}3..5:\n+x`,
      'line 2: bare range hunk header "3..5" is not valid. Hunk headers need a verb: write `replace 3..5:` or `delete 3..5`.',
    ],
    [
      `[a#1A2B]\ndelete 1\n${['b', 'c', 'd', 'e'].map((name) => `[${name}#1A2B]\ndelete 1\n`).join('')}`,
      'Patch has more than 4 sections. Split it into several calls.',
    ],
  ]
  it.each(refused)('EDIT-37 EDIT-38 EDIT-39 EDIT-40 EDIT-41 refuses %j', (input, message) => {
    expect(refusal(input)).toBe(message)
  })

  it('EDIT-11 MV and REM stand alone', () => {
    expect(parsePatch('[a#1A2B]\nMV "new name.ts"', magi)[0]?.move).toEqual({ to: 'new name.ts', line: 2 })
    expect(refusal('[a#1A2B]\nREM\nDEL 1', magi)).toBe(
      'line 3: `REM` takes no body and no other operation in its section.',
    )
    expect(refusal('[a#1A2B]\nDEL 1\nREM', magi)).toContain('`REM` takes no body')
    expect(refusal('[a#1A2B]\nREM\n+x', magi)).toContain('`REM` takes no body')
    expect(refusal('[a#1A2B]\nMV b\nMV c', magi)).toContain('only one')
    expect(refusal('[a#1A2B]\nSWAP 1.=1:', magi)).toContain('needs at least one')
  })

  it('EDIT-01 a vocabulary that is not offered is not understood', () => {
    expect(hunks('SWAP 1.=2:\n+x\ndelete 4', both)).toEqual([
      ['replace', 1, 2, 'x'],
      ['delete', 4, 4],
    ])
    expect(refusal(`${H}SWAP 1.=2:\n+x`)).toContain('payload line has no preceding hunk header')
    expect(refusal(`${H}delete 4`, magi)).toContain('payload line has no preceding hunk header')
  })

  it('EDIT-18 envelopes do not cut off what is joined behind them', () => {
    const joined = ['*** Begin Patch\n[a#1A2B]\ndelete 1\n*** End Patch\nx', '[a#1A2B]\ndelete 3']
      .map(withoutEnvelope)
      .join('\n')
    expect(shape(joined)).toEqual([
      {
        path: 'a',
        tag: '1A2B',
        hunks: [
          ['delete', 1, 1],
          ['delete', 3, 3],
        ],
      },
    ])
  })

  it('EDIT-59 any beginning of a patch can be looked at', () => {
    const whole = `${H}replace 2..3:\n+one\n+two\ninsert after block 9:\n+x\n[b#1A2B]\n7\n`
    for (let length = 0; length <= whole.length; length += 1) {
      expect(() => parsePartialPatch(whole.slice(0, length), both)).not.toThrow()
    }
    expect(parsePartialPatch(whole, both)[0]?.hunks).toHaveLength(2)
  })
})
