import { useEffect, useRef, useState } from 'react'
import type { DiffContent } from '../../../preload/contract/changes'
import { useVirtualList, VirtualRows } from '../../components/virtual-list'
import { UnifiedRow } from './diff-rows'
import { diffRowsOf } from './diff-rows-of'
import type { DiffRow } from './line-diff'

/** Height of a line in CSS pixels, as the diff's line height is. */
const LINE_HEIGHT = 18

/** A large difference as a plain list, of which only what is in view is drawn. */
export default function PlainDiff({ content }: { readonly content: DiffContent }) {
  const scroller = useRef<HTMLDivElement>(null)
  const [rows, setRows] = useState<readonly DiffRow[] | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    setRows(null)
    diffRowsOf(content, abort.signal).then(
      (next) => !abort.signal.aborted && setRows(next),
      (error: unknown) => setFailure(error instanceof Error ? error.message : String(error)),
    )
    return () => abort.abort()
  }, [content])
  const virtualizer = useVirtualList({
    count: rows?.length ?? 0,
    scroller,
    estimateSize: () => LINE_HEIGHT,
    keyOf: (index) => index,
  })
  return (
    <section
      className="diff uni plain"
      data-testid="diff"
      aria-label="Difference"
      aria-busy={rows === null && failure === null}
    >
      {failure !== null && <div className="fold">{failure}</div>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keyboard */}
      <div ref={scroller} className="scroll inset" tabIndex={0}>
        {rows !== null && (
          <VirtualRows
            virtualizer={virtualizer}
            className="diff-body"
            renderRow={(index) => {
              const row = rows[index]
              return row === undefined ? null : <UnifiedRow row={row} />
            }}
          />
        )}
      </div>
    </section>
  )
}
