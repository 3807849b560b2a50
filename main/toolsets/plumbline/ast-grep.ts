import type { RegisteredTool } from '../define'
import { type AstGrepEngines, astGrepTool as magiAstGrep } from '../magi/ast-grep'

/** As in the magi contract; relative paths may leave the working folder where the session reaches further. */
export function astGrepTool(engines: AstGrepEngines): RegisteredTool {
  return magiAstGrep(engines, { relativeMayEscape: true })
}
