import type { Engines } from '../engines'
import type { Toolset } from '../registry'
import { astGrepTool } from './ast-grep'
import { magiBashTool } from './bash'
import { findTool } from './find'
import { grepTool } from './grep'
import { hashEditTool } from './hash-edit'
import { listFilesTool } from './list-files'
import { readTool } from './read'
import { writeTool } from './write'

/** The toolset of seed 000, as far as its tools exist. */
export function magiToolset(engines: Engines): Toolset {
  return {
    tools: [
      readTool(engines),
      magiBashTool(engines),
      hashEditTool(engines),
      writeTool(engines),
      grepTool(engines),
      findTool(engines),
      listFilesTool(engines),
      astGrepTool(engines),
    ],
    planTools: new Set(['read', 'grep', 'find', 'list_files', 'ast_grep', 'view_image', 'web']),
  }
}
