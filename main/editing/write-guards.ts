import { PlumblineError } from '../platform/errors'
import { digestOf, type SnapshotStore } from './snapshots'
import { decodeTextFile, splitLines } from './text-file'

/** Lines at the top of a file in which a generator leaves its mark. */
const MARKER_LINES = 12

const MARKERS: readonly RegExp[] = [
  /@generated\b/,
  /\bcode generated\b.*\bdo not edit\b/i,
  /\b(?:do not|don't) (?:edit|modify)\b/i,
  /\bthis file (?:is|was|has been) (?:automatically |auto-?)?generated\b/i,
  /\bauto(?:matically)?[- ]?generated (?:file|by|from|code)\b/i,
]

/** Longest line quoted in a refusal, in characters. */
const MAX_QUOTED = 200

/** The marker line of a generated file, if it has one near the top (WRITE-17). */
export function generatedMarker(bytes: Uint8Array): string | undefined {
  const top = Buffer.from(bytes.subarray(0, 4096)).toString('utf8').split('\n').slice(0, MARKER_LINES)
  return top.find((line) => MARKERS.some((marker) => marker.test(line)))?.trim()
}

/**
 * Refuses to overwrite what this session has not seen as it is now (WRITE-07 to WRITE-09). Throws `conflict` with
 * `FILE_MUTATION_CONFLICT:no_prior_observation` or `:changed_since_observation`.
 */
export function guardObserved(
  store: SnapshotStore,
  file: { readonly real: string; readonly display: string; readonly bytes: Uint8Array },
  requester: string,
): void {
  const observed = store.observed(file.real)
  if (observed === undefined) {
    throw conflict(
      'no_prior_observation',
      `${file.display} exists, and this session (${requester}) has not read, written, or edited it. Nothing was written. Read the file before overwriting it.`,
    )
  }
  if (observed.digest === digestOf(file.bytes)) return
  throw conflict(
    'changed_since_observation',
    `${file.display} changed since this session (${requester}) last saw it. Nothing was written.${divergence(observed.text, file)} Read the file again before retrying.`,
  )
}

function divergence(expected: string | null, file: { readonly display: string; readonly bytes: Uint8Array }): string {
  if (expected === null) return ''
  let current: readonly string[]
  try {
    current = decodeTextFile(file.bytes, file.display).lines
  } catch {
    return ' The current content is not text.'
  }
  const before = splitLines(expected)
  const length = Math.max(before.length, current.length)
  for (let index = 0; index < length; index += 1) {
    if (before[index] === current[index]) continue
    return `\nFirst diverging line: ${index + 1}\nexpected: ${quoted(before[index])}\ncurrent: ${quoted(current[index])}\n`
  }
  return ' Its lines are the same; line endings, the byte-order mark or the final newline differ.'
}

function quoted(line: string | undefined): string {
  if (line === undefined) return '(no such line)'
  return line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line
}

function conflict(kind: string, message: string): PlumblineError {
  return new PlumblineError('conflict', `FILE_MUTATION_CONFLICT:${kind}: ${message}`, { context: { conflict: kind } })
}
