import type { ChangedFile } from '../../preload/contract/effects'
import { changedFile, type EditingScope } from './editing-scope'
import { keepBytes } from './keep-bytes'
import { countLines } from './line-counts'
import type { Mutation } from './mutation'

/** The record of what a mutation would do, with both texts kept by content. */
export async function describeMutation(mutation: Mutation, scope: EditingScope): Promise<ChangedFile> {
  const before = mutation.kind === 'create' ? null : mutation.before
  const after = mutation.kind === 'delete' ? null : mutation.after
  const put = async (bytes: Uint8Array | null) => (bytes === null ? null : keepBytes(scope.blobs, bytes))
  const shown = { path: mutation.path, kind: mutation.kind, ...(mutation.kind === 'move' && { to: mutation.to }) }
  const refs = Promise.all([put(before), put(after)])
  const counts = countLines(before, after)
  const [old, now] = await refs
  return changedFile({ ...shown, before: old, after: now }, counts, scope)
}
