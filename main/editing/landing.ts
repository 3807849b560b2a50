import { type ConcreteHunk, gapOf } from './concrete-hunk'
import { bodyIndentation, indentationOf, isBlank, isDeeper, isPureCloser } from './line-shapes'

/** A hunk with its landing settled, and what to say about a shift (EDIT-54, EDIT-55, EDIT-68). */
export interface Landing {
  readonly hunk: ConcreteHunk
  readonly warning?: string
}

/** Where the rows of an insert after a line belong, judged by indentation. Content is never crossed. */
export function settleLanding(hunk: ConcreteHunk, lines: readonly string[], others: readonly ConcreteHunk[]): Landing {
  if (hunk.kind !== 'after' || hunk.settled === true) return { hunk }
  const body = bodyIndentation(hunk.rows)
  if (body === undefined) return { hunk }
  return hunk.block === undefined
    ? moveOutward(hunk, body, lines, others)
    : moveInward(hunk, hunk.block, body, lines, others)
}

function moveOutward(
  hunk: ConcreteHunk,
  body: string,
  lines: readonly string[],
  others: readonly ConcreteHunk[],
): Landing {
  const anchor = lines[hunk.end - 1] ?? ''
  if (isBlank(anchor) || isPureCloser(anchor) || !isDeeper(indentationOf(anchor), body)) return { hunk }
  let crossed = 0
  let landing = hunk.end
  for (let number = hunk.end + 1; number <= lines.length; number += 1) {
    const line = lines[number - 1] ?? ''
    if (isBlank(line)) continue
    const own = indentationOf(line)
    if (!isPureCloser(line) || !own.startsWith(body)) break
    crossed += 1
    landing = number
    if (own === body) break
  }
  if (crossed === 0 || touches(others, hunk, hunk.end + 1, landing)) return { hunk }
  const phrase = crossed === 1 ? '1 closing line' : `${crossed} closing lines`
  return {
    hunk: { ...hunk, start: landing, end: landing },
    warning: `insert after ${hunk.end}: body indented shallower than the anchor, so the landing moved past ${phrase} to after line ${landing}. For the deeper position inside the block, re-issue with the body indented to match.`,
  }
}

function moveInward(
  hunk: ConcreteHunk,
  block: { start: number; end: number },
  body: string,
  lines: readonly string[],
  others: readonly ConcreteHunk[],
): Landing {
  let landing = block.end
  while (landing > block.start) {
    const line = lines[landing - 1] ?? ''
    if (!isPureCloser(line) || !isDeeper(body, indentationOf(line))) break
    landing -= 1
  }
  if (landing === block.end || touches(others, hunk, landing + 1, block.end)) return { hunk }
  return {
    hunk: { ...hunk, start: landing, end: landing },
    warning: `insert after block ${hunk.source.start}: body indented deeper than closing line ${block.end}, so it was placed inside the block, after line ${landing}. \`insert after block\` lands AFTER the block at sibling depth — if inside was intended, use plain \`insert after ${block.end}:\`.`,
  }
}

/** Another hunk consumes or names one of the lines. */
function touches(others: readonly ConcreteHunk[], self: ConcreteHunk, first: number, last: number): boolean {
  return others.some((other) => {
    if (other === self || other.kind === 'head' || other.kind === 'tail') return false
    const gap = gapOf(other)
    if (gap === undefined) return other.start <= last && other.end >= first
    return other.start >= first && other.start <= last
  })
}
