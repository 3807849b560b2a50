import type { ChangedFile } from '../../preload/contract/effects'
import { changedFile, type EditingScope } from './editing-scope'
import { countLines } from './line-counts'
import type { Mutation } from './mutation'

/** The record of what a mutation would do, with both texts kept by content. */
export async function describeMutation(mutation: Mutation, scope: EditingScope): Promise<ChangedFile> {
  const before = mutation.kind === 'create' ? null : mutation.before
  const after = mutation.kind === 'delete' ? null : mutation.after
  const put = async (bytes: Uint8Array | null) => (bytes === null ? null : scope.blobs.put(bytes))
  const shown = { path: mutation.path, kind: mutation.kind, ...(mutation.kind === 'move' && { to: mutation.to }) }
  return changedFile({ ...shown, before: await put(before), after: await put(after) }, countLines(before, after), scope)
}
