import type { Engines } from '../engines'
import type { Toolset } from '../registry'
import { atomicBashTool } from './bash'
import { editTool } from './edit'
import { readTool } from './read'
import { writeTool } from './write'

/** The toolset of seed 001, as far as its tools exist. */
export function atomicToolset(engines: Engines): Toolset {
  return {
    tools: [readTool(engines), writeTool(engines), editTool(engines), atomicBashTool(engines)],
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
