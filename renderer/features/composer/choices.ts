import type { PermissionMode, ToolsetName } from '../../../preload/contract/ids'

/** The permission modes in the order of the menu, with what each means. */
export const modes: readonly {
  readonly mode: PermissionMode
  readonly description: string
  /** Why it can't be chosen. */
  readonly unavailable?: string
}[] = [
  { mode: 'ask', description: 'Before each edit and command' },
  { mode: 'accept-edits', description: 'Edits inside the project run, the rest asks' },
  {
    mode: 'review',
    description: 'A second model call checks first, asks when unsure',
    unavailable: 'No second model checks calls in this version',
  },
  { mode: 'auto', description: 'Runs all but installs with scripts and deletes' },
  { mode: 'plan', description: 'Reads only, writes a plan' },
  { mode: 'bypass', description: 'Nothing asks. Deny rules still hold' },
]

/** The toolsets in the order of the menu. */
export const toolsets: readonly ToolsetName[] = ['plumbline', 'magi', 'atomic', 'o4']

/** What a toolset is, for the menu. */
export const toolsetDescriptions: Readonly<Record<ToolsetName, string>> = {
  plumbline: 'One coherent set, no two tools for one job',
  magi: 'Hash-anchored edits, bounded search, outlines',
  atomic: 'Resource reads and the second edit vocabulary',
  o4: 'Tasks, plans, code index and language servers',
}
