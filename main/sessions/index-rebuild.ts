import type { SessionEvent } from '../../preload/contract/events'
import { emptySessionState } from '../../preload/contract/session-state'
import { type ByteRange, isSkipped, type JournalIssue, parseLine, readLines } from './journal-lines'
import { SessionFold } from './session-fold'
import type { SessionPaths } from './session-paths'
import { SidecarWriter } from './sidecar'

/** A whole fold of a journal. */
export interface WholeFold {
  readonly fold: SessionFold
  /** Bytes that are folded. */
  readonly offset: number
  readonly issues: readonly JournalIssue[]
}

/** Problems that are told one by one; the rest is a number. */
export const MAX_ISSUES = 100

/**
 * Follows a journal's tree as it is read. A line that continues the one before it is on the branch; after a line that
 * can't be read the chain can't be told and is taken as going on.
 */
export class ChainFollower {
  #head: string | null
  #broken = false

  constructor(head: string | null) {
    this.#head = head
  }

  /** False when the event continues an older line than the last one: the journal has a branch there. */
  accepts(event: Pick<SessionEvent, 'id' | 'parent'>): boolean {
    const continues = this.#head === null || event.parent === this.#head || this.#broken
    if (continues) this.passes(event)
    return continues
  }

  /** A line that is no usable event; `id` when at least its place in the tree can be told. */
  passes(link: { id: string } | undefined): void {
    this.#broken = link === undefined
    if (link !== undefined) this.#head = link.id
  }
}

/** Folds the journal's first `end` bytes. Where it has branches, the one that its last line is on. */
export async function foldJournal(journal: string, end: number): Promise<WholeFold> {
  const linear = await foldLinear(journal, end)
  if (linear !== null) return linear
  return foldRange(journal, end, await offBranch(journal, end))
}

async function foldLinear(journal: string, end: number): Promise<WholeFold | null> {
  const fold = new SessionFold()
  const chain = new ChainFollower(null)
  const issues: JournalIssue[] = []
  for await (const lines of readLines(journal, { end })) {
    for (const line of lines) {
      const parsed = parseLine(line)
      if (parsed.event) {
        if (!chain.accepts(parsed.event)) return null
        fold.fold(parsed.event, line.offset)
      } else {
        chain.passes(parsed.link)
        if (issues.length < MAX_ISSUES) issues.push(parsed.issue)
      }
    }
  }
  return { fold, offset: end, issues }
}

async function foldRange(journal: string, end: number, skipped: readonly ByteRange[]): Promise<WholeFold> {
  const fold = new SessionFold({ state: emptySessionState, pages: [], skipped, announcedAt: null })
  const issues: JournalIssue[] = []
  for await (const lines of readLines(journal, { end })) {
    for (const line of lines) {
      if (isSkipped(skipped, line.offset)) continue
      const parsed = parseLine(line)
      if (parsed.event) fold.fold(parsed.event, line.offset)
      else if (issues.length < MAX_ISSUES) issues.push(parsed.issue)
    }
  }
  return { fold, offset: end, issues }
}

interface Node {
  readonly range: ByteRange
  readonly parent: Node | null
}

/** The ranges of lines that the last line does not descend from. */
async function offBranch(journal: string, end: number): Promise<ByteRange[]> {
  const nodes = new Map<string, Node>()
  const ranges: ByteRange[] = []
  let last: Node | null = null
  for await (const lines of readLines(journal, { end })) {
    for (const line of lines) {
      const range = { start: line.offset, end: line.offset + line.length }
      ranges.push(range)
      const parsed = parseLine(line)
      const link = parsed.event ?? parsed.link
      if (link === undefined) continue
      // A parent that can't be found stood in a line that can't be read: the line before takes its place.
      const parent: Node | null = (link.parent === null ? undefined : nodes.get(link.parent)) ?? last
      last = { range, parent }
      nodes.set(link.id, last)
    }
  }
  const onBranch = new Set<number>()
  for (let node = last; node !== null; node = node.parent) onBranch.add(node.range.start)
  return joined(ranges.filter((range) => !onBranch.has(range.start)))
}

function joined(ranges: readonly ByteRange[]): ByteRange[] {
  const result: ByteRange[] = []
  for (const range of ranges) {
    const last = result.at(-1)
    if (last?.end === range.start) result[result.length - 1] = { start: last.start, end: range.end }
    else result.push(range)
  }
  return result
}

/** What a rebuild answers with; it crosses a thread. */
export interface RebuildResult {
  readonly issues: readonly JournalIssue[]
}

/** Makes the sidecar anew from the journal's first `end` bytes. */
export async function rebuildSidecar(paths: SessionPaths, end: number): Promise<RebuildResult> {
  const { fold, offset, issues } = await foldJournal(paths.journal, end)
  const { state, pages, skipped, announcedAt } = fold
  const moment = { state, pageCount: pages.length, skipped, announcedAt, offset }
  const sidecar = new SidecarWriter(paths, 0)
  sidecar.add(fold.takeRecords())
  await sidecar.write(moment)
  return { issues }
}
