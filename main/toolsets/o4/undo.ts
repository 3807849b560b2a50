import { z } from 'zod'
import { FileMoved } from '../../editing/mutation'
import type { UndoJournal, UndoPlan } from '../../editing/undo-journal'
import { defineTool, type RegisteredTool, WorldMoved } from '../define'

/** Takes the newest change of this session back (EDIT-75). */
export const undoTool = (engines: { undo: UndoJournal }): RegisteredTool =>
  defineTool<Record<string, never>, UndoPlan, { files: readonly string[] }>({
    name: 'undo',
    title: 'Undo',
    description:
      'Undo the last write or edit of this session, putting the file back as it was. The last 50 changes are kept.',
    args: z.strictObject({}),
    approval: 'once',
    grantKey: { kind: 'tool', of: () => 'undo' },
    subject: () => '',
    targets: async (_args, call) =>
      (engines.undo.newest(call.session.id)?.changes ?? []).map((change) => ({
        kind: 'write' as const,
        target: change.to ?? change.path,
      })),
    prepare: async (_args, call) => {
      const plan = await engines.undo.planUndo(call.session)
      return { effect: plan, preview: { kind: 'diff', files: [...plan.files] } }
    },
    act: async (plan, call) => {
      await engines.undo.undo(plan, call.session).catch((failure: unknown) => {
        throw failure instanceof FileMoved
          ? new WorldMoved('The file changed before it was put back.', { cause: failure })
          : failure
      })
      const names = plan.files.map((file) => file.path)
      return {
        content: [{ type: 'text', text: `Undid the last ${plan.entry.tool}: ${names.join(', ')} put back as before.` }],
        details: { files: names },
        changed: { entry: plan.entry.id, files: [...plan.files] },
      }
    },
  })
