import type { ReadContract } from '../../reading/read-contract'
import { batchReadTool, type ReadEngines } from '../batch-read-tool'
import type { RegisteredTool } from '../define'

const contract: ReadContract = {
  windowLines: 3000,
  rangesBeyondWindow: false,
  windowBytes: 64 * 1024,
  fileBytes: 25 * 1024 * 1024,
  contextBefore: 0,
  contextAfter: 0,
  utf8Only: false,
  directories: true,
  images: true,
  notebooks: true,
  relativeMayEscape: true,
  instead: {
    directory: 'List it with `list_files`.',
    image: 'Look at it with `view_image`.',
    url: 'Fetch it with `web`, where that tool is offered.',
  },
}

/** READ rows in the default toolset: several targets, selectors of both vocabularies, folders, images, notebooks. */
export function readTool(engines: ReadEngines): RegisteredTool {
  return batchReadTool(engines, {
    contract,
    description:
      'Reads 1 to 8 known files or folders. Text comes as `[path#TAG]` and `LINE:TEXT` rows, which `edit` takes as anchors. ' +
      'After a path: `:N`, `:N-M`, `:-M`, `:N+`, `:N+K`, several joined by commas, `:raw` for plain text. ' +
      'Example: {"paths": ["src/app.ts:1-80", "README.md"]}',
  })
}
