import type { MadeRepair } from './apply-section'
import { refusals } from './edit-messages'
import { hashlineHeader } from './hashline-format'
import { previewRows, renumbering } from './preview-rows'
import type { Splice } from './splice'
import { patchFromSplices } from './unified-patch'

/** One file of a finished edit, as answers and windows need it. */
export interface EditedSection {
  readonly display: string
  /** Where the file was, when it moved. */
  readonly from?: string
  readonly removedFile: boolean
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly splices: readonly Splice[]
  readonly warnings: readonly string[]
  readonly echoes: readonly string[]
  readonly repairs: readonly MadeRepair[]
}

/** For the window (EDIT-71). `diff` is the unified patch without file headers, `patch` with them. */
export interface EditDetails {
  readonly diff: string
  readonly patch: string
  /** In post-edit numbers, of the first file. */
  readonly firstChangedLine?: number
  readonly files: readonly EditedFile[]
}

export interface EditedFile {
  readonly path: string
  readonly from?: string
  readonly added: number
  readonly removed: number
  readonly firstChangedLine?: number
  readonly warnings: readonly string[]
  readonly repairs: readonly MadeRepair[]
}

/** The answer's block for one file: header, warnings, echoes, preview (EDIT-70). `shown` are lines printed in full. */
export function sectionText(
  edited: EditedSection,
  tag: string | undefined,
  renumber: boolean,
): { text: string; shown: readonly number[] } {
  if (edited.removedFile || tag === undefined) {
    return { text: [`Removed ${edited.display}`, ...edited.warnings].join('\n'), shown: [] }
  }
  const preview = previewRows(edited.after, edited.splices)
  const moved = edited.from === undefined ? [] : [`Moved ${edited.from} to ${edited.display}`]
  const deltas = renumber ? renumbering(edited.splices, edited.before.length) : undefined
  const first = preview.firstChangedLine
  const body = preview.text !== '' ? [preview.text] : first === undefined ? [] : [`First changed line: ${first}`]
  const lines = [
    hashlineHeader(edited.display, tag),
    ...moved,
    ...edited.warnings,
    ...edited.echoes,
    ...(deltas === undefined ? [] : [deltas]),
    ...body,
  ]
  return { text: lines.join('\n'), shown: preview.shown }
}

export function editDetails(sections: readonly EditedSection[]): EditDetails {
  const files: EditedFile[] = []
  const patches: string[] = []
  for (const edited of sections) {
    const before = edited.from ?? edited.display
    const after = edited.removedFile ? '/dev/null' : edited.display
    const splices = edited.removedFile ? [{ above: 0, removed: edited.before.length, rows: [] }] : edited.splices
    const { patch, added, removed } = patchFromSplices({ before, after }, edited.before, splices)
    const { firstChangedLine } = previewRows(edited.after, edited.splices)
    patches.push(patch)
    files.push({
      path: edited.display,
      ...(edited.from !== undefined && { from: edited.from }),
      added,
      removed,
      ...(firstChangedLine !== undefined && { firstChangedLine }),
      warnings: edited.warnings,
      repairs: edited.repairs,
    })
  }
  const first = files.find((file) => file.firstChangedLine !== undefined)?.firstChangedLine
  return {
    diff: patches.map((patch) => patch.split('\n').slice(2).join('\n')).join(''),
    patch: patches.join(''),
    ...(first !== undefined && { firstChangedLine: first }),
    files,
  }
}

/** The answer to an edit that changes nothing, by how often it came (EDIT-44, EDIT-69). */
export function noOpText(display: string, count: number): string {
  const text = refusals.noOp(display)
  if (count < 2) return text
  const counted = `${text} ${refusals.noOpCount(count)}`
  return count < 3 ? counted : `STOP. ${counted}`
}
