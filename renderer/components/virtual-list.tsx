import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'

/** Rows drawn beyond each edge of what is seen. */
const OVERSCAN = 8

export type ListVirtualizer = Virtualizer<HTMLDivElement, HTMLDivElement>

interface VirtualListOptions {
  readonly count: number
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly estimateSize: (index: number) => number
  readonly keyOf: (index: number) => string | number
  readonly onChange?: ((virtualizer: ListVirtualizer) => void) | undefined
}

/** The rows in view of a list of any length. Heights are measured once a row is drawn and remembered by its key. */
export function useVirtualList({
  count,
  scroller,
  estimateSize,
  keyOf,
  onChange,
}: VirtualListOptions): ListVirtualizer {
  return useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count,
    getScrollElement: () => scroller.current,
    estimateSize,
    getItemKey: keyOf,
    overscan: OVERSCAN,
    ...(onChange === undefined ? {} : { onChange }),
  })
}

interface VirtualRowsProps {
  readonly virtualizer: ListVirtualizer
  readonly renderRow: (index: number) => ReactNode
  readonly className?: string | undefined
}

/**
 * Draws the rows in view one below the other inside a block as high as the whole list, so that rows never overlap while
 * heights are still being measured. Offsets go through the CSS object model: our markup carries no inline styles.
 */
export function VirtualRows({ virtualizer, renderRow, className }: VirtualRowsProps) {
  const sizer = useRef<HTMLDivElement>(null)
  const block = useRef<HTMLDivElement>(null)
  const rows = virtualizer.getVirtualItems()
  const total = virtualizer.getTotalSize()
  const start = rows[0]?.start ?? 0

  useLayoutEffect(() => {
    sizer.current?.style.setProperty('height', `${total}px`)
    block.current?.style.setProperty('transform', `translateY(${start}px)`)
  }, [total, start])

  return (
    <div ref={sizer} className={className}>
      <div ref={block} className="vblock">
        {rows.map((row) => (
          <div key={row.key} ref={virtualizer.measureElement} data-index={row.index} className="vrow">
            {renderRow(row.index)}
          </div>
        ))}
      </div>
    </div>
  )
}
