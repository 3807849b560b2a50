import type { Engines } from '../engines'
import { checkpointCreateTool } from '../o4/checkpoint-create'
import { checkpointRestoreTool } from '../o4/checkpoint-restore'
import type { Toolset } from '../registry'
import { sleepTool } from '../sleep-tool'
import { killTool, taskWatchTools } from '../task-tools'
import { astGrepTool } from './ast-grep'
import { bashTool } from './bash'
import { editTool } from './edit'
import { findTool } from './find'
import { gitInfoTool } from './git-info'
import { grepTool } from './grep'
import { listFilesTool } from './list-files'
import { notebookEditTool } from './notebook-edit'
import { readTool } from './read'
import { undoTool } from './undo'
import { writeTool } from './write'

/** The default toolset: the best of the three contracts, no two tools for one job. */
export function plumblineToolset(engines: Engines): Toolset {
  return {
    tools: [
      readTool(engines),
      writeTool(engines),
      editTool(engines),
      notebookEditTool(engines),
      undoTool(engines),
      checkpointCreateTool(engines),
      checkpointRestoreTool(engines),
      listFilesTool(engines),
      findTool(engines),
      grepTool(engines),
      astGrepTool(engines),
      gitInfoTool(engines),
      bashTool(engines),
      killTool(engines),
      ...taskWatchTools(engines),
      sleepTool(engines),
    ],
    planTools: new Set(['read', 'list_files', 'find', 'grep', 'ast_grep', 'git_info', 'view_image', 'web']),
  }
}
