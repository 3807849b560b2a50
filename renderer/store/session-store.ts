import { create } from 'zustand'
import type { Failure } from '../../preload/contract/errors'
import type { CallId, SessionId } from '../../preload/contract/ids'
import { reduce } from '../../preload/contract/reduce'
import type { SessionUpdate } from '../../preload/contract/session'
import {
  type CallItem,
  emptySessionState,
  type Item,
  itemAt,
  PAGE_SIZE,
  type SessionState,
} from '../../preload/contract/session-state'
import { BridgeError, bridge, type Cancel } from '../bridge'
import { FrameBatcher, windowFrames } from '../lib/frame-batcher'

/** Pages the window keeps of a long session; those farthest from what is read are let go and asked for again. */
export const MAX_LOADED_PAGES = 32

interface SessionStore {
  /** The session on screen; null while a new one is being written. */
  readonly id: SessionId | null
  readonly phase: 'none' | 'loading' | 'ready' | 'failed'
  readonly failure: Failure | null
  readonly state: SessionState
  readonly indexing: boolean
}

/** The session on screen, folded from its events by the contract's reducer. */
export const useSession = create<SessionStore>(() => emptySession(null))

function emptySession(id: SessionId | null): SessionStore {
  return { id, phase: id === null ? 'none' : 'loading', failure: null, state: emptySessionState, indexing: false }
}

let cancelUpdates: Cancel | null = null
let batcher: FrameBatcher<SessionUpdate> | null = null
const pagesUnderway = new Set<number>()

/** Folds the updates of a frame. Pure, so that the cost of one frame can be measured and tested. */
export function foldUpdates(
  before: Pick<SessionStore, 'state' | 'indexing'>,
  updates: readonly SessionUpdate[],
): Pick<SessionStore, 'state' | 'indexing'> {
  let { state, indexing } = before
  for (const update of updates) {
    if (update.type === 'snapshot') {
      state = update.snapshot.state
      indexing = update.snapshot.indexing
    } else {
      for (const event of update.events) state = reduce(state, event)
    }
  }
  return { state, indexing }
}

/** Shows a session, or with null the place where a new one is written. */
export function showSession(id: SessionId | null): void {
  if (id !== null && useSession.getState().id === id) return
  cancelUpdates?.()
  batcher?.dispose()
  cancelUpdates = null
  batcher = null
  pagesUnderway.clear()
  useSession.setState(emptySession(id))
  if (id === null) return
  const frame = new FrameBatcher<SessionUpdate>(windowFrames, (updates) => {
    if (useSession.getState().id !== id) return
    useSession.setState((before) => ({ ...foldUpdates(before, updates), phase: 'ready' }))
  })
  batcher = frame
  cancelUpdates = bridge.session.updates(
    { session: id },
    (update) => frame.push(update),
    (failure) => {
      frame.flush()
      if (failure !== null && useSession.getState().id === id) useSession.setState({ phase: 'failed', failure })
    },
  )
}

/** Asks for a page that is not there. `reading` is the page in view: what is far from it may be let go. */
export async function loadPage(page: number, reading: number): Promise<void> {
  const { id, state } = useSession.getState()
  if (id === null || state.pages[page] !== undefined || pagesUnderway.has(page)) return
  pagesUnderway.add(page)
  try {
    const items = await bridge.session.page({ session: id, page })
    if (useSession.getState().id !== id) return
    useSession.setState((before) => ({ state: withPage(before.state, page, items, reading) }))
  } catch (error) {
    if (useSession.getState().id === id && error instanceof BridgeError && error.code === 'session_not_found') {
      useSession.setState({ phase: 'failed', failure: { code: error.code, message: error.message } })
    }
  } finally {
    pagesUnderway.delete(page)
  }
}

/** Puts a page in and lets the farthest ones go. The last two pages and those with open calls stay: events change them. */
export function withPage(state: SessionState, page: number, items: readonly Item[], reading: number): SessionState {
  if (state.pages[page] !== undefined || page * PAGE_SIZE >= state.length) return state
  const pages = state.pages.slice()
  pages[page] = items
  const needed = new Set(Object.values(state.open).map((index) => Math.floor(index / PAGE_SIZE)))
  const lastPage = Math.floor((state.length - 1) / PAGE_SIZE)
  const loaded = pages.flatMap((held, index) =>
    held === undefined || index >= lastPage - 1 || needed.has(index) || index === page ? [] : [index],
  )
  loaded.sort((left, right) => Math.abs(right - reading) - Math.abs(left - reading))
  const surplus = pages.filter((held) => held !== undefined).length - MAX_LOADED_PAGES
  for (const index of loaded.slice(0, Math.max(0, surplus))) pages[index] = undefined
  return { ...state, pages }
}

/** The item of a call that is not settled, or undefined. */
export function openCall(state: SessionState, call: CallId): CallItem | undefined {
  const index = state.open[call]
  const item = index === undefined ? undefined : itemAt(state, index)
  return item?.kind === 'call' ? item : undefined
}
