import type { Engines } from '../engines'
import type { Toolset } from '../registry'
import { killTool } from '../task-tools'
import { atomicBashTool } from './bash'
import { editTool } from './edit'
import { findTool } from './find'
import { readTool } from './read'
import { searchTool } from './search'
import { writeTool } from './write'

/** The toolset of seed 001, as far as its tools exist. */
export function atomicToolset(engines: Engines): Toolset {
  return {
    tools: [
      readTool(engines),
      writeTool(engines),
      editTool(engines),
      atomicBashTool(engines),
      killTool(engines),
      findTool(engines),
      searchTool(engines),
    ],
    planTools: new Set([
      'read',
      'find',
      'search',
      'ask_user_question',
      'todo',
      'code_search',
      'web_search',
      'fetch_content',
    ]),
  }
}
