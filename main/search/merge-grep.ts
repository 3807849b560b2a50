import { emptyReport, type FileMatches, type GrepReport } from './grep-types'

/** The files in the order of the search, up to the one in which the wanted number of matching lines is reached. */
export function firstHits(files: readonly FileMatches[], wanted: number): FileMatches[] {
  const sorted = [...files].sort((a, b) => a.index - b.index)
  let hits = 0
  const end = sorted.findIndex((file) => {
    hits += file.kept
    return hits >= wanted
  })
  return end === -1 ? sorted : sorted.slice(0, end + 1)
}

/**
 * One report of the threads that shared a search: what they read adds up, of their walks, which are the same, the longest
 * counts.
 */
export function mergeReports(reports: readonly GrepReport[]): GrepReport {
  const total = emptyReport()
  const { walk } = total
  for (const report of reports) {
    total.filesScanned += report.filesScanned
    total.bytesScanned += report.bytesScanned
    total.binaryFiles += report.binaryFiles
    total.invalidUtf8Files += report.invalidUtf8Files
    total.tooLargeFiles += report.tooLargeFiles
    total.unreadableFiles += report.unreadableFiles
    total.fileLimitReached ||= report.fileLimitReached
    total.byteLimitReached ||= report.byteLimitReached
    total.timedOut ||= report.timedOut
    total.cancelled ||= report.cancelled
    total.stoppedEarly ||= report.stoppedEarly
    total.matchingStopped ||= report.matchingStopped
    walk.entriesScanned = Math.max(walk.entriesScanned, report.walk.entriesScanned)
    walk.walkErrors = Math.max(walk.walkErrors, report.walk.walkErrors)
    walk.entriesOmitted = Math.max(walk.entriesOmitted, report.walk.entriesOmitted)
    walk.entryLimitReached ||= report.walk.entryLimitReached
    walk.timedOut ||= report.walk.timedOut
    walk.cancelled ||= report.walk.cancelled
  }
  return total
}
