import type { EditEngine, EditPolicy } from '../../editing/edit-engine'
import type { RegisteredTool } from '../define'
import { anchoredEditTool } from '../edit-tool'

const MEBIBYTE = 1024 * 1024

/** Magi's verbs only, with plus rows only; limits on count and size are proposed values (EDIT-73). */
export const magiEditPolicy: EditPolicy = {
  tool: 'hash_edit',
  vocabularies: ['magi'],
  bareRows: false,
  emptyReplaceDeletes: false,
  maxSections: 64,
  maxInputBytes: MEBIBYTE,
  maxFileBytes: MEBIBYTE,
  followLinks: false,
  relativeMayEscape: false,
  seenGuard: true,
  repairs: 'repair',
  anchorEcho: false,
  renumber: false,
}

export const hashEditTool = (engines: { edits: EditEngine }): RegisteredTool =>
  anchoredEditTool(engines.edits, {
    name: 'hash_edit',
    title: 'Edit',
    description: `Apply a hashline patch to existing UTF-8 files. Each section starts with [PATH#TAG]; the tag comes from your latest read of the file or the last successful hash_edit. Line numbers mean that text.
Operations: SWAP N.=M:, SWAP.BLK N:, DEL N.=M, DEL.BLK N, INS.PRE N:, INS.POST N:, INS.BLK.POST N:, INS.HEAD:, INS.TAIL:, MV DEST, REM. Those that end in a colon take +TEXT rows.
If a tag is stale, read the file again. Use write for new files.
Example:
[README.md#A1B2]
SWAP 10.=10:
+new line`,
    policy: magiEditPolicy,
  })
