import { type GrepReport, isExhaustive } from '../search/grep-types'
import type { GrepOutcome } from '../search/search-engine'

/** What a search says about itself, in the field names of the magi contract (SEARCH-13). */
export function grepMetadata(report: GrepReport) {
  return {
    exhaustive: isExhaustive(report),
    files_scanned: report.filesScanned,
    bytes_scanned: report.bytesScanned,
    file_limit_reached: report.fileLimitReached,
    byte_limit_reached: report.byteLimitReached,
    files_too_large: report.tooLargeFiles,
    files_binary: report.binaryFiles,
    files_invalid_utf8: report.invalidUtf8Files,
    files_unreadable: report.unreadableFiles,
    timed_out: report.timedOut || report.walk.timedOut,
    matching_stopped: report.matchingStopped,
    entries_scanned: report.walk.entriesScanned,
    entry_limit_reached: report.walk.entryLimitReached,
    walk_errors: report.walk.walkErrors,
    walk_entries_omitted: report.walk.entriesOmitted,
  }
}

/** Matching lines of all files, shown or not. */
export function totalHits(outcome: GrepOutcome): number {
  return outcome.files.reduce((sum, file) => sum + file.hits, 0)
}

/** Why a search is not complete, in words; empty when it is. */
export function incompleteReasons(report: GrepReport): string[] {
  const reasons: string[] = []
  if (report.matchingStopped) reasons.push('matching was stopped because the pattern takes too long')
  else if (report.timedOut || report.walk.timedOut) reasons.push('time limit')
  if (report.fileLimitReached) reasons.push('file limit')
  if (report.byteLimitReached) reasons.push('byte limit')
  if (report.walk.entryLimitReached) reasons.push('entry limit')
  if (report.tooLargeFiles > 0) reasons.push(`${report.tooLargeFiles} files too large`)
  if (report.unreadableFiles > 0) reasons.push(`${report.unreadableFiles} files unreadable`)
  if (report.walk.walkErrors > 0) reasons.push(`${report.walk.walkErrors} folders unreadable`)
  return reasons
}

/** Files that are printed at the same time: printing reads them again, and most of that is waiting. */
const AT_A_TIME = 16

/** Does something with each part, several at a time, and gives the results in order. */
export async function* inOrder<Part, Result>(
  parts: readonly Part[],
  work: (part: Part) => Promise<Result>,
): AsyncGenerator<[Part, Result]> {
  for (let at = 0; at < parts.length; at += AT_A_TIME) {
    const some = parts.slice(at, at + AT_A_TIME)
    const results = await Promise.all(some.map(work))
    for (const [index, part] of some.entries()) {
      const result = results[index]
      if (result !== undefined) yield [part, result]
    }
  }
}

/** Collects whole records up to a number of UTF-8 bytes (SEARCH-10). */
export class RecordBudget {
  readonly records: string[] = []
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  /** False, and nothing added, when the record does not fit. */
  add(record: string): boolean {
    const size = Buffer.byteLength(record) + 1
    if (size > this.#left) return false
    this.#left -= size
    this.records.push(record)
    return true
  }
}
