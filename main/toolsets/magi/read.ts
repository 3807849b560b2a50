import type { ReadContract } from '../../reading/read-contract'
import { batchReadTool, type ReadEngines } from '../batch-read-tool'
import type { RegisteredTool } from '../define'

const contract: ReadContract = {
  windowLines: 400,
  rangesBeyondWindow: true,
  windowBytes: 1024 * 1024,
  fileBytes: 1024 * 1024,
  contextBefore: 0,
  contextAfter: 0,
  utf8Only: true,
  directories: false,
  images: false,
  notebooks: false,
  relativeMayEscape: false,
  instead: {
    directory: 'Use `find` or `list_files` to see what is in it.',
    image: 'Inspect it with `view_image`.',
    url: 'Use `web` with operation open.',
  },
}

/** READ rows of the magi contract: 1 to 8 local UTF-8 files to 1 MiB, 400 lines without a selector. */
export function readTool(engines: ReadEngines): RegisteredTool {
  return batchReadTool(engines, {
    contract,
    description:
      'Reads 1 to 8 known local files. Text comes as `[path#TAG]` and `LINE:TEXT` rows, which `hash_edit` takes as anchors. ' +
      'After a path: `:N`, `:N-M`, `:-M`, `:N+`, `:N+K`, and `:raw` for plain text. ' +
      'Example: {"paths": ["src/app.ts:1-80", "README.md"]}',
  })
}
