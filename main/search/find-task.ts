import type { TaskContext } from '../platform/worker-tasks'
import { type WalkEntry, Walker, type WalkOptions, type WalkReport } from '../workspace/walker'
import { FuzzyQuery } from './fuzzy-score'
import { globTest } from './globs'
import { listings } from './listings'

export type FindKind = 'files' | 'directories' | 'mixed'

/** What to look for below a folder. Plain data: it is sent to a worker thread. */
export interface FindArgs {
  readonly walk: WalkOptions
  readonly kind: FindKind
  readonly match:
    | { readonly type: 'fuzzy'; readonly query: string }
    | { readonly type: 'globs'; readonly globs: readonly string[]; readonly nameOnly: boolean }
    | { readonly type: 'all' }
  /** How many of the best are kept; all are counted. */
  readonly keep: number
}

export interface FoundPath {
  /** Below the folder, with `/`; folders end with `/`. */
  readonly relative: string
  readonly score: number
}

export interface FindResult {
  readonly paths: readonly FoundPath[]
  readonly total: number
  readonly report: WalkReport
}

/** The first snapshot comes with this many matches: what a list shows at once. */
const FIRST_SNAPSHOT = 20

/** Time between snapshots after that, in milliseconds, and matches between looks at the clock. */
const SNAPSHOT_MS = 100
const LOOK_EVERY = 64

/** Finds paths in a worker thread. Best first; equal ones, and all of a glob, in the order of the walk. */
export function findTask(args: FindArgs, context: TaskContext<FindResult>): FindResult {
  const walker = new Walker(
    args.walk,
    () => {
      context.step()
      return context.cancelled()
    },
    listings,
  )
  const score = scorer(args)
  let kept: FoundPath[] = []
  let total = 0
  let nextSnapshot = 0
  const result = (): FindResult => ({ paths: best(kept, args), total, report: walker.report })
  for (const entry of walker.walk()) {
    if (args.kind !== 'mixed' && (entry.kind === 'file') !== (args.kind === 'files')) continue
    const value = score(entry)
    if (value === undefined) continue
    total += 1
    if (args.match.type === 'fuzzy' || kept.length < args.keep) {
      kept.push({ relative: entry.kind === 'directory' ? `${entry.relative}/` : entry.relative, score: value })
    }
    if (kept.length >= args.keep * 4 + 1024) kept = best(kept, args)
    if (total !== FIRST_SNAPSHOT && total % LOOK_EVERY !== 0) continue
    const now = performance.now()
    if (total !== FIRST_SNAPSHOT && now < nextSnapshot) continue
    nextSnapshot = now + SNAPSHOT_MS
    context.emit(result())
  }
  return result()
}

function scorer(args: FindArgs): (entry: WalkEntry) => number | undefined {
  switch (args.match.type) {
    case 'all':
      return () => 0
    case 'fuzzy': {
      const query = new FuzzyQuery(args.match.query)
      return (entry) => query.score(entry.relative)
    }
    case 'globs': {
      const { globs, nameOnly } = args.match
      const test = globTest(globs, { nameOnly, ignoresCase: process.platform === 'win32' })
      return (entry) => (test(entry.relative, entry.name) ? 0 : undefined)
    }
  }
}

function best(found: readonly FoundPath[], args: FindArgs): FoundPath[] {
  if (args.match.type !== 'fuzzy') return found.slice(0, args.keep)
  const compare = (a: FoundPath, b: FoundPath) => b.score - a.score || (a.relative < b.relative ? -1 : 1)
  return [...found].sort(compare).slice(0, args.keep)
}
