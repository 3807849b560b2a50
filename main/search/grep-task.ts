import path from 'node:path'
import type { TaskContext } from '../platform/worker-tasks'
import { FileLoader } from '../workspace/file-loader'
import { Walker } from '../workspace/walker'
import { globTest } from './globs'
import { grepBytes } from './grep-file'
import { emptyReport, type FileMatches, type GrepArgs, type GrepReport, type GrepTarget } from './grep-types'
import { LineMatcher } from './line-matcher'

/** Files whose lines are handed over; beyond that only their number of matches is. */
const MAX_FILES_WITH_ROWS = 5000

interface Candidate {
  readonly absolute: string
  readonly display: string
  readonly ranges?: Extract<GrepTarget, { kind: 'file' }>['ranges']
}

/** Searches contents in a worker thread: walks, reads and matches, handing over each file as it is done. */
export function grepTask(args: GrepArgs, context: TaskContext<FileMatches>): GrepReport {
  const report = emptyReport()
  const matcher = new LineMatcher(args.patterns)
  const loader = new FileLoader()
  let found = 0
  let hits = 0
  const interrupted = () => {
    context.step()
    if (context.cancelled()) report.cancelled = true
    else if (Date.now() >= args.deadlineAt) report.timedOut = true
    return report.cancelled || report.timedOut
  }
  for (const candidate of candidates(args, report, interrupted)) {
    if (interrupted()) break
    if (report.filesScanned >= args.limits.files) {
      report.fileLimitReached = true
      break
    }
    const bytes = loader.load(candidate.absolute, args.limits.fileBytes)
    if (bytes === undefined || bytes === 'too_large') {
      if (bytes === undefined) report.unreadableFiles += 1
      else report.tooLargeFiles += 1
      continue
    }
    if (report.bytesScanned + bytes.length > args.limits.totalBytes) {
      report.byteLimitReached = true
      break
    }
    report.filesScanned += 1
    report.bytesScanned += bytes.length
    const matches = grepBytes(bytes, candidate, matcher, args, report, interrupted)
    if (matches === undefined) continue
    found += 1
    hits += matches.kept
    context.emit(found <= MAX_FILES_WITH_ROWS ? matches : { ...matches, rows: [], kept: 0 })
    if (hits >= args.limits.hits) {
      report.stoppedEarly = true
      break
    }
  }
  return report
}

function* candidates(args: GrepArgs, report: GrepReport, interrupted: () => boolean): Generator<Candidate> {
  const seen = new Set<string>()
  for (const target of args.targets) {
    if (target.kind === 'file') {
      if (!seen.has(target.absolute)) yield target
      seen.add(target.absolute)
      continue
    }
    const test =
      target.globs === undefined
        ? undefined
        : globTest(target.globs.patterns, { nameOnly: target.globs.byName, ignoresCase: process.platform === 'win32' })
    const walker = new Walker(target.walk, interrupted)
    for (const entry of walker.walk()) {
      // What a link names is found where it really lies.
      if (entry.kind !== 'file' || entry.link) continue
      if (test !== undefined && !test(entry.relative, entry.name)) continue
      const absolute = path.join(target.walk.root, entry.relative)
      if (args.targets.length > 1) {
        if (seen.has(absolute)) continue
        seen.add(absolute)
      }
      yield { absolute, display: target.prefix + entry.relative }
    }
    addReport(report.walk, walker.report)
  }
}

function addReport(total: GrepReport['walk'], part: GrepReport['walk']): void {
  total.entriesScanned += part.entriesScanned
  total.walkErrors += part.walkErrors
  total.entriesOmitted += part.entriesOmitted
  total.entryLimitReached ||= part.entryLimitReached
  total.timedOut ||= part.timedOut
  total.cancelled ||= part.cancelled
}
