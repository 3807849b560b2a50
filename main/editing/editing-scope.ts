import type { ChangedFile } from '../../preload/contract/effects'
import type { BlobRef } from '../../preload/contract/ids'
import type { BlobSink } from '../platform/blob-sink'
import type { PathScope } from '../workspace/path-authority'
import { isInside, pathRules, slashed } from '../workspace/path-rules'
import type { AppliedChange } from './mutation'

/** What editing needs of a session. A `SessionScope` fits. */
export interface EditingScope extends PathScope {
  readonly id: string
  readonly blobs: BlobSink
}

/** A canonical path as `ChangedFile` has it: relative to the project where it lies inside, with `/`. */
export function projectPath(real: string, scope: Pick<EditingScope, 'roots' | 'cwd'>): string {
  const rules = pathRules()
  const base = scope.roots[0] ?? scope.cwd
  return isInside(real, base, rules) ? slashed(rules.path.relative(base, real), rules) : slashed(real, rules)
}

/** The record of one changed file, from its blobs and line counts. */
export function changedFile(
  change: Pick<AppliedChange, 'path' | 'kind' | 'to'> & { before: BlobRef | null; after: BlobRef | null },
  counts: { added: number; removed: number },
  scope: Pick<EditingScope, 'roots' | 'cwd'>,
): ChangedFile {
  const kinds = { create: 'added', modify: 'modified', delete: 'deleted', move: 'renamed' } as const
  const path = projectPath(change.to ?? change.path, scope)
  return {
    path,
    ...(change.to !== undefined && { from: projectPath(change.path, scope) }),
    kind: kinds[change.kind],
    before: change.before,
    after: change.after,
    ...counts,
  }
}
