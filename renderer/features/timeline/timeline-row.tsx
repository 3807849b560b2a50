import { memo } from 'react'
import type { Item, TurnEndItem } from '../../../preload/contract/session-state'
import { Icon } from '../../components/icon'
import { classNames } from '../../lib/class-names'
import { formatCost, formatDuration, formatStopwatch } from '../../lib/format'
import { useSecond } from '../../lib/use-second'
import { type RowWords, rowWords } from './timeline-words'

const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
})

function RunningFor({ since }: { readonly since: number }) {
  return formatStopwatch(useSecond() - since)
}

function Words({ at, words }: { readonly at: number; readonly words: RowWords }) {
  const runs = words.icon === 'arc'
  return (
    <>
      <span className="at">{clock.format(at)}</span>
      <Icon name={words.icon} spin={runs} label={runs ? 'running' : undefined} />
      <span className="what">
        <span>{words.verb}</span>
        <span className={classNames('cut', words.mono && 'mono')} title={words.subject}>
          {words.subject}
        </span>
      </span>
      <span className="num">
        {words.since !== undefined ? (
          <RunningFor since={words.since} />
        ) : (
          words.ms !== undefined && formatDuration(words.ms)
        )}
      </span>
      <span className="num cost">{words.cost !== undefined && words.cost > 0 && formatCost(words.cost)}</span>
    </>
  )
}

interface TimelineRowProps {
  readonly id: string
  readonly item: Item
  readonly end: TurnEndItem | undefined
  readonly running: boolean
  readonly chosen: boolean
  readonly position: number
  readonly setSize: number
  readonly onChoose: (row: number) => void
}

/** One event: when, what, how long, what it cost. Drawn again only when its item changed. */
export const TimelineRow = memo(
  function TimelineRow({ id, item, end, running, chosen, position, setSize, onChoose }: TimelineRowProps) {
    const words = rowWords(item, end, running)
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the keys belong to the list
      <div
        id={id}
        className={classNames('tl', words.state, chosen && 'on')}
        data-testid="timeline-row"
        data-kind={item.kind}
        role="option"
        tabIndex={-1}
        aria-selected={chosen}
        aria-setsize={setSize}
        aria-posinset={position}
        onClick={() => onChoose(position - 1)}
      >
        <Words at={item.at} words={words} />
      </div>
    )
  },
  // The size of the set grows with every item; a row that is read out takes it up when it is next drawn.
  (before, after) =>
    before.item === after.item &&
    before.end === after.end &&
    before.running === after.running &&
    before.chosen === after.chosen &&
    before.position === after.position,
)

/** What the model is writing now, before it is an event. */
export function LiveModelRow({ since, model }: { readonly since: number; readonly model: string }) {
  const words: RowWords = { icon: 'arc', state: 'run', verb: 'Model', subject: `${model}, writing`, mono: false, since }
  return (
    <div className="tl run" data-testid="timeline-row" data-kind="live">
      <Words at={since} words={words} />
    </div>
  )
}
