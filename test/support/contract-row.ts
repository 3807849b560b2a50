import { it } from 'vitest'
import type { ToolsetName } from '../../preload/contract/ids'

/** The toolsets with an anchored edit. */
export const ANCHORED = ['plumbline', 'magi', 'atomic'] as const

/** The toolsets whose edit speaks in words. */
export const WORDED = ['plumbline', 'atomic'] as const

/** The toolsets with notebooks, undo and checkpoints. */
export const KEEPING = ['plumbline', 'o4'] as const

/** Every toolset. */
export const ALL = ['plumbline', 'magi', 'atomic', 'o4'] as const

/**
 * The contract test of one row of the matrix in each toolset that has it: named by the id, then the toolset. The checker
 * (`contract-coverage.ts`) reads these calls, so `id` is a literal and `toolsets` a literal list or a name from above.
 */
export function row<Name extends ToolsetName>(
  id: `${string}-${number}`,
  toolsets: readonly Name[],
  title: string,
  run: (toolset: Name) => Promise<void>,
): void {
  for (const toolset of toolsets) it(`${id} ${toolset}: ${title}`, () => run(toolset))
}
