import { z } from 'zod'
import type { UndoJournal } from '../../editing/undo-journal'
import type { RegisteredTool } from '../define'
import { undoToolOf } from '../o4/undo'

/** Changes that are kept, and so the most that one call takes back. */
const MAX_STEPS = 50

/** As in o4, and several changes at once. */
export const undoTool = (engines: { undo: UndoJournal }): RegisteredTool =>
  undoToolOf<{ steps?: number | undefined }>(engines, {
    description:
      'Take back the newest changes that this session made to files, as a whole call each: one, or `steps` of them. The last 50 are kept. Refused where a file was changed by somebody else since. Example: {"steps": 2}',
    args: z.object({ steps: z.number().int().min(1).max(MAX_STEPS).optional() }),
    stepsOf: (args) => args.steps ?? 1,
  })
