import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { PAGE_SIZE } from '../../../preload/contract/session-state'
import { EmptyState } from '../../components/banner'
import { Button } from '../../components/button'
import { Icon } from '../../components/icon'
import { type ListVirtualizer, useVirtualList, VirtualRows } from '../../components/virtual-list'
import { formatCost, formatDuration, plural } from '../../lib/format'
import { useSecond } from '../../lib/use-second'
import { modelLabel, useModels } from '../../store/models-store'
import { loadPage, useSession } from '../../store/session-store'
import { revealItem } from '../../store/ui-store'
import { rowForKey } from '../changes/row-keys'
import './timeline.css'
import { type TimelineFilter, type TimelineIndex, timelineFilters, timelineIndex } from './timeline-index'
import { LiveModelRow, TimelineRow } from './timeline-row'

/** Height of a row in CSS pixels, as `.tl` has it. */
const ROW_HEIGHT = 24

/** Within this distance of the end, in CSS pixels, the list stays with the end. */
const AT_END_PX = 24

/** A page is asked for when it stays in view this long, in milliseconds. */
const LOAD_AFTER_MS = 60

const filterLabels: Readonly<Record<TimelineFilter, string>> = {
  all: 'All',
  model: 'Model',
  files: 'Files',
  shell: 'Shell',
  web: 'Web',
  asked: 'Asked',
  failed: 'Failed',
}

const noneWords: Readonly<Record<TimelineFilter, string>> = {
  all: 'No events yet',
  model: 'No answers of a model',
  files: 'No calls on files',
  shell: 'No commands',
  web: 'No calls to the web',
  asked: 'Nothing was asked',
  failed: 'No failed calls',
}

/** Time that the turns took, running one included. */
function TurnTime({ ended, since }: { readonly ended: number; readonly since: number | null }) {
  const now = useSecond()
  return formatDuration(ended + (since === null ? 0 : Math.max(0, now - since)))
}

function Totals({ index }: { readonly index: TimelineIndex }) {
  const cost = useSession(({ state }) => state.cost)
  const since = useSession(({ state }) => state.running?.since ?? null)
  const events = useSession(({ state }) => state.length)
  const ended = [...index.turnEnds.values()].reduce((sum, end) => sum + end.ms, 0)
  return (
    <span className="right xs dim totals">
      {plural(events, 'event')}
      {index.unloaded === 0 && (ended > 0 || since !== null) && (
        <>
          , <TurnTime ended={ended} since={since} />
        </>
      )}
      {cost > 0 && `, ${formatCost(cost)}`}
    </span>
  )
}

interface FiltersProps {
  readonly filter: TimelineFilter
  readonly index: TimelineIndex
  readonly onFilter: (filter: TimelineFilter) => void
}

function Filters({ filter, index, onFilter }: FiltersProps) {
  const count = (name: TimelineFilter) => `${index.counts[name].toLocaleString('en')}${index.unloaded > 0 ? '+' : ''}`
  return (
    <div className="filters">
      <Icon name="filter" className="dim" />
      <fieldset className="row wrap" aria-label="Show">
        {timelineFilters.map((name) => (
          <button
            key={name}
            type="button"
            className="pick inset"
            aria-pressed={name === filter}
            onClick={() => onFilter(name)}
          >
            {filterLabels[name]}
            {name !== 'all' && index.counts[name] > 0 && <span className="dim">{count(name)}</span>}
          </button>
        ))}
      </fieldset>
      <Totals index={index} />
    </div>
  )
}

function NothingShown({ filter, index, onFilter }: FiltersProps) {
  const hidden = index.counts.all + index.unloaded
  if (filter === 'all') {
    return (
      <EmptyState title={noneWords.all}>Every step of the session gets a row here, with its time and cost.</EmptyState>
    )
  }
  return (
    <EmptyState
      title={noneWords[filter]}
      actions={
        <Button small onClick={() => onFilter('all')}>
          Show all
        </Button>
      }
    >
      {plural(hidden, 'event is', 'events are')} hidden by the filter.
    </EmptyState>
  )
}

/** Asks for the pages in view that are not loaded. */
function useMissingPages(virtualizer: ListVirtualizer, index: TimelineIndex, enabled: boolean): void {
  const rows = virtualizer.getVirtualItems()
  const first = index.entry(rows[0]?.index ?? 0)
  const last = index.entry(rows.at(-1)?.index ?? 0)
  const from = enabled && first?.item === undefined ? first?.index : undefined
  const to = enabled && last?.item === undefined ? last?.index : undefined
  useEffect(() => {
    const wanted = new Set([from, to].flatMap((at) => (at === undefined ? [] : [Math.floor(at / PAGE_SIZE)])))
    if (wanted.size === 0) return
    const timer = setTimeout(() => {
      for (const page of wanted) void loadPage(page, page)
    }, LOAD_AFTER_MS)
    return () => clearTimeout(timer)
  }, [from, to])
}

/** Stays with the end while the end is in view. */
function useFollowEnd(scroller: RefObject<HTMLDivElement | null>, total: number, filter: TimelineFilter) {
  const follows = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter starts at its end
  useEffect(() => {
    follows.current = true
  }, [filter])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a longer list has a new end
  useLayoutEffect(() => {
    const element = scroller.current
    if (element !== null && follows.current) element.scrollTop = element.scrollHeight
  }, [scroller, total, filter])
  return useCallback(() => {
    const element = scroller.current
    if (element === null) return
    follows.current = element.scrollHeight - element.scrollTop - element.clientHeight <= AT_END_PX
  }, [scroller])
}

/** The last page before the loaded ones, for a filter that would look further back. */
function lastUnloaded(pages: readonly unknown[], length: number): number | undefined {
  for (let page = Math.ceil(length / PAGE_SIZE) - 1; page >= 0; page -= 1) if (pages[page] === undefined) return page
  return undefined
}

interface RowsProps {
  readonly filter: TimelineFilter
  readonly index: TimelineIndex
}

function Rows({ filter, index }: RowsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const id = useId()
  const [at, setAt] = useState(-1)
  const live = useSession(({ state }) => state.live !== null && (filter === 'all' || filter === 'model'))
  const turn = useSession(({ state }) => state.running?.turn)
  const lastAt = useSession(({ state }) => (state.live === null ? 0 : state.lastAt))
  const providers = useModels((models) => models.providers)
  const model = useSession(({ state }) => state.model)
  const keyOf = useCallback((row: number) => index.entry(row)?.item?.id ?? `#${row}`, [index])
  const virtualizer = useVirtualList({
    count: index.count + (live ? 1 : 0),
    scroller,
    estimateSize: () => ROW_HEIGHT,
    keyOf,
  })
  const onScroll = useFollowEnd(scroller, virtualizer.getTotalSize(), filter)
  useMissingPages(virtualizer, index, filter === 'all')

  const choose = useCallback(
    (row: number, focus = false) => {
      const entry = index.entry(row)
      if (entry === undefined) return
      setAt(row)
      revealItem(entry.index, focus)
    },
    [index],
  )
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Enter') {
      event.preventDefault()
      choose(at, true)
      return
    }
    const row = rowForKey(event.key, at === -1 ? index.count : at, index.count)
    if (row === undefined) return
    event.preventDefault()
    choose(row)
    virtualizer.scrollToIndex(row, { align: 'auto' })
  }
  return (
    <div className="list-ring">
      <div
        ref={scroller}
        className="scroll inset"
        role="listbox"
        aria-label="Events"
        aria-activedescendant={at === -1 ? undefined : `${id}-${at}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onScroll={onScroll}
      >
        <VirtualRows
          virtualizer={virtualizer}
          renderRow={(row) => {
            if (row >= index.count) return <LiveModelRow since={lastAt} model={modelLabel(providers, model)} />
            const item = index.entry(row)?.item
            if (item === undefined) return <div className="tl missing" aria-hidden="true" />
            return (
              <TimelineRow
                id={`${id}-${row}`}
                item={item}
                end={index.turnEnds.get(item.turn)}
                running={item.turn === turn}
                chosen={row === at}
                position={row + 1}
                setSize={index.count}
                onChoose={choose}
              />
            )
          }}
        />
      </div>
    </div>
  )
}

/** The panel's own focus belongs to its list, so that a command can aim at the panel. */
function passFocus(event: FocusEvent<HTMLElement>): void {
  if (event.target !== event.currentTarget) return
  const panel = event.currentTarget
  const inside = panel.querySelector<HTMLElement>('[role="listbox"]') ?? panel.querySelector<HTMLElement>('button')
  inside?.focus()
}

/** Everything that happened in the session, one row an event, with its time and cost. A row leads to its place in the transcript. */
export default function Timeline() {
  const [filter, setFilter] = useState<TimelineFilter>('all')
  const session = useSession((state) => state.id)
  const pages = useSession(({ state }) => state.pages)
  const length = useSession(({ state }) => state.length)
  const index = useMemo(() => timelineIndex(pages, length, filter), [pages, length, filter])
  const missing = filter === 'all' ? undefined : lastUnloaded(pages, length)
  return (
    <section className="timeline" data-testid="timeline" aria-label="Timeline" tabIndex={-1} onFocus={passFocus}>
      <Filters filter={filter} index={index} onFilter={setFilter} />
      {missing !== undefined && (
        <button type="button" className="fold inset" onClick={() => void loadPage(missing, missing)}>
          {plural(index.unloaded, 'earlier event is', 'earlier events are')} not searched yet. Look further back
        </button>
      )}
      {index.count === 0 ? (
        <NothingShown filter={filter} index={index} onFilter={setFilter} />
      ) : (
        <Rows key={`${session} ${filter}`} filter={filter} index={index} />
      )}
    </section>
  )
}
