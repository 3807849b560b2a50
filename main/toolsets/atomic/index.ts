import type { Engines } from '../engines'
import type { Toolset } from '../registry'
import { atomicBashTool } from './bash'
import { readTool } from './read'

/** The toolset of seed 001, as far as its tools exist. */
export function atomicToolset(engines: Engines): Toolset {
  return {
    tools: [readTool(engines), atomicBashTool(engines)],
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
