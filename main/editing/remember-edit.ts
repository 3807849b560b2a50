import { compareLines } from './line-counts'
import { carrySeen } from './preview-rows'
import type { SnapshotStore } from './snapshots'
import { logSplices, type Splice } from './splice'
import { splitLines, type TextFile } from './text-file'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Brings a session's memory to what an edit left on disk: the new text and its tag, what is known of its lines, the step
 * in the edit log, and the observation that lets a later `write` replace the file (WRITE-07). Called under the lock.
 */
export function rememberEdit(
  store: SnapshotStore,
  real: string,
  change: { live: TextFile; after: TextFile; splices: readonly Splice[]; bytes: Uint8Array },
): void {
  const { live, after, splices, bytes } = change
  const known = store.record(real, live.text, [])
  const snapshot = store.record(real, after.text, [])
  if (known !== snapshot) {
    if (!known.seen.empty) carrySeen(known.seen, snapshot.seen, splices, after.lines.length)
    store.logEdit(real, known.digest, snapshot.digest, logSplices(splices, live.lines))
  }
  store.observe(real, bytes, after.text)
}

/**
 * As `rememberEdit` for a file that was replaced as a whole: the steps between the texts are found by comparing lines.
 * `seen` says whether the session knows every line, as after its own write. Binary content is only observed.
 */
export function rememberWhole(store: SnapshotStore, real: string, bytes: Uint8Array, seen: 'all' | 'as before'): void {
  const text = textOf(bytes)
  if (text === undefined) {
    store.observe(real, bytes)
    return
  }
  const known = store.newest(real)
  const snapshot = store.record(real, text, seen === 'all' ? 'all' : [])
  if (known !== undefined && known.digest !== snapshot.digest) {
    const before = splitLines(known.text)
    store.logEdit(
      real,
      known.digest,
      snapshot.digest,
      logSplices(compareLines(before, splitLines(snapshot.text)), before),
    )
  }
  store.observe(real, bytes, text)
}

function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}
