import { memo } from 'react'
import type { CallItem } from '../../../preload/contract/session-state'
import { Icon } from '../../components/icon'
import { LineCounts } from '../../components/line-counts'
import { classNames } from '../../lib/class-names'
import { formatStopwatch } from '../../lib/format'
import { useSecond } from '../../lib/use-second'
import { setUnfolded, useUi } from '../../store/ui-store'
import { ApprovalCard } from '../approvals'
import { callClass, callIcon, callSummary, callTime, unfoldsByItself } from './call-words'
import { Evidence } from './evidence'

/** A wait gets its length after this many milliseconds. */
const SHOW_LENGTH_AFTER_MS = 2000

function RunningFor({ since }: { readonly since: number }) {
  const ms = useSecond() - since
  return <span className="t-accent">{ms < SHOW_LENGTH_AFTER_MS ? 'running' : `running ${formatStopwatch(ms)}`}</span>
}

function Summary({ item }: { readonly item: CallItem }) {
  const { text, tone } = callSummary(item)
  const added = item.files?.reduce((sum, file) => sum + file.added, 0) ?? 0
  const removed = item.files?.reduce((sum, file) => sum + file.removed, 0) ?? 0
  const time = callTime(item)
  const running = item.state === 'running' || item.state === 'requested'
  return (
    <span className="sum">
      <LineCounts added={added} removed={removed} />
      {text !== '' && <span className={tone}>{text}</span>}
      {running && <RunningFor since={item.at} />}
      {time !== '' && <span>{time}</span>}
    </span>
  )
}

/** One call: a row of 28 px that unfolds into its evidence; a call that asks carries its card below the row. */
export const CallRow = memo(function CallRow({ item }: { readonly item: CallItem }) {
  const chosen = useUi((state) => state.unfolded[item.call])
  const asking = item.state === 'asking'
  const unfolded = chosen ?? unfoldsByItself(item)
  const running = item.state === 'running' || item.state === 'requested'
  return (
    <div
      className={classNames('call', callClass(item), item.parentCall !== undefined && 'in')}
      data-testid="tool-call"
      data-call={item.call}
      data-tool={item.tool}
      data-state={item.state}
    >
      <button
        type="button"
        className="h inset"
        aria-expanded={unfolded}
        onClick={() => setUnfolded(item.call, !unfolded)}
      >
        <span className="n">
          <Icon name={callIcon(item)} spin={running} />
        </span>
        <span className="verb">{item.title}</span>
        <span className="tgt cut" title={item.subject}>
          {item.subject}
        </span>
        <Summary item={item} />
        <Icon name={unfolded ? 'down' : 'right'} small className="chev" />
      </button>
      {asking && <ApprovalCard item={item} />}
      {unfolded && <Evidence item={item} />}
      {item.note !== undefined && item.note !== '' && <div className="note">You told the model: {item.note}</div>}
    </div>
  )
})
