import type { SearchEngine } from '../../search/search-engine'
import type { PathAuthority } from '../../workspace/path-authority'
import type { RegisteredTool } from '../define'
import { listFilesTool as magiListFiles } from '../magi/list-files'

/** As in the magi contract; relative paths may leave the working folder where the session reaches further. */
export function listFilesTool(engines: { search: SearchEngine; paths: PathAuthority }): RegisteredTool {
  return magiListFiles(engines, { relativeMayEscape: true })
}
