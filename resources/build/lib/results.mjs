import { readFileSync } from 'node:fs'

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * Counts of one report of vitest's JSON reporter. A file that could not even be loaded has no test in it, but has failed.
 * @param {unknown} report
 * @returns {Counts}
 */
export function countReport(report) {
  const {
    numPassedTests = 0,
    numFailedTests = 0,
    numPendingTests = 0,
    numTodoTests = 0,
    success,
    testResults = [],
  } = /** @type {{ numPassedTests?: number, numFailedTests?: number, numPendingTests?: number, numTodoTests?: number, success?: boolean, testResults?: { status?: string, assertionResults?: { status?: string }[] }[] }} */ (
    report ?? {}
  )
  const brokenFiles = testResults.filter(
    (file) => file.status === 'failed' && !(file.assertionResults ?? []).some((test) => test.status === 'failed'),
  ).length
  const failed = numFailedTests + brokenFiles
  return {
    passed: numPassedTests,
    // An error outside of every test makes a run fail that has no failed test.
    failed: failed === 0 && success === false ? 1 : failed,
    skipped: numPendingTests + numTodoTests,
  }
}

/**
 * @param {string} file
 * @returns {Counts | undefined} nothing when the run left no report
 */
export function readReport(file) {
  try {
    return countReport(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}

/** @param {Counts[]} all */
export function addCounts(all) {
  return all.reduce(
    (sum, counts) => ({
      passed: sum.passed + counts.passed,
      failed: sum.failed + counts.failed,
      skipped: sum.skipped + counts.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  )
}

/** @param {Counts} counts */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
