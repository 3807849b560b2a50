import { z } from 'zod'
import type { SnapshotStores } from '../../editing/snapshots'
import { readBatch, resolveTargets } from '../../reading/read-batch'
import type { ReadContract } from '../../reading/read-contract'
import type { TargetReader } from '../../reading/target-reader'
import { touch } from '../../workspace/path-authority'
import { defineTool, type RegisteredTool } from '../define'
import { continueWithSelector, toToolResult } from '../read-result'

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
export function readTool(engines: { reader: TargetReader; snapshots: SnapshotStores }): RegisteredTool {
  return defineTool({
    name: 'read',
    title: 'Read',
    description:
      'Reads 1 to 8 known local files. Text comes as `[path#TAG]` and `LINE:TEXT` rows, which `hash_edit` takes as anchors. ' +
      'After a path: `:N`, `:N-M`, `:-M`, `:N+`, `:N+K`, and `:raw` for plain text. ' +
      'Example: {"paths": ["src/app.ts:1-80", "README.md"]}',
    args: z.strictObject({
      paths: z
        .array(z.string().refine((path) => path.trim() !== '', 'must not be blank'))
        .min(1)
        .max(8),
    }),
    approval: 'never',
    outputCharacters: 1024 * 1024,
    subject: (args) => args.paths.join(', '),
    targets: async (args, call) =>
      (await resolveTargets(engines.reader, args.paths, call.session, contract)).map((path) => touch('read', path)),
    prepare: async (args) => ({ effect: args }),
    act: async (args, call) =>
      toToolResult(
        await readBatch(engines.reader, {
          targets: args.paths,
          scope: call.session,
          contract,
          layout: 'hashline',
          store: engines.snapshots.of(call.session.id),
          signal: call.signal,
          continuation: continueWithSelector,
        }),
      ),
  })
}
