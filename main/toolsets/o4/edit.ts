import { z } from 'zod'
import type { EditDetails } from '../../editing/edit-response'
import { FileMoved } from '../../editing/mutation'
import type { StringEditEngine, StringEditPlan } from '../../editing/string-edit-engine'
import { defineTool, type RegisteredTool, WorldMoved } from '../define'

const POLICY = { tool: 'edit', maxFileBytes: 25_000_000 }

const Args = z.object({
  file_path: z.string().describe('Absolute path to the file'),
  old_string: z.string().describe('The text to replace'),
  new_string: z.string().describe('The replacement'),
  replace_all: z.boolean().optional().describe('Replace every occurrence'),
})

export const editTool = (engines: { stringEdits: StringEditEngine }): RegisteredTool =>
  defineTool<z.infer<typeof Args>, { plan: StringEditPlan; path: string }, EditDetails>({
    name: 'edit',
    title: 'Edit',
    description:
      'Replace an exact string in a file. old_string must match exactly one place unless replace_all is set. Works on files up to 25 MB.',
    args: Args,
    approval: 'once',
    grantKey: { kind: 'file', of: (_args, touches) => touches.map((touch) => touch.target).join('\n') },
    subject: (args) => args.file_path,
    targets: (args, call) => engines.stringEdits.targets(args.file_path, call.session),
    prepare: async (args, call) => {
      const edit = { oldText: args.old_string, newText: args.new_string, all: args.replace_all === true }
      const plan = await engines.stringEdits.prepare(args.file_path, edit, POLICY, call.session)
      return { effect: { plan, path: args.file_path }, preview: { kind: 'diff', files: [...plan.files] } }
    },
    act: async ({ plan, path }, call) => {
      const outcome = await engines.stringEdits.commit(plan, POLICY, call.session).catch((failure: unknown) => {
        throw failure instanceof FileMoved
          ? new WorldMoved(`${path} changed before it was written.`, { cause: failure })
          : failure
      })
      const { replacements } = plan.spliced
      const said = `Edited ${path} (${replacements} ${replacements === 1 ? 'replacement' : 'replacements'})`
      return {
        content: [{ type: 'text', text: `${said}\n${outcome.preview}` }],
        details: outcome.details,
        changed: outcome.changed,
      }
    },
  })
