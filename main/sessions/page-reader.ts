import type { SessionEvent } from '../../preload/contract/events'
import { reduce } from '../../preload/contract/reduce'
import type { Item } from '../../preload/contract/session-state'
import { isSkipped, parseLine, readLineAt, readLines } from './journal-lines'
import { type FoldStart, pageOf, pageStart } from './session-fold'

/**
 * Folds one page from the journal: its own range of lines, then the late ones. `end` is how far the journal is folded.
 * The cost depends on the page alone.
 */
export async function readPage(
  journal: string,
  index: Pick<FoldStart, 'pages' | 'skipped'>,
  page: number,
  end: number,
): Promise<readonly Item[]> {
  const source = index.pages[page]
  if (source === undefined) return []
  let state = pageStart(page, source.turn)
  if (source.announcedAt !== undefined) {
    const message = await eventAt(journal, source.announcedAt)
    if (message !== undefined) state = { ...state, announced: reduce(state, message).announced ?? {} }
  }
  const range = { start: source.offset, end: index.pages[page + 1]?.offset ?? end }
  for await (const lines of readLines(journal, range)) {
    for (const line of lines) {
      if (isSkipped(index.skipped, line.offset)) continue
      const { event } = parseLine(line)
      if (event) state = reduce(state, event)
    }
  }
  for (const offset of source.late) {
    if (offset >= end) continue
    const event = await eventAt(journal, offset)
    if (event !== undefined) state = reduce(state, event)
  }
  return pageOf(state, page)
}

async function eventAt(journal: string, offset: number): Promise<SessionEvent | undefined> {
  const line = await readLineAt(journal, offset)
  return line === null ? undefined : parseLine(line).event
}
