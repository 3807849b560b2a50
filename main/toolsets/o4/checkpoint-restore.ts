import { z } from 'zod'
import type { Checkpoints, RestorePlan } from '../../editing/checkpoints'
import { FileMoved } from '../../editing/mutation'
import { defineTool, type RegisteredTool, WorldMoved } from '../define'

/** Files named in an answer; the rest is a number. */
const NAMED = 50

const Args = z.object({
  checkpoint: z.string().min(1).describe('The name that checkpoint_create gave'),
  force: z.boolean().optional().describe('Overwrite uncommitted changes'),
})

/** Puts the files of a checkpoint back (PLAN-09); the same in the default toolset. */
export const checkpointRestoreTool = (engines: { checkpoints: Checkpoints }): RegisteredTool =>
  defineTool<z.infer<typeof Args>, RestorePlan, { files: readonly string[]; safety: string | null }>({
    name: 'checkpoint_restore',
    title: 'Restore checkpoint',
    description:
      'Put the files of a checkpoint back. Refuses to overwrite uncommitted changes unless force is set. Files that came after it stay. Before anything is written the current state is kept as another checkpoint.',
    args: Args,
    approval: 'always',
    subject: (args) => args.checkpoint,
    targets: async (_args, call) => [{ kind: 'write', target: call.session.roots[0] ?? call.session.cwd }],
    prepare: async (args, call) => {
      const force = args.force === true
      const plan = await engines.checkpoints.planRestore(call.session, args.checkpoint, { force }, call.signal)
      const lost = plan.uncommitted.length
      const warnings =
        lost === 0 ? {} : { warnings: [`${lost} ${lost === 1 ? 'file has' : 'files have'} uncommitted changes.`] }
      return { effect: plan, preview: { kind: 'diff', files: [...plan.files], ...warnings } }
    },
    act: async (plan, call) => {
      const { name } = plan.checkpoint
      if (plan.mutations.length === 0) {
        return {
          content: [{ type: 'text', text: `The files are as in ${name} already. Nothing was written.` }],
          details: { files: [], safety: null },
        }
      }
      const done = await engines.checkpoints
        .restore(plan, call.session, 'checkpoint_restore', call.signal)
        .catch((failure: unknown) => {
          throw failure instanceof FileMoved
            ? new WorldMoved('A file changed before it was put back.', { cause: failure })
            : failure
        })
      const names = done.files.map((file) => file.path)
      const more = names.length > NAMED ? `\nand ${names.length - NAMED} more` : ''
      const text = `Restored ${names.length} ${names.length === 1 ? 'file' : 'files'} from ${name}. The state before is kept as ${done.safety.name}.\n${names.slice(0, NAMED).join('\n')}${more}`
      return {
        content: [{ type: 'text', text }],
        details: { files: names, safety: done.safety.name },
        changed: { entry: done.entry, files: [...done.files] },
      }
    },
  })
