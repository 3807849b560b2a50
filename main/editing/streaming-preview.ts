import { checkBounds, checkOverlap } from './concrete-hunk'
import { expandBlocks } from './expand-blocks'
import type { PatchRules } from './patch'
import { parsePartialPatch } from './patch-parser'
import type { SnapshotStore } from './snapshots'
import { applySplices, type Splice, splicesOf } from './splice'
import { parseTextFile } from './text-file'

/** What a patch that may still be growing does to one file, as far as it can be shown (EDIT-59). */
export interface StreamedFile {
  readonly path: string
  readonly tag: string
  /** Operations understood so far. */
  readonly hunks: number
  /** Against the text that the tag names; undefined where that text is not known. */
  readonly change?: { readonly before: string; readonly after: string; readonly splices: readonly Splice[] }
}

/**
 * Parses a possibly incomplete patch. Never throws; what can't be shown yet is left out, block operations included, since
 * nothing is resolved here. With a store, the tagged texts are shown before and after. `find` gives a path's canonical form.
 */
export function streamingPreview(
  input: string,
  rules: PatchRules,
  known?: { readonly store: SnapshotStore; find(path: string): string | undefined },
): StreamedFile[] {
  return parsePartialPatch(wholeLines(input), rules).map((section) => {
    const shown = { path: section.path, tag: section.tag, hunks: section.hunks.length }
    const real = known?.find(section.path)
    const snapshot = real === undefined ? undefined : known?.store.byTag(real, section.tag)[0]
    if (snapshot === undefined) return shown
    try {
      const file = parseTextFile(snapshot.text)
      const inside = section.hunks.filter((hunk) => hunk.end <= file.lines.length)
      const { hunks } = expandBlocks(inside, file.lines, undefined, true)
      checkBounds(hunks, file.lines.length)
      checkOverlap(hunks)
      const spliced = applySplices(file, splicesOf(hunks, file.lines.length))
      return { ...shown, change: { before: file.text, after: spliced.file.text, splices: spliced.splices } }
    } catch {
      return shown
    }
  })
}

/** An unfinished last line is shown only when it is a body row: half a header would mean something else. */
function wholeLines(input: string): string {
  const last = input.lastIndexOf('\n') + 1
  return input.startsWith('+', last) ? input : input.slice(0, last)
}
