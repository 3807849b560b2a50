import type { NotebookEngine } from '../../editing/notebook-engine'
import type { RegisteredTool } from '../define'
import { notebookEditTool as o4NotebookEdit } from '../o4/notebook-edit'

/** As in o4, and `undo` takes it back. */
export const notebookEditTool = (engines: { notebooks: NotebookEngine }): RegisteredTool =>
  o4NotebookEdit(engines, true)
