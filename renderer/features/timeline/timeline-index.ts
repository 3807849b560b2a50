import { type Item, PAGE_SIZE, type TurnEndItem } from '../../../preload/contract/session-state'
import { toolIcon } from '../transcript/call-words'

export const timelineFilters = ['all', 'model', 'files', 'shell', 'web', 'asked', 'failed'] as const
export type TimelineFilter = (typeof timelineFilters)[number]

const iconFilters: Readonly<Partial<Record<ReturnType<typeof toolIcon>, TimelineFilter>>> = {
  read: 'files',
  search: 'files',
  edit: 'files',
  file: 'files',
  undo: 'files',
  trash: 'files',
  image: 'files',
  term: 'shell',
  globe: 'web',
}

const touchFilters = {
  read: 'files',
  write: 'files',
  delete: 'files',
  run: 'shell',
  host: 'web',
  secret: 'files',
} as const

/** Whether a turn ended as it should; then its own row says everything there is to say. */
function endedWell(item: TurnEndItem): boolean {
  return item.stop === 'done' && item.error === undefined
}

/** The filters under which an item is shown. An item under none of them has no row: its turn's row tells it. */
export function filtersOf(item: Item): ReadonlySet<TimelineFilter> {
  const filters = new Set<TimelineFilter>(['all'])
  switch (item.kind) {
    case 'prompt':
      break
    case 'message':
      filters.add('model')
      break
    case 'call': {
      const byTool = iconFilters[toolIcon(item.tool)]
      if (byTool !== undefined) filters.add(byTool)
      for (const touch of item.touches ?? []) filters.add(touchFilters[touch.kind])
      if (item.ask !== undefined) filters.add('asked')
      if (item.state === 'failed' || item.state === 'interrupted') filters.add('failed')
      break
    }
    case 'turn-end':
      if (endedWell(item)) filters.clear()
      else if (item.error !== undefined || item.stop === 'failed') filters.add('failed')
      break
    case 'note':
      if (item.level === 'error' || item.source === 'retry' || item.source === 'interrupted') filters.add('failed')
      break
  }
  return filters
}

/** What the timeline needs to know of a page. Pages are never changed in place, so it is worked out once for each. */
interface PageDigest {
  readonly rows: Readonly<Record<TimelineFilter, readonly number[]>>
  readonly turnEnds: readonly TurnEndItem[]
}

const digests = new WeakMap<readonly Item[], PageDigest>()

function digestOf(page: readonly Item[]): PageDigest {
  const known = digests.get(page)
  if (known !== undefined) return known
  const rows: Record<TimelineFilter, number[]> = {
    all: [],
    model: [],
    files: [],
    shell: [],
    web: [],
    asked: [],
    failed: [],
  }
  const turnEnds: TurnEndItem[] = []
  for (const [index, item] of page.entries()) {
    for (const filter of filtersOf(item)) rows[filter].push(index)
    if (item.kind === 'turn-end') turnEnds.push(item)
  }
  const digest = { rows, turnEnds }
  digests.set(page, digest)
  return digest
}

/** Where a row of the list comes from. `item` is undefined while its page is not loaded. */
export interface TimelineEntry {
  readonly index: number
  readonly item: Item | undefined
}

export interface TimelineIndex {
  /** Rows under the filter. */
  readonly count: number
  /** Items that no filter can know of, because their pages are not loaded. */
  readonly unloaded: number
  readonly counts: Readonly<Record<TimelineFilter, number>>
  readonly turnEnds: ReadonlyMap<number, TurnEndItem>
  readonly entry: (row: number) => TimelineEntry | undefined
}

/**
 * The rows of a session under a filter. Without a filter a page that is not loaded takes the room of its items; with one
 * it has no rows until it is. Costs one step a page, whatever the pages hold.
 */
export function timelineIndex(
  pages: readonly (readonly Item[] | undefined)[],
  length: number,
  filter: TimelineFilter,
): TimelineIndex {
  const starts: number[] = []
  const counts: Record<TimelineFilter, number> = { all: 0, model: 0, files: 0, shell: 0, web: 0, asked: 0, failed: 0 }
  const turnEnds = new Map<number, TurnEndItem>()
  let count = 0
  let unloaded = 0
  for (let page = 0; page * PAGE_SIZE < length; page += 1) {
    starts.push(count)
    const items = pages[page]
    if (items === undefined) {
      const size = Math.min(PAGE_SIZE, length - page * PAGE_SIZE)
      unloaded += size
      if (filter === 'all') count += size
      continue
    }
    const digest = digestOf(items)
    for (const name of timelineFilters) counts[name] += digest.rows[name].length
    for (const end of digest.turnEnds) turnEnds.set(end.turn, end)
    count += digest.rows[filter].length
  }
  const entry = (row: number): TimelineEntry | undefined => {
    if (row < 0 || row >= count) return undefined
    // Of pages that begin at the same row all but the last have none, and the last page with rows ends the list.
    const page = lastAtMost(starts, row)
    const items = pages[page]
    const within = row - (starts[page] ?? 0)
    if (items === undefined) return { index: page * PAGE_SIZE + within, item: undefined }
    const local = digestOf(items).rows[filter][within]
    return local === undefined ? undefined : { index: page * PAGE_SIZE + local, item: items[local] }
  }
  return { count, unloaded, counts, turnEnds, entry }
}

/** The last place in an ascending list whose value is at most `value`. */
function lastAtMost(ascending: readonly number[], value: number): number {
  let low = 0
  let high = ascending.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((ascending[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}
