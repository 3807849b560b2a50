import { z } from 'zod'
import type { Checkpoints } from '../../editing/checkpoints'
import { defineTool, type RegisteredTool } from '../define'

const Args = z.object({ name: z.string().max(200).optional().describe('What the checkpoint is for, in a few words') })

/** Keeps the project's files as they are (PLAN-08); the same in the default toolset. */
export const checkpointCreateTool = (engines: { checkpoints: Checkpoints }): RegisteredTool =>
  defineTool<z.infer<typeof Args>, string, { name: string; files: number; tag: string | null }>({
    name: 'checkpoint_create',
    title: 'Checkpoint',
    description:
      'Tag the current git HEAD and keep the project\'s files as a checkpoint before a risky change. Works without git too. Ignored files are left out. Example: {"name": "before the rename"}',
    args: Args,
    approval: 'once',
    grantKey: { kind: 'tool', of: () => 'checkpoint_create' },
    subject: (args) => args.name ?? '',
    targets: async () => [],
    prepare: async (args) => ({ effect: args.name ?? '' }),
    act: async (label, call) => {
      const made = await engines.checkpoints.create(call.session, label, call.signal)
      const same = made.tag === made.name ? 'has the same tag' : `has the tag ${made.tag}`
      const tagged = made.tag === undefined ? '' : `; git HEAD ${same}`
      return {
        content: [{ type: 'text', text: `Created checkpoint ${made.name} (${made.files} files${tagged}).` }],
        details: { name: made.name, files: made.files, tag: made.tag ?? null },
      }
    },
  })
