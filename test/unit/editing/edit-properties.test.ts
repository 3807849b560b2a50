import { diffArrays } from 'diff'
import { describe, expect, it } from 'vitest'
import { applyHunks } from '../../../main/editing/apply-section'
import type { ConcreteHunk } from '../../../main/editing/concrete-hunk'
import { expandBlocks } from '../../../main/editing/expand-blocks'
import type { Hunk, Vocabulary } from '../../../main/editing/patch'
import { parsePatch } from '../../../main/editing/patch-parser'
import { SectionPlanner } from '../../../main/editing/plan-section'
import { SnapshotStore } from '../../../main/editing/snapshots'
import { replaceString } from '../../../main/editing/string-edit'
import { decodeTextFile, encodeTextFile, parseTextFile, type TextFile } from '../../../main/editing/text-file'

/** Cases a run; the whole takes about a second. */
const CASES = 400

/** A small generator with a seed, so that a failure can be repeated. */
function random(seed: number) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item
  return { below, pick }
}
type Random = ReturnType<typeof random>

const WORDS = ['', 'alpha', 'beta', '  gamma', '\tdelta', 'é', '}', '{', 'repeat', 'repeat', '-x', '+y', '[z#1234]']

function someLines(r: Random, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    r.below(3) === 0 ? r.pick(WORDS) : `line ${index} ${r.below(1000)}`,
  )
}

function someFile(r: Random): string {
  const lines = someLines(r, r.below(20))
  const body = lines.map((line) => line + r.pick(['\n', '\r\n'])).join('')
  return (r.below(4) === 0 ? '\uFEFF' : '') + (r.below(3) === 0 ? body.replace(/\r?\n$/, '') : body)
}

interface Op {
  kind: 'replace' | 'delete' | 'before' | 'after' | 'head' | 'tail'
  start: number
  end: number
  rows: string[]
}

/** Operations that don't touch each other's lines, in random order. */
function someOps(r: Random, count: number): Op[] {
  const ops: Op[] = []
  for (let line = 1; line <= count; line += 1 + r.below(3)) {
    const kind = r.pick(['replace', 'delete', 'before', 'after', 'skip'] as const)
    if (kind === 'skip') continue
    const end = kind === 'replace' || kind === 'delete' ? Math.min(count, line + r.below(3)) : line
    ops.push({ kind, start: line, end, rows: kind === 'delete' ? [] : someLines(r, 1 + r.below(3)) })
    line = end
  }
  if (r.below(3) === 0) ops.push({ kind: 'head', start: 0, end: 0, rows: someLines(r, 1) })
  if (r.below(3) === 0) ops.push({ kind: 'tail', start: 0, end: 0, rows: someLines(r, 2) })
  return ops.sort(() => r.below(3) - 1)
}

function patchOf(ops: readonly Op[], vocabulary: Vocabulary): string {
  const heads = {
    atomic: {
      replace: (op: Op) => `replace ${op.start}..${op.end}:`,
      delete: (op: Op) => `delete ${op.start}..${op.end}`,
      before: (op: Op) => `insert before ${op.start}:`,
      after: (op: Op) => `insert after ${op.start}:`,
      head: () => 'insert head:',
      tail: () => 'insert tail:',
    },
    magi: {
      replace: (op: Op) => `SWAP ${op.start}.=${op.end}:`,
      delete: (op: Op) => `DEL ${op.start}.=${op.end}`,
      before: (op: Op) => `INS.PRE ${op.start}:`,
      after: (op: Op) => `INS.POST ${op.start}:`,
      head: () => 'INS.HEAD:',
      tail: () => 'INS.TAIL:',
    },
  }[vocabulary]
  return `[f#AAAA]\n${ops.map((op) => [heads[op.kind](op), ...op.rows.map((row) => `+${row}`)].join('\n')).join('\n')}`
}

function hunksOf(patch: string): readonly Hunk[] {
  const rules = {
    vocabularies: ['atomic', 'magi'] as const,
    bareRows: true,
    emptyReplaceDeletes: true,
    maxSections: 9,
    maxInputBytes: 1e6,
  }
  return parsePatch(patch, rules)[0]?.hunks ?? []
}

async function apply(file: TextFile, hunks: readonly ConcreteHunk[]) {
  return applyHunks(
    file,
    hunks.map((hunk) => ({ ...hunk, settled: true })),
    {
      path: 'f.txt',
      repairs: 'off',
      parse: async () => undefined,
    },
  )
}

const concrete = (hunks: readonly Hunk[]) => expandBlocks(hunks, [], undefined).hunks

/** The slow and obvious way. */
function naive(lines: readonly string[], ops: readonly Op[]): string[] {
  const rowsOf = (kind: Op['kind'], line: number) =>
    ops.filter((op) => op.kind === kind && op.start === line).flatMap((op) => op.rows)
  const out = rowsOf('head', 0)
  for (let line = 1; line <= lines.length; line += 1) {
    out.push(...rowsOf('before', line))
    const consumer = ops.find(
      (op) => (op.kind === 'replace' || op.kind === 'delete') && op.start <= line && line <= op.end,
    )
    if (consumer === undefined) out.push(lines[line - 1] ?? '')
    else if (consumer.start === line) out.push(...consumer.rows)
    out.push(...rowsOf('after', line))
  }
  return [...out, ...rowsOf('tail', 0)]
}

describe('edit properties', () => {
  it('decoding and encoding give the same bytes', () => {
    const r = random(1)
    for (let index = 0; index < CASES; index += 1) {
      const bytes = Buffer.from(someFile(r))
      expect(Buffer.from(encodeTextFile(decodeTextFile(bytes, 'f'))).equals(bytes)).toBe(true)
    }
  })

  it('EDIT-10 both vocabularies give equal bytes and the obvious result', async () => {
    const r = random(2)
    for (let index = 0; index < CASES; index += 1) {
      const file = parseTextFile(someFile(r))
      const ops = someOps(r, file.lines.length)
      if (ops.length === 0) continue
      const one = await apply(file, concrete(hunksOf(patchOf(ops, 'atomic'))))
      const two = await apply(file, concrete(hunksOf(patchOf(ops, 'magi'))))
      expect(Buffer.from(encodeTextFile(one.file)).equals(encodeTextFile(two.file))).toBe(true)
      expect(one.file.lines).toEqual(naive(file.lines, ops))
      expect(parseTextFile(Buffer.from(encodeTextFile(one.file)).toString()).lines).toEqual(one.file.lines)
    }
  })

  it('an edit and its inverse give the original text', async () => {
    const r = random(3)
    for (let index = 0; index < CASES; index += 1) {
      const file = parseTextFile(someFile(r).replaceAll('\r', ''))
      const ops = someOps(r, file.lines.length)
      if (ops.length === 0 || file.lines.length === 0) continue
      const { file: after, splices } = await apply(file, concrete(hunksOf(patchOf(ops, 'atomic'))))
      if (after.lines.length === 0) continue
      let shift = 0
      const inverse = splices.map((splice) => {
        const above = splice.above + shift
        shift += splice.rows.length - splice.removed
        const rows = file.lines.slice(splice.above, splice.above + splice.removed)
        if (splice.rows.length > 0)
          return { kind: 'replace' as const, start: above + 1, end: above + splice.rows.length, rows }
        return above === 0
          ? { kind: 'head' as const, start: 0, end: 0, rows }
          : { kind: 'after' as const, start: above, end: above, rows }
      })
      const source = hunksOf('[f#AAAA]\ndelete 1')[0] as Hunk
      const back = await apply(
        after,
        inverse.map((hunk) => ({ ...hunk, source })),
      )
      expect(back.file.text).toBe(file.text)
    }
  })

  it('EDIT-16 EDIT-17 recovery over a foreign change equals a three-way merge, or refuses', async () => {
    const r = random(4)
    let recovered = 0
    for (let index = 0; index < CASES; index += 1) {
      const before = [...someLines(r, 12 + r.below(10))]
      const foreign = someOps(r, before.length).slice(0, 2)
      const now = naive(before, foreign)
      const ops = someOps(r, before.length)
        .filter((op) => op.kind !== 'head' && op.kind !== 'tail')
        .slice(0, 2)
      if (ops.length === 0) continue
      const store = new SnapshotStore({ tagOf: () => 'AAAA' })
      const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')
      store.record('/f.txt', text(before), 'all')
      const planner = new SectionPlanner(store, undefined, { seenGuard: false, repairs: 'off', anchorEcho: false })
      const section = { path: 'f.txt', tag: 'AAAA', line: 1, hunks: hunksOf(patchOf(ops, 'atomic')), warnings: [] }
      const live = { real: '/f.txt', display: 'f.txt', file: parseTextFile(text(now)) }
      const plan = await planner.plan(section, live).catch((failure: unknown) => failure)
      if (plan instanceof Error) {
        expect(plan).toMatchObject({ name: 'PlumblineError' })
        continue
      }
      if (text(now) !== text(before)) recovered += 1
      const merged = (plan as Awaited<ReturnType<typeof planner.plan>>).file.lines
      expect(merged, JSON.stringify({ before, now, ops })).toEqual(mergeByMap(before, now, ops))
    }
    expect(recovered).toBeGreaterThan(20)
  })

  it('S01 S02 string edits equal the plain replacement of the normal text', () => {
    const r = random(5)
    for (let index = 0; index < CASES; index += 1) {
      const file = parseTextFile(someFile(r))
      if (file.text === '') continue
      const start = r.below(file.text.length)
      const oldText = file.text.slice(start, start + 1 + r.below(12))
      const newText = r.pick(['', 'X', 'X\n', '\nX', 'a\nb', '$&$1$$', `${oldText.toUpperCase()}!`])
      if (oldText === newText) continue
      const result = replaceString(file, { oldText, newText, all: true }, 'f')
      expect(result.file.text, JSON.stringify({ text: file.text, oldText, newText })).toBe(
        file.text.split(oldText).join(newText),
      )
    }
  })
})

/** Merges the obvious way: every line of an operation must survive in place in the newer text. */
function mergeByMap(before: readonly string[], now: readonly string[], ops: readonly Op[]): string[] {
  const map = new Map<number, number>()
  let old = 1
  let fresh = 1
  for (const change of diffArrays([...before], [...now])) {
    if (change.added) fresh += change.count
    else if (change.removed) old += change.count
    else for (let index = 0; index < change.count; index += 1) map.set(old++, fresh++)
  }
  const moved = ops.map((op) => ({ ...op, start: map.get(op.start) ?? -1, end: map.get(op.end) ?? -1 }))
  return naive(now, moved)
}
