import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { SessionEvent } from '../../../../preload/contract/events'
import { reduce } from '../../../../preload/contract/reduce'
import { emptySessionState, itemAt, PAGE_SIZE, type SessionState } from '../../../../preload/contract/session-state'
import { createFakeBridge } from '../../../support/fake-bridge'
import { busyBodies, eventAt, foldBodies, longBodies } from '../../../support/fake-sessions'

type Store = typeof import('../../../../renderer/store/session-store')
let store: Store

beforeAll(async () => {
  vi.stubGlobal('window', { plumbline: createFakeBridge('busy') })
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => setTimeout(callback, 1))
  vi.stubGlobal('cancelAnimationFrame', (timer: NodeJS.Timeout) => clearTimeout(timer))
  store = await import('../../../../renderer/store/session-store')
})

const session = 's_00000long'

function withoutOldPages(state: SessionState, kept: number): SessionState {
  return { ...state, pages: state.pages.map((page, index) => (index >= state.pages.length - kept ? page : undefined)) }
}

describe('foldUpdates', () => {
  it('replaces everything by a snapshot and folds what comes after it', () => {
    const state = foldBodies(busyBodies(session), 1000)
    const event: SessionEvent = eventAt(2000, { type: 'session.titled', title: 'Later', by: 'person' })
    const folded = store.foldUpdates({ state: emptySessionState, indexing: false }, [
      { type: 'snapshot', snapshot: { state, indexing: true } },
      { type: 'events', events: [event] },
    ])
    expect(folded).toEqual({ state: reduce(state, event), indexing: true })
  })

  it('keeps the pages of items untouched while text streams in', () => {
    const state = foldBodies(busyBodies(session), 1000)
    const delta = eventAt(2000, { type: 'assistant.delta', text: 'word' })
    const folded = store.foldUpdates({ state, indexing: false }, [{ type: 'events', events: [delta] }])
    expect(folded.state.pages).toBe(state.pages)
    expect(folded.state.live?.text).toBe('word')
  })
})

describe('withPage', () => {
  const whole = foldBodies(longBodies(session, PAGE_SIZE * 60), 1_000_000)

  it('puts a missing page in and never replaces one that is there', () => {
    const state = withoutOldPages(whole, 2)
    const page = whole.pages[3] ?? []
    const filled = store.withPage(state, 3, page, 3)
    expect(itemAt(filled, 3 * PAGE_SIZE)).toBe(page[0])
    expect(store.withPage(filled, 3, [], 3)).toBe(filled)
  })

  it('lets go of the pages farthest from what is read, but not of the newest', () => {
    let state = withoutOldPages(whole, 2)
    for (let page = 0; page < 50; page += 1) state = store.withPage(state, page, whole.pages[page] ?? [], page)
    const loaded = state.pages.flatMap((page, index) => (page === undefined ? [] : [index]))
    expect(loaded).toHaveLength(store.MAX_LOADED_PAGES)
    expect(loaded).toContain(49)
    expect(loaded.slice(-2)).toEqual([whole.pages.length - 2, whole.pages.length - 1])
    expect(loaded).not.toContain(0)
  })

  it('keeps a page whose call is still open', () => {
    const state = { ...withoutOldPages(whole, 2), open: { waiting: 5 } }
    let filled = store.withPage(state, 0, whole.pages[0] ?? [], 0)
    for (let page = 1; page < 50; page += 1) filled = store.withPage(filled, page, whole.pages[page] ?? [], page)
    expect(filled.pages[0]).toBeDefined()
  })

  it('refuses a page beyond the end', () => {
    expect(store.withPage(whole, 100, [], 0)).toBe(whole)
  })
})

describe('showSession', () => {
  it('shows the snapshot of a session, and nothing of it after another was chosen', async () => {
    store.showSession('s_00000busy')
    expect(store.useSession.getState().phase).toBe('loading')
    await vi.waitFor(() => expect(store.useSession.getState().phase).toBe('ready'))
    expect(store.useSession.getState().state.waiting).toEqual(['c7', 'c8'])
    store.showSession(null)
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(store.useSession.getState()).toMatchObject({ id: null, phase: 'none', state: emptySessionState })
  })
})
