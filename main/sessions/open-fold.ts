import type { SessionEvent } from '../../preload/contract/events'
import { reduce } from '../../preload/contract/reduce'
import { emptySessionState, type Item, PAGE_SIZE, type SessionState } from '../../preload/contract/session-state'
import { PlumblineError } from '../platform/errors'
import { ChainFollower, foldJournal, MAX_ISSUES } from './index-rebuild'
import { type JournalIssue, parseLine, readLineAt, readLines } from './journal-lines'
import { readPage } from './page-reader'
import { SessionFold } from './session-fold'
import type { SessionPaths } from './session-paths'
import { readSidecar, type StoredFold } from './sidecar'
import { readSettings } from './summary'

/** Bytes of a journal that are folded at once when it is opened; more is left to the background. */
export const INLINE_FOLD_BYTES = 4 * 1024 * 1024
/** Bytes at the end of a journal that make the last screen while the rest is folded in the background. */
const LAST_SCREEN_BYTES = 1024 * 1024
/** The newest page is not alone on the first screen while it has fewer items than this. */
const FIRST_SCREEN_ITEMS = 128

/** A fold to go on from, and what of the sidecar it came from. */
export interface OpenedFold {
  readonly fold: SessionFold
  /** Bytes of the stored list of pages that belong to it; 0 when there is no sidecar. */
  readonly pagesBytes: number
  /** Bytes of the journal that the sidecar had. */
  readonly storedOffset: number
  readonly issues: readonly JournalIssue[]
  /** Only the end of the journal is folded. */
  readonly provisional: boolean
}

/** The fold of the first `size` bytes: by the sidecar, else at once when the journal is short, else its end only. */
export async function openFold(paths: SessionPaths, size: number): Promise<OpenedFold> {
  const stored = await openStored(paths, size)
  if (stored !== null) return stored
  if (size > INLINE_FOLD_BYTES) return openLastScreen(paths, size)
  const { fold, issues } = await foldJournal(paths.journal, size)
  if (fold.state.session === null) throw noFirstLine(paths)
  return { fold, pagesBytes: 0, storedOffset: 0, issues, provisional: false }
}

/** By the sidecar and the journal's lines after it; null where there is none that fits. */
export async function openStored(paths: SessionPaths, size: number): Promise<OpenedFold | null> {
  const stored = await readSidecar(paths)
  if (stored === null || stored.offset > size || size - stored.offset > INLINE_FOLD_BYTES) return null
  const fold = new SessionFold({ ...stored, state: await withNewestPages(paths, stored) })
  const chain = new ChainFollower(fold.state.lastEvent)
  const issues: JournalIssue[] = []
  for await (const lines of readLines(paths.journal, { start: stored.offset, end: size })) {
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
  return { fold, pagesBytes: stored.pagesBytes, storedOffset: stored.offset, issues, provisional: false }
}

/** Loads what the first screen shows, and the pages whose calls are open. */
async function withNewestPages(paths: SessionPaths, stored: StoredFold): Promise<SessionState> {
  const { state } = stored
  const last = state.pages.length - 1
  const wanted = new Set(Object.values(state.open).map((at) => Math.floor(at / PAGE_SIZE)))
  wanted.add(last)
  if (state.length - last * PAGE_SIZE < FIRST_SCREEN_ITEMS) wanted.add(last - 1)
  const pages: (readonly Item[] | undefined)[] = state.pages.slice()
  for (const page of wanted) {
    if (page >= 0 && page < pages.length) pages[page] = await readPage(paths.journal, stored, page, stored.offset)
  }
  return { ...state, pages }
}

/**
 * The end of the journal as a state of its own: its items count from 0, and totals lack what came before. Settings are
 * those that were stored beside the journal; without them the mode is the one that asks.
 */
async function openLastScreen(paths: SessionPaths, size: number): Promise<OpenedFold> {
  const first = await readLineAt(paths.journal, 0)
  const opened = first === null ? undefined : parseLine(first).event
  if (opened?.type !== 'session.opened') throw noFirstLine(paths)
  const settings = await readSettings(paths)
  const { events, issues } = await lastEvents(paths.journal, size)
  const start = reduce(emptySessionState, opened)
  const mode = start.mode === 'plan' ? 'plan' : 'ask'
  const fold = new SessionFold({ state: { ...start, mode, ...settings }, pages: [], skipped: [], announcedAt: null })
  for (const { event, offset } of events) fold.fold(event, offset)
  return { fold, pagesBytes: 0, storedOffset: 0, issues, provisional: true }
}

async function lastEvents(
  journal: string,
  size: number,
): Promise<{ events: { event: SessionEvent; offset: number }[]; issues: JournalIssue[] }> {
  for (let bytes = LAST_SCREEN_BYTES; ; bytes *= 4) {
    const start = Math.max(0, size - bytes)
    const events: { event: SessionEvent; offset: number }[] = []
    const issues: JournalIssue[] = []
    let first: number | undefined
    let count = 0
    for await (const lines of readLines(journal, { start, end: size })) {
      for (const line of lines) {
        first ??= line.offset
        // The first of them is the end of a line that began earlier, or the line of the session's opening.
        if (line.offset === first) continue
        count += 1
        const parsed = parseLine(line)
        if (parsed.event) events.push({ event: parsed.event, offset: line.offset })
        else if (issues.length < MAX_ISSUES) issues.push(parsed.issue)
      }
    }
    if (count > 0 || start === 0) return { events, issues }
  }
}

function noFirstLine(paths: SessionPaths): PlumblineError {
  return new PlumblineError(
    'journal_corrupt',
    "The first line of this session's journal can't be read, so it can't be opened. The file was left as it is.",
    { context: { journal: paths.journal } },
  )
}
