import { useCallback, useEffect, useRef } from 'react'
import { type Item, itemAt, PAGE_SIZE } from '../../../preload/contract/session-state'
import { Button } from '../../components/button'
import { type ListVirtualizer, useVirtualList, VirtualRows } from '../../components/virtual-list'
import { loadPage, useSession } from '../../store/session-store'
import { useUi } from '../../store/ui-store'
import { Announcer } from './announcer'
import { LiveRow } from './live-row'
import { MissingRow, TranscriptRow } from './rows'
import { useReadingPlace } from './use-reading-place'

/** A page is asked for when it stays in view this long, in milliseconds: dragging the scroll bar passes many. */
const LOAD_AFTER_MS = 40

/** First guesses of a row's height in CSS pixels, until it is drawn and measured. */
const ROW_HEIGHT = 28
const MISSING_HEIGHT = 44
const LINE_HEIGHT = 22
const CHARACTERS_A_LINE = 88

function textLines(text: string): number {
  return Math.max(1, Math.ceil(text.length / CHARACTERS_A_LINE), text.split('\n').length)
}

function estimateHeight(item: Item | undefined): number {
  switch (item?.kind) {
    case undefined:
      return MISSING_HEIGHT
    case 'prompt':
      return (
        40 +
        item.content.reduce((sum, part) => sum + (part.type === 'text' ? textLines(part.text) * LINE_HEIGHT : 48), 0)
      )
    case 'message':
      return item.content.reduce(
        (sum, part) => sum + (part.type === 'text' && part.text !== '' ? 12 + textLines(part.text) * LINE_HEIGHT : 0),
        0,
      )
    default:
      return ROW_HEIGHT
  }
}

/** The conversation: every item on one line, of which only those in view are drawn. */
export function Transcript() {
  const scroller = useRef<HTMLDivElement>(null)
  const pages = useSession(({ state }) => state.pages)
  const length = useSession(({ state }) => state.length)
  const live = useSession(({ state }) => state.running !== null)
  const indexing = useSession((state) => state.indexing)

  const keyOf = useCallback((index: number) => itemAt({ pages }, index)?.id ?? `#${index}`, [pages])
  const estimateSize = useCallback((index: number) => estimateHeight(itemAt({ pages }, index)), [pages])
  const virtualizer = useVirtualList({ count: length, scroller, estimateSize, keyOf })
  const place = useReadingPlace(scroller, virtualizer, pages, length, live)

  useMissingPages(virtualizer, pages, length)
  useReveal(virtualizer, place.leaveEnd)
  useRevealItem(virtualizer, place.leaveEnd)
  useVisibleRequests(virtualizer)

  const renderRow = (index: number) => {
    const item = itemAt({ pages }, index)
    return item === undefined ? <MissingRow /> : <TranscriptRow item={item} position={index + 1} setSize={length} />
  }
  return (
    <div className="transcript-frame">
      <div
        ref={scroller}
        className="transcript scroll inset"
        data-testid="transcript"
        role="log"
        aria-live="off"
        aria-label="Transcript"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keyboard
        tabIndex={0}
        onScroll={place.onScroll}
      >
        {indexing && <div className="turn indexing dim xs">Earlier messages are being read in</div>}
        <VirtualRows virtualizer={virtualizer} renderRow={renderRow} />
        {/* Not a row of the list: it grows all the time, and the list would be measured and drawn again each time. */}
        {live && <LiveRow />}
      </div>
      {place.newBelow && (
        <Button small className="newbelow" icon="down" onClick={place.goToEnd}>
          New below
        </Button>
      )}
      <Announcer />
    </div>
  )
}

function useMissingPages(virtualizer: ListVirtualizer, pages: readonly unknown[], length: number): void {
  const rows = virtualizer.getVirtualItems()
  const first = Math.floor((rows[0]?.index ?? 0) / PAGE_SIZE)
  const last = Math.floor(Math.min(rows.at(-1)?.index ?? 0, length - 1) / PAGE_SIZE)
  useEffect(() => {
    if (length === 0) return
    const missing: number[] = []
    for (let page = first; page <= last; page += 1) if (pages[page] === undefined) missing.push(page)
    if (missing.length === 0) return
    const timer = setTimeout(() => {
      for (const page of missing) void loadPage(page, first)
    }, LOAD_AFTER_MS)
    return () => clearTimeout(timer)
  }, [first, last, pages, length])
}

function useReveal(virtualizer: ListVirtualizer, leaveEnd: () => void): void {
  const target = useUi((state) => state.revealCall)
  useEffect(() => {
    if (target === null) return
    const index = useSession.getState().state.open[target.call]
    if (index === undefined) return
    leaveEnd()
    virtualizer.scrollToIndex(index, { align: 'center' })
    focusCard(target.call)
    useUi.setState({ revealCall: null })
  }, [target, virtualizer, leaveEnd])
}

/** An item that was looked for stays marked this long, in milliseconds. */
const MARKED_MS = 1200

function useRevealItem(virtualizer: ListVirtualizer, leaveEnd: () => void): void {
  const target = useUi((state) => state.revealItem)
  useEffect(() => {
    if (target === null) return
    leaveEnd()
    virtualizer.scrollToIndex(target.index, { align: 'center' })
    markItem(target.index, target.focus)
    useUi.setState({ revealItem: null })
  }, [target, virtualizer, leaveEnd])
}

/** Not `scrollIntoView`: it would also move the frame of the window. */
function toMiddle(row: HTMLElement): void {
  const scroller = row.closest('.transcript')
  if (scroller === null) return
  const at = row.getBoundingClientRect()
  const frame = scroller.getBoundingClientRect()
  scroller.scrollTop += at.top + Math.min(at.height, frame.height) / 2 - (frame.top + frame.height / 2)
}

/** The item may only be drawn when its page has come. */
function markItem(index: number, focus: boolean, tries = 60): void {
  requestAnimationFrame(() => {
    const row = document.querySelector<HTMLElement>(`.transcript [aria-posinset="${index + 1}"]`)
    if (row === null) {
      if (tries > 0) markItem(index, focus, tries - 1)
      return
    }
    toMiddle(row)
    // Rows around it are measured when they are first drawn, and may have moved it.
    requestAnimationFrame(() => requestAnimationFrame(() => toMiddle(row)))
    row.classList.add('revealed')
    setTimeout(() => row.classList.remove('revealed'), MARKED_MS)
    if (focus) row.querySelector<HTMLElement>('button, a, [tabindex]')?.focus({ preventScroll: true })
  })
}

/** The card may only be drawn some frames after its row came into view. */
function focusCard(call: string, tries = 20): void {
  requestAnimationFrame(() => {
    const row = document.querySelector(`[data-call="${CSS.escape(call)}"]`)
    const card =
      row?.querySelector<HTMLElement>('[data-autofocus]') ?? row?.querySelector<HTMLElement>('[data-testid="approval"]')
    if (card) card.focus({ preventScroll: false })
    else if (tries > 0) focusCard(call, tries - 1)
  })
}

/** A card counts as in view when this much of it is, in CSS pixels: its heading and its effect. */
const CARD_IN_VIEW_PX = 120

function inView(virtualizer: ListVirtualizer, index: number): boolean {
  const row = virtualizer.measurementsCache[index]
  const top = virtualizer.scrollOffset ?? 0
  const bottom = top + (virtualizer.scrollRect?.height ?? 0)
  if (row === undefined) return false
  return Math.min(row.end, bottom) - Math.max(row.start, top) >= Math.min(row.size, CARD_IN_VIEW_PX)
}

function useVisibleRequests(virtualizer: ListVirtualizer): void {
  const waiting = useSession(({ state }) => state.waiting)
  useEffect(() => {
    const { open } = useSession.getState().state
    const visible = waiting.filter((call) => {
      const index = open[call]
      return index !== undefined && inView(virtualizer, index)
    })
    const before = useUi.getState().visibleWaiting
    if (before.length === visible.length && before.every((call, at) => call === visible[at])) return
    useUi.setState({ visibleWaiting: visible })
  })
}
