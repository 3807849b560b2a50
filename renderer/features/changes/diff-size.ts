import type { DiffContent } from '../../../preload/contract/changes'

/** Characters of one side above which the editor is not opened by itself. */
export const MAX_EDITOR_CHARACTERS = 1024 * 1024

/** Changed lines above which the editor is not opened by itself. */
export const MAX_EDITOR_LINES = 2000

/** Whether a difference is too large to open in the editor unasked. */
export function isLarge({ file, before, after }: DiffContent): boolean {
  const characters = Math.max(before?.length ?? 0, after?.length ?? 0)
  return characters > MAX_EDITOR_CHARACTERS || file.added + file.removed > MAX_EDITOR_LINES
}
