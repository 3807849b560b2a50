import type { BlobRef } from '../../preload/contract/ids'

/** Keeps bytes and names them by their SHA-256. Putting the same bytes twice keeps them once. */
export interface BlobSink {
  put(bytes: Uint8Array): Promise<BlobRef>
  /** Throws `PlumblineError('not_found')` when the blob is not kept here. */
  get(id: string): Promise<Uint8Array>
}
