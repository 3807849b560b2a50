import { type EventBody, type SessionEvent, transientEventTypes } from '../../preload/contract/events'
import { reduce } from '../../preload/contract/reduce'
import { emptySessionState, type Item, PAGE_SIZE, type SessionState } from '../../preload/contract/session-state'
import type { ByteRange } from './journal-lines'

/** Newest pages that stay in memory; older ones are folded again from the journal when somebody asks. */
export const RESIDENT_PAGES = 3

/** Where a page comes from in the journal: the events from `offset` to the next page's, and the late ones. */
export interface PageSource {
  /** The line that made the page's first item. */
  readonly offset: number
  /** The turn that ran before that line. */
  readonly turn: number
  /** The message whose calls were announced and not requested before that line. */
  readonly announcedAt?: number | undefined
  /** Lines after the page's own range that change its items: ends of calls that took long. */
  readonly late: number[]
}

/** A change of the list of pages, in the order in which they were made; the sidecar stores these. */
export type PageRecord =
  | { readonly page: number; readonly offset: number; readonly turn: number; readonly announcedAt?: number | undefined }
  | { readonly late: number; readonly offset: number }

/** What a fold can be continued from. */
export interface FoldStart {
  readonly state: SessionState
  readonly pages: readonly PageSource[]
  readonly skipped: readonly ByteRange[]
  readonly announcedAt: number | null
}

const nothing: FoldStart = { state: emptySessionState, pages: [], skipped: [], announcedAt: null }

/**
 * Folds a journal, line by line or live, and notes where each page comes from. Holds the newest pages and those with
 * open calls; so memory and the cost of an event do not grow with the session.
 */
export class SessionFold {
  #state: SessionState
  readonly #pages: PageSource[]
  readonly #skipped: readonly ByteRange[]
  #announcedAt: number | null
  #records: PageRecord[] = []

  constructor(start: FoldStart = nothing) {
    this.#state = start.state
    this.#pages = start.pages.map((page) => ({ ...page, late: [...page.late] }))
    this.#skipped = start.skipped
    this.#announcedAt = start.announcedAt
  }

  get state(): SessionState {
    return this.#state
  }

  get pages(): readonly PageSource[] {
    return this.#pages
  }

  /** Ranges of the journal that are not on the current branch. */
  get skipped(): readonly ByteRange[] {
    return this.#skipped
  }

  /** The message whose calls are announced and not requested yet. */
  get announcedAt(): number | null {
    return hasAnnounced(this.#state) ? this.#announcedAt : null
  }

  /** Folds a journaled event that stands at `offset`. */
  fold(event: SessionEvent, offset: number): void {
    const before = this.#state
    const touched = touchedPage(before, event)
    const next = reduce(before, event)
    if (touched !== undefined && touched < this.#pages.length - 1) {
      this.#pages[touched]?.late.push(offset)
      this.#records.push({ late: touched, offset })
    }
    const starts = next.length > before.length && before.length % PAGE_SIZE === 0
    if (starts) this.#start({ offset, turn: before.turn, announcedAt: this.announcedAt ?? undefined })
    if (event.type === 'assistant.message') this.#announcedAt = offset
    const settles = touched !== undefined && ends(event) && touched < this.#pages.length - RESIDENT_PAGES
    this.#state = starts || settles ? withoutSettledPages(next) : next
  }

  /** Folds an event that is in no journal: a transient one. */
  foldUnwritten(event: SessionEvent): void {
    this.#state = reduce(this.#state, event)
  }

  /** The records since the last time. */
  takeRecords(): PageRecord[] {
    const records = this.#records
    this.#records = []
    return records
  }

  #start(source: Omit<PageSource, 'late'>): void {
    this.#records.push({ page: this.#pages.length, ...source })
    this.#pages.push({ ...source, late: [] })
  }
}

function hasAnnounced(state: SessionState): boolean {
  for (const _call in state.announced) return true
  return false
}

function ends(event: SessionEvent): boolean {
  return event.type === 'call.finished' || event.type === 'failed'
}

/** The page of the open call that the event is about. */
function touchedPage(state: SessionState, event: SessionEvent): number | undefined {
  if (event.type === 'call.requested' || !('call' in event) || typeof event.call !== 'string') return undefined
  if (!Object.hasOwn(state.open, event.call)) return undefined
  const at = state.open[event.call]
  return at === undefined ? undefined : Math.floor(at / PAGE_SIZE)
}

/** The state with the newest pages and those that have an open call; the others are undefined. */
export function withoutSettledPages(state: SessionState, resident = RESIDENT_PAGES): SessionState {
  const first = state.pages.length - resident
  if (first <= 0) return state
  const open = new Set(Object.values(state.open).map((at) => Math.floor(at / PAGE_SIZE)))
  const pages = state.pages.map((page, index) => (index >= first || open.has(index) ? page : undefined))
  return { ...state, pages }
}

/** Where a fold of one page starts: the right turn and length, and nothing else. */
export function pageStart(page: number, turn: number): SessionState {
  return { ...emptySessionState, turn, length: page * PAGE_SIZE, pages: new Array<undefined>(page).fill(undefined) }
}

/** Items of the page, complete as far as it was folded. */
export function pageOf(state: SessionState, page: number): readonly Item[] {
  return state.pages[page] ?? []
}

/** The event's arguments are left out where the message that asked for the call has the very same. */
export function withoutRepeatedArguments(state: SessionState, body: EventBody): EventBody {
  if (body.type !== 'call.requested' || state.announced === undefined) return body
  if (!Object.hasOwn(state.announced, body.call)) return body
  const said = state.announced[body.call]
  if (said === undefined || said.args !== body.args || said.blob?.id !== body.blob?.id) return body
  const { blob: _blob, ...rest } = body
  return { ...rest, args: '' }
}

export function isTransient(body: Pick<SessionEvent, 'type'>): boolean {
  return transientEventTypes.has(body.type)
}
