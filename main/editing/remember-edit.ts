import { carrySeen } from './preview-rows'
import type { SnapshotStore } from './snapshots'
import { logSplices, type Splice } from './splice'
import type { TextFile } from './text-file'

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
