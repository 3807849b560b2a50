import { diffArrays, diffWordsWithSpace } from 'diff'

/** A piece of a line; `changed` pieces are what differs from the line's counterpart. */
export interface LineSegment {
  readonly text: string
  readonly changed: boolean
}

/** One line of a unified difference. Line numbers count from 1 and are null on the side where the line is not. */
export interface DiffLine {
  readonly kind: 'context' | 'added' | 'removed'
  readonly before: number | null
  readonly after: number | null
  readonly segments: readonly LineSegment[]
}

/** Unchanged lines that are left out. `from` is the number of the first one, on the new side. */
export interface FoldedLines {
  readonly kind: 'fold'
  readonly count: number
  readonly from: number
}

export type DiffRow = DiffLine | FoldedLines

/**
 * Edits after which the search for the shortest difference is given up, and what lies between the common start and end
 * counts as replaced. Its cost grows with the square: 1000 edits take some ten milliseconds.
 */
export const MAX_EDITS = 1000

/** Unchanged lines that are kept around a change. */
export const CONTEXT_LINES = 3

/** Lines on the two sides of one change that are still compared with each other for words. */
const MAX_COMPARED_PAIRS = 400

/** Characters of a line that is still compared for words. */
const MAX_COMPARED_CHARACTERS = 1000

/** Share of words that two lines have in common before they count as versions of each other. */
const SIMILAR = 0.4

/** Splits text as editors number its lines: a last line without an end counts, nothing after the last end does. */
export function splitLines(text: string | null): string[] {
  if (text === null || text === '') return []
  const lines = text.split(/\r\n|\n|\r/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

interface Block {
  readonly kind: 'common' | 'change'
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

function commonEnds(before: readonly string[], after: readonly string[]): { start: number; end: number } {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  return { start, end }
}

function changedBlocks(before: readonly string[], after: readonly string[], maxEdits: number): Block[] {
  const changes = diffArrays([...before], [...after], { maxEditLength: maxEdits })
  if (changes === undefined) return [{ kind: 'change', removed: before, added: after }]
  const blocks: Block[] = []
  for (const change of changes) {
    const last = blocks.at(-1)
    if (!change.added && !change.removed) blocks.push({ kind: 'common', removed: change.value, added: change.value })
    else if (last?.kind === 'change') {
      blocks[blocks.length - 1] = {
        kind: 'change',
        removed: change.removed ? [...last.removed, ...change.value] : last.removed,
        added: change.added ? [...last.added, ...change.value] : last.added,
      }
    } else {
      blocks.push({
        kind: 'change',
        removed: change.removed ? change.value : [],
        added: change.added ? change.value : [],
      })
    }
  }
  return blocks
}

function wordsOf(line: string): string[] {
  return line.match(/\w+|[^\s\w]/g) ?? []
}

function similarity(left: readonly string[], right: readonly string[]): number {
  if (left.length === 0 || right.length === 0) return 0
  const rest = new Map<string, number>()
  for (const word of left) rest.set(word, (rest.get(word) ?? 0) + 1)
  let common = 0
  for (const word of right) {
    const count = rest.get(word) ?? 0
    if (count === 0) continue
    common += 1
    rest.set(word, count - 1)
  }
  return (2 * common) / (left.length + right.length)
}

/** For each removed line the added line that is its new version, in order, or -1. */
function counterparts(removed: readonly string[], added: readonly string[]): number[] {
  if (removed.length * added.length > MAX_COMPARED_PAIRS) {
    return removed.map((_line, index) => (removed.length === added.length ? index : -1))
  }
  const addedWords = added.map(wordsOf)
  let from = 0
  return removed.map((line) => {
    const words = wordsOf(line)
    let best = -1
    let bestScore = SIMILAR
    for (let index = from; index < added.length; index += 1) {
      const score = similarity(words, addedWords[index] ?? [])
      if (score > bestScore) [best, bestScore] = [index, score]
    }
    if (best !== -1) from = best + 1
    return best
  })
}

function whole(text: string): readonly LineSegment[] {
  return [{ text, changed: false }]
}

function joined(segments: readonly LineSegment[]): readonly LineSegment[] {
  const result: LineSegment[] = []
  for (const segment of segments) {
    const last = result.at(-1)
    if (segment.text === '') continue
    if (last !== undefined && last.changed === segment.changed) {
      result[result.length - 1] = { text: last.text + segment.text, changed: last.changed }
    } else result.push(segment)
  }
  return result.length === 0 ? whole('') : result
}

/** The words that two versions of a line don't share, on either side. */
export function markWords(
  before: string,
  after: string,
): { readonly before: readonly LineSegment[]; readonly after: readonly LineSegment[] } {
  if (before.length > MAX_COMPARED_CHARACTERS || after.length > MAX_COMPARED_CHARACTERS) {
    return { before: whole(before), after: whole(after) }
  }
  const changes = diffWordsWithSpace(before, after)
  return {
    before: joined(changes.flatMap(({ value, added, removed }) => (added ? [] : [{ text: value, changed: removed }]))),
    after: joined(changes.flatMap(({ value, added, removed }) => (removed ? [] : [{ text: value, changed: added }]))),
  }
}

function changeLines(block: Block, before: number, after: number): DiffLine[] {
  const pairs = counterparts(block.removed, block.added)
  const removedSegments = block.removed.map(whole)
  const addedSegments = block.added.map(whole)
  for (const [index, pair] of pairs.entries()) {
    const old = block.removed[index]
    const now = block.added[pair]
    if (old === undefined || now === undefined) continue
    const marked = markWords(old, now)
    removedSegments[index] = marked.before
    addedSegments[pair] = marked.after
  }
  return [
    ...removedSegments.map((segments, index) => ({
      kind: 'removed' as const,
      before: before + index,
      after: null,
      segments,
    })),
    ...addedSegments.map((segments, index) => ({
      kind: 'added' as const,
      before: null,
      after: after + index,
      segments,
    })),
  ]
}

/** All lines of two versions of a file as one list. A version that does not exist is null. */
export function diffLines(before: string | null, after: string | null, maxEdits: number = MAX_EDITS): DiffLine[] {
  const old = splitLines(before)
  const now = splitLines(after)
  const { start, end } = commonEnds(old, now)
  const blocks: Block[] = [
    { kind: 'common', removed: old.slice(0, start), added: now.slice(0, start) },
    ...changedBlocks(old.slice(start, old.length - end), now.slice(start, now.length - end), maxEdits),
    { kind: 'common', removed: old.slice(old.length - end), added: now.slice(now.length - end) },
  ]
  const lines: DiffLine[] = []
  let beforeLine = 1
  let afterLine = 1
  for (const block of blocks) {
    if (block.kind === 'change') for (const line of changeLines(block, beforeLine, afterLine)) lines.push(line)
    else {
      for (const [index, text] of block.added.entries()) {
        lines.push({ kind: 'context', before: beforeLine + index, after: afterLine + index, segments: whole(text) })
      }
    }
    beforeLine += block.removed.length
    afterLine += block.added.length
  }
  return lines
}

/** Leaves out unchanged lines farther than `context` from a change. A single line is never left out: its fold is as high. */
export function foldUnchanged(lines: readonly DiffLine[], context: number = CONTEXT_LINES): DiffRow[] {
  const rows: DiffRow[] = []
  let index = 0
  while (index < lines.length) {
    const line = lines[index]
    if (line === undefined) break
    if (line.kind !== 'context') {
      rows.push(line)
      index += 1
      continue
    }
    let end = index
    while (end < lines.length && lines[end]?.kind === 'context') end += 1
    const first = index === 0 ? index : Math.min(end, index + context)
    const last = end === lines.length ? end : Math.max(first, end - context)
    rows.push(...lines.slice(index, first))
    if (last - first > 1) rows.push({ kind: 'fold', count: last - first, from: lines[first]?.after ?? 0 })
    else rows.push(...lines.slice(first, last))
    rows.push(...lines.slice(last, end))
    index = end
  }
  return rows
}
