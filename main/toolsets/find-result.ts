import type { FindOutcome } from '../search/search-engine'
import { displayPrefix } from '../search/search-targets'
import type { ResolvedPath } from '../workspace/path-authority'

/** Whether a scan saw everything. */
export function scanComplete(found: FindOutcome): boolean {
  const { report } = found
  return !found.timedOut && !report.entryLimitReached && !report.cancelled && report.walkErrors === 0
}

/** One page of found paths as results show them, and what is known of the rest (FIND-07, FIND-08). */
export function findPage(found: FindOutcome, folder: ResolvedPath, page: { offset: number; limit: number }) {
  const prefix = displayPrefix(folder)
  const complete = scanComplete(found)
  const paths = found.paths.slice(page.offset, page.offset + page.limit).map((entry) => prefix + entry.relative)
  const hasMore = found.total > page.offset + paths.length
  return {
    paths,
    metadata: {
      returned: paths.length,
      offset: page.offset,
      limit: page.limit,
      total_matched: found.total,
      total_matched_exact: complete,
      has_more: complete ? hasMore : null,
      ...(complete && hasMore ? { next_offset: page.offset + paths.length } : {}),
      truncated: !complete || hasMore,
      index_ready: complete,
      scan_complete: complete,
    },
  }
}

/** What a walk says about itself, in the field names of the contract. */
export function walkMetadata(found: FindOutcome) {
  const { report } = found
  return {
    entries_scanned: report.entriesScanned,
    entry_limit_reached: report.entryLimitReached,
    timed_out: found.timedOut,
    walk_errors: report.walkErrors,
    walk_entries_omitted: report.entriesOmitted,
  }
}
