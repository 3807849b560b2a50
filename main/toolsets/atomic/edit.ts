import type { EditEngine, EditPolicy } from '../../editing/edit-engine'
import type { RegisteredTool } from '../define'
import { anchoredEditTool } from '../edit-tool'

/** Atomic's verbs with all its tolerances; no seen-line guard. */
export const atomicEditPolicy: EditPolicy = {
  tool: 'edit',
  vocabularies: ['atomic'],
  bareRows: true,
  emptyReplaceDeletes: true,
  maxSections: 1000,
  maxInputBytes: 8 * 1024 * 1024,
  maxFileBytes: 25_000_000,
  followLinks: true,
  relativeMayEscape: true,
  seenGuard: false,
  repairs: 'repair',
  anchorEcho: false,
  renumber: false,
}

export const editTool = (engines: { edits: EditEngine }): RegisteredTool =>
  anchoredEditTool(engines.edits, {
    name: 'edit',
    title: 'Edit',
    description: `Edit existing files by line anchors. Each section starts with the [PATH#TAG] header of your latest read, search, write or edit; line numbers are those of that snapshot and do not shift.
Operations: replace N..M:, replace block N:, delete N..M, delete block N, insert before N:, insert after N:, insert after block N:, insert head:, insert tail:. Bodies are +TEXT rows; + alone is a blank line.
Use write to create files.
Example:
[src/example.ts#A1B2]
replace 1..1:
+const value = 2;
insert tail:
+// done`,
    policy: atomicEditPolicy,
  })
