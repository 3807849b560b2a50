import { z } from 'zod'
import { FileMoved } from '../../editing/mutation'
import type { UndoJournal, UndoPlan } from '../../editing/undo-journal'
import { toFailure } from '../../platform/errors'
import { defineTool, type RegisteredTool, WorldMoved } from '../define'

interface UndoDetails {
  readonly files: readonly string[]
  readonly steps: number
}

/** Takes the newest changes of this session back (EDIT-75); `args` and `stepsOf` are the toolset's. */
export function undoToolOf<Args>(
  engines: { undo: UndoJournal },
  contract: { description: string; args: z.ZodType<Args>; stepsOf(args: Args): number },
): RegisteredTool {
  const { stepsOf } = contract
  return defineTool<Args, UndoPlan, UndoDetails>({
    name: 'undo',
    title: 'Undo',
    description: contract.description,
    args: contract.args,
    approval: 'once',
    grantKey: { kind: 'tool', of: () => 'undo' },
    subject: (args) => (stepsOf(args) === 1 ? '' : `${stepsOf(args)} changes`),
    targets: async (args, call) =>
      engines.undo
        .entries(call.session.id)
        .slice(-stepsOf(args))
        .flatMap((entry) => entry.changes)
        .flatMap((change) => [change.path, ...(change.to === undefined ? [] : [change.to])])
        .map((target) => ({ kind: 'write' as const, target })),
    prepare: async (args, call) => {
      const plan = await engines.undo.planUndo(call.session, stepsOf(args))
      return { effect: plan, preview: { kind: 'diff', files: [...plan.files] } }
    },
    act: async (plan, call) => {
      const outcome = await engines.undo.undo(plan, call.session).catch((failure: unknown) => {
        throw failure instanceof FileMoved
          ? new WorldMoved('The file changed before it was put back.', { cause: failure })
          : failure
      })
      const names = plan.files.map((file) => file.path)
      const { done, failure } = outcome
      const entry = done.at(-1)?.id ?? ''
      const last = done[0]?.tool ?? 'change'
      const what = plan.entries.length === 1 ? `the last ${last}` : `the last ${plan.entries.length} changes`
      if (failure !== undefined) {
        const reason = toFailure(failure)
        const message = `Undid ${done.length} of ${plan.entries.length} changes, then stopped: ${reason.message}`
        return {
          content: [{ type: 'text', text: message }],
          details: { files: names, steps: done.length },
          failure: { code: reason.code, message },
        }
      }
      const text =
        names.length === 0
          ? `Undid ${what}; the files read as they did.`
          : `Undid ${what}: ${names.join(', ')} put back as before.`
      return {
        content: [{ type: 'text', text }],
        details: { files: names, steps: done.length },
        changed: { entry, files: [...plan.files] },
      }
    },
  })
}

export const undoTool = (engines: { undo: UndoJournal }): RegisteredTool =>
  undoToolOf<Record<string, never>>(engines, {
    description:
      'Undo the last write or edit of this session, putting the file back as it was. The last 50 changes are kept.',
    args: z.strictObject({}),
    stepsOf: () => 1,
  })
