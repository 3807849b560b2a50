import type { EditEngine, EditPolicy } from '../../editing/edit-engine'
import type { RegisteredTool } from '../define'
import { anchoredEditTool } from '../edit-tool'

/** Either vocabulary, also mixed; magi's seen-line guard and atomic's tolerances both apply. */
export const plumblineEditPolicy: EditPolicy = {
  tool: 'edit',
  vocabularies: ['atomic', 'magi'],
  bareRows: true,
  emptyReplaceDeletes: true,
  maxSections: 256,
  maxInputBytes: 8 * 1024 * 1024,
  maxFileBytes: 25_000_000,
  followLinks: false,
  relativeMayEscape: true,
  seenGuard: true,
  repairs: 'repair',
  anchorEcho: true,
  renumber: true,
}

export const editTool = (engines: { edits: EditEngine }): RegisteredTool =>
  anchoredEditTool(engines.edits, {
    name: 'edit',
    title: 'Edit',
    description: `Change existing text files by line anchors. Copy the [path#TAG] header from your latest read, grep or edit result; line numbers mean that text and do not shift within a call. Body rows start with +.
Operations: replace N..M: / delete N..M / insert before N: / insert after N: / insert head: / insert tail: / replace block N: / delete block N / insert after block N: — or SWAP N.=M: / DEL N.=M / INS.PRE N: / INS.POST N: / INS.HEAD: / INS.TAIL: / SWAP.BLK N: / DEL.BLK N / INS.BLK.POST N: / MV DEST / REM.
Only lines that were shown to you can be named. Nothing is written unless every section is valid. Use write for new files.
Example:
[src/a.ts#1A2B]
replace 2..3:
+const x = 1
insert after 9:
+done()`,
    policy: plumblineEditPolicy,
  })
