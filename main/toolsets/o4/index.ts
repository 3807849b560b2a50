import type { Engines } from '../engines'
import type { Toolset } from '../registry'
import { sleepTool } from '../sleep-tool'
import { taskChangeTools, taskWatchTools } from '../task-tools'
import { o4BashTool } from './bash'
import { checkpointCreateTool } from './checkpoint-create'
import { checkpointRestoreTool } from './checkpoint-restore'
import { editTool } from './edit'
import { gitInfoTool } from './git-info'
import { globTool } from './glob'
import { grepTool } from './grep'
import { lsTool } from './ls'
import { notebookEditTool } from './notebook-edit'
import { readTool } from './read'
import { undoTool } from './undo'
import { writeTool } from './write'

/** The toolset of seed 004, as far as its tools exist. */
export function o4Toolset(engines: Engines): Toolset {
  return {
    tools: [
      readTool(engines),
      writeTool(engines),
      editTool(engines),
      notebookEditTool(engines),
      undoTool(engines),
      checkpointCreateTool(engines),
      checkpointRestoreTool(engines),
      globTool(engines),
      grepTool(engines),
      lsTool(engines),
      gitInfoTool(engines),
      o4BashTool(engines),
      ...taskWatchTools(engines),
      ...taskChangeTools(engines),
      sleepTool(engines),
    ],
    planTools: new Set([
      'read',
      'glob',
      'grep',
      'ls',
      'fetch',
      'task_create',
      'task_update',
      'task_list',
      'enter_plan_mode',
      'exit_plan_mode',
    ]),
  }
}
