import { z } from 'zod'
import { FileMoved } from '../../editing/mutation'
import type { NotebookEngine, NotebookPlan, NotebookPolicy } from '../../editing/notebook-engine'
import { defineTool, type RegisteredTool, WorldMoved } from '../define'

const Args = z.object({
  notebook_path: z.string().describe('Path to the .ipynb file'),
  new_source: z.string().describe('The new cell content'),
  cell_id: z.string().optional().describe('The cell to edit. Leave it out to insert a new cell'),
  cell_type: z.enum(['code', 'markdown']).optional(),
  insert_after: z.string().optional().describe('Insert the new cell after this cell ID'),
})

/** Edits or inserts one cell of a notebook (EDIT-74). `undoable` differs between the toolsets (decision 6). */
export function notebookEditTool(engines: { notebooks: NotebookEngine }, undoable = false): RegisteredTool {
  const policy: NotebookPolicy = { tool: 'notebook_edit', maxFileBytes: 25_000_000, undoable }
  return defineTool<z.infer<typeof Args>, { plan: NotebookPlan; path: string }, { path: string; cell: string }>({
    name: 'notebook_edit',
    title: 'Edit notebook',
    description:
      'Edit a Jupyter notebook cell, or insert a new cell. With cell_id that cell gets new_source; without it a new cell is inserted, after insert_after or at the end. A cell without an id is named cell:N, counted from 0. Example: {"notebook_path": "a.ipynb", "cell_id": "c1", "new_source": "print(1)"}',
    args: Args,
    approval: 'once',
    grantKey: { kind: 'file', of: (_args, touches) => touches.map((touch) => touch.target).join('\n') },
    subject: (args) => args.notebook_path,
    targets: (args, call) => engines.notebooks.targets(args.notebook_path, call.session),
    prepare: async (args, call) => {
      const edit = {
        newSource: args.new_source,
        ...(args.cell_id !== undefined && { cellId: args.cell_id }),
        ...(args.cell_type !== undefined && { cellType: args.cell_type }),
        ...(args.insert_after !== undefined && { insertAfter: args.insert_after }),
      }
      const plan = await engines.notebooks.prepare(args.notebook_path, edit, policy, call.session)
      return { effect: { plan, path: args.notebook_path }, preview: { kind: 'diff', files: [...plan.files] } }
    },
    act: async ({ plan, path }, call) => {
      const changed = await engines.notebooks.commit(plan, policy, call.session).catch((failure: unknown) => {
        throw failure instanceof FileMoved
          ? new WorldMoved(`${path} changed before it was written.`, { cause: failure })
          : failure
      })
      const { cell, inserted } = plan.edited
      return {
        content: [{ type: 'text', text: `${inserted ? 'Inserted' : 'Edited'} cell ${cell} in ${path}` }],
        details: { path: plan.resolved.display, cell },
        changed,
      }
    },
  })
}
