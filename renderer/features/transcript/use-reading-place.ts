import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { itemAt, type SessionState } from '../../../preload/contract/session-state'
import type { ListVirtualizer } from '../../components/virtual-list'
import { useSession } from '../../store/session-store'

/** Within this distance of the end, in CSS pixels, a reader counts as being at the end. */
const AT_END_PX = 24

interface Anchor {
  readonly index: number
  readonly start: number
  readonly id: string | undefined
}

interface ReadingPlace {
  /** Something arrived below while the reader was elsewhere. */
  readonly newBelow: boolean
  readonly onScroll: () => void
  /** Goes to the end and stays with it. */
  readonly goToEnd: () => void
  /** Leaves the end, because something else is to be looked at. */
  readonly leaveEnd: () => void
}

function anchorOf(virtualizer: ListVirtualizer, top: number, pages: SessionState['pages']): Anchor | null {
  const row = virtualizer.getVirtualItems().find((candidate) => candidate.end > top)
  return row === undefined ? null : { index: row.index, start: row.start, id: itemAt({ pages }, row.index)?.id }
}

/**
 * Keeps the reader's place. At the end, the end stays in view; anywhere else the first row in view stays where it is,
 * whatever is measured, loaded or added above it.
 */
export function useReadingPlace(
  scroller: RefObject<HTMLDivElement | null>,
  virtualizer: ListVirtualizer,
  pages: SessionState['pages'],
  length: number,
  live: boolean,
): ReadingPlace {
  const follows = useRef(true)
  const lastTop = useRef(0)
  const anchor = useRef<Anchor | null>(null)
  const lastLength = useRef(length)
  const [newBelow, setNewBelow] = useState(false)

  const record = useCallback(() => {
    const element = scroller.current
    if (element !== null) anchor.current = anchorOf(virtualizer, element.scrollTop, pages)
  }, [scroller, virtualizer, pages])

  const onScroll = useCallback(() => {
    const element = scroller.current
    if (element === null) return
    const distance = element.scrollHeight - element.scrollTop - element.clientHeight
    const movedUp = element.scrollTop < lastTop.current - 1
    lastTop.current = element.scrollTop
    if (distance <= AT_END_PX) {
      follows.current = true
      setNewBelow(false)
    } else if (movedUp) follows.current = false
    record()
  }, [scroller, record])

  // Every drawing may have moved rows: measured heights, loaded pages, a growing answer.
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const grown = length - lastLength.current
    lastLength.current = length
    if (follows.current) {
      element.scrollTop = element.scrollHeight
      lastTop.current = element.scrollTop
      return
    }
    if (grown > 0) setNewBelow(true)
    const held = shiftedAnchor(anchor.current, grown, pages)
    const start = held === null ? undefined : virtualizer.measurementsCache[held.index]?.start
    if (held !== null && start !== undefined && start !== held.start) {
      element.scrollTop += start - held.start
      lastTop.current = element.scrollTop
    }
    if (held !== null && start !== undefined) anchor.current = { ...held, start }
  })

  // Heights reach the list a frame after they changed. At the end, what grew is followed before it is painted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the live end comes and goes
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(() => {
      if (!follows.current) return
      element.scrollTop = element.scrollHeight
      lastTop.current = element.scrollTop
    })
    for (const part of element.querySelectorAll('.vblock, .live-turn')) observer.observe(part)
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller, live])

  useEffect(
    () =>
      useSession.subscribe(({ state }, before) => {
        if (!follows.current && state.live !== null && state.live !== before.state.live) setNewBelow(true)
      }),
    [],
  )

  const goToEnd = useCallback(() => {
    const element = scroller.current
    follows.current = true
    setNewBelow(false)
    if (element !== null) element.scrollTop = element.scrollHeight
  }, [scroller])

  const leaveEnd = useCallback(() => {
    follows.current = false
    record()
  }, [record])

  return { newBelow, onScroll, goToEnd, leaveEnd }
}

/** Older items may be put in at the front while a session is still being indexed: the same item then has a new index. */
function shiftedAnchor(anchor: Anchor | null, grown: number, pages: SessionState['pages']): Anchor | null {
  if (anchor === null || anchor.id === undefined || grown <= 0) return anchor
  const stays = itemAt({ pages }, anchor.index)?.id === anchor.id
  const moved = itemAt({ pages }, anchor.index + grown)?.id === anchor.id
  return !stays && moved ? { ...anchor, index: anchor.index + grown } : anchor
}
