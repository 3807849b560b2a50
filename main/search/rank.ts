import type { FileMatches, GrepRow } from './grep-types'
import { labelWeight } from './line-labels'

/** Puts files with definitions first, then those with more matches in their lines, then by path. */
export function rankFiles(files: readonly FileMatches[]): FileMatches[] {
  const scored = files.map((file) => ({ file, score: scoreOf(file) }))
  scored.sort((a, b) => b.score - a.score || b.file.hits - a.file.hits || (a.file.path < b.file.path ? -1 : 1))
  return scored.map(({ file }) => file)
}

function scoreOf(file: FileMatches): number {
  let best = 0
  for (const row of file.rows) if (row.label !== undefined) best = Math.max(best, labelWeight[row.label])
  return best
}

/** What one page shows of one file. */
export interface PageFile {
  readonly file: FileMatches
  readonly rows: readonly GrepRow[]
  /** Matching lines on this page. */
  readonly hits: number
}

/**
 * A page of matching lines over files in order (SEARCH-07). Context rows come with the nearest match on the page and don't
 * count.
 */
export function pageOf(
  files: readonly FileMatches[],
  offset: number,
  limit: number,
  before: number,
  after: number,
): PageFile[] {
  const page: PageFile[] = []
  let skip = offset
  let left = limit
  for (const file of files) {
    if (left <= 0) break
    if (skip >= file.kept) {
      skip -= file.kept
      continue
    }
    const hits = file.rows.filter((row) => row.hit).slice(skip, skip + left)
    skip = 0
    left -= hits.length
    page.push({ file, rows: rowsAround(file.rows, hits, before, after), hits: hits.length })
  }
  return page
}

function rowsAround(rows: readonly GrepRow[], hits: readonly GrepRow[], before: number, after: number): GrepRow[] {
  const shown = new Set(hits.map((hit) => hit.line))
  const near = (line: number) => hits.some((hit) => line >= hit.line - before && line <= hit.line + after)
  return rows.filter((row) => shown.has(row.line) || near(row.line))
}
