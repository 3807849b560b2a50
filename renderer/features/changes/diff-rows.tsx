import { memo } from 'react'
import { Icon } from '../../components/icon'
import { classNames } from '../../lib/class-names'
import { plural } from '../../lib/format'
import './diff-rows.css'
import type { DiffLine, DiffRow } from './line-diff'

const signs = { context: ' ', added: '+', removed: '−' } as const
const spoken = { context: '', added: 'added', removed: 'removed' } as const
const lineClasses = { context: 'ctx', added: 'add', removed: 'del' } as const

/** One line of a unified difference, with its number, its sign and the words that changed. */
export const UnifiedLine = memo(function UnifiedLine({ line }: { readonly line: DiffLine }) {
  return (
    <div className={classNames('dl', lineClasses[line.kind])}>
      <span className="ln">{line.after ?? line.before}</span>
      <span className="sg">
        <span aria-hidden="true">{signs[line.kind]}</span>
        {spoken[line.kind] !== '' && <span className="sr">{spoken[line.kind]}</span>}
      </span>
      <span className="tx">
        {line.segments.map((segment, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: segments have no identity but their place
          segment.changed ? <mark key={index}>{segment.text}</mark> : <span key={index}>{segment.text}</span>,
        )}
      </span>
    </div>
  )
})

/** One row of a difference: a line, or the place of lines that did not change. */
export function UnifiedRow({ row }: { readonly row: DiffRow }) {
  if (row.kind !== 'fold') return <UnifiedLine line={row} />
  return (
    <div className="fold">
      <Icon name="more" small />
      {plural(row.count, 'unchanged line')}
    </div>
  )
}
