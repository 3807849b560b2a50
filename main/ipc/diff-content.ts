import type { DiffContent } from '../../preload/contract/changes'
import type { ChangedFile } from '../../preload/contract/effects'
import type { BlobRef } from '../../preload/contract/ids'
import type { LiveSession } from '../agent/types'
import { decodeText } from './blob-text'

/** Bytes of a side that is shown and counted; above that a diff view is of no help and costs whole frames. */
export const MAX_DIFF_BYTES = 1024 * 1024

/** Both sides of a change as the session keeps them. */
export async function blobDiff(session: LiveSession, file: ChangedFile): Promise<DiffContent> {
  const sizes = [file.before?.bytes ?? 0, file.after?.bytes ?? 0]
  if (Math.max(...sizes) > MAX_DIFF_BYTES) return withoutText(file, tooLarge(Math.max(...sizes)))
  const read = async (ref: BlobRef | null) => (ref === null ? null : session.blob(ref.id))
  const [before, after] = await Promise.all([read(file.before), read(file.after)])
  return textDiff(file, before, after)
}

/** Both sides as text, or the reason why there is none to compare. */
export function textDiff(file: ChangedFile, before: Uint8Array | null, after: Uint8Array | null): DiffContent {
  const left = before === null ? null : decodeText(before)
  const right = after === null ? null : decodeText(after)
  const binary = (before !== null && left === null) || (after !== null && right === null)
  if (binary) return withoutText(file, 'Binary file. Its bytes are kept, there is no text to compare.')
  return { file, before: left, after: right, notice: null }
}

/** A change without its lines, and why. */
export function withoutText(file: ChangedFile, notice: string): DiffContent {
  return { file, before: null, after: null, notice }
}

/** Why a file of that many bytes is not shown. */
export function tooLarge(bytes: number): string {
  return `Too large to show here (${(bytes / 1024 / 1024).toFixed(1)} MB, the limit is 1 MB).`
}
