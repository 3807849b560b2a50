import type { BlobRef } from '../../preload/contract/ids'
import type { BlobSink } from '../platform/blob-sink'

const kept = new WeakMap<BlobSink, WeakMap<Uint8Array, Promise<BlobRef>>>()

/**
 * Keeps bytes by content, once an array: what was kept for the preview is not hashed again for the write. The array must
 * not be changed afterwards. To let the disk work beside the processor, a caller may start early and await later.
 */
export function keepBytes(blobs: BlobSink, bytes: Uint8Array): Promise<BlobRef> {
  const own = kept.get(blobs) ?? new WeakMap<Uint8Array, Promise<BlobRef>>()
  kept.set(blobs, own)
  const known = own.get(bytes)
  if (known !== undefined) return known
  const ref = blobs.put(bytes)
  own.set(bytes, ref)
  // Whoever awaits it is told; a failure must not be remembered.
  ref.catch(() => own.delete(bytes))
  return ref
}
