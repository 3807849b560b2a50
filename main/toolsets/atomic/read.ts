import { z } from 'zod'
import type { SnapshotStores } from '../../editing/snapshots'
import { readBatch, resolveTargets } from '../../reading/read-batch'
import type { ReadContract } from '../../reading/read-contract'
import type { TargetReader } from '../../reading/target-reader'
import { touch } from '../../workspace/path-authority'
import { defineTool, type RegisteredTool } from '../define'
import { continueWithSelector, toToolResult } from '../read-result'

const contract: ReadContract = {
  windowLines: 3000,
  rangesBeyondWindow: false,
  windowBytes: 50 * 1024,
  fileBytes: 25 * 1024 * 1024,
  contextBefore: 1,
  contextAfter: 3,
  utf8Only: false,
  directories: true,
  images: true,
  notebooks: true,
  relativeMayEscape: true,
  instead: {
    directory: 'List it with `find`.',
    image: 'It can only be shown to models that take images.',
    url: 'Reading web pages is not supported by this version.',
  },
}

/** READ rows of the atomic contract: one path, bounded reads with one line before and three after, folders as trees. */
export function readTool(engines: { reader: TargetReader; snapshots: SnapshotStores }): RegisteredTool {
  return defineTool({
    name: 'read',
    title: 'Read',
    description:
      'Reads a file or folder. Text comes as `[path#TAG]` and `LINE:TEXT` rows, which `edit` takes as anchors. Selectors: ' +
      '`file.ts:5-16`, `file.ts:5+3`, `file.ts:5-16,960-973`, `:raw`. Example: {"path": "src/app.ts:1-80"}',
    args: z.object({ path: z.string().refine((path) => path.trim() !== '', 'must not be blank') }),
    approval: 'never',
    subject: (args) => args.path,
    targets: async (args, call) =>
      (await resolveTargets(engines.reader, [args.path], call.session, contract)).map((path) => touch('read', path)),
    prepare: async (args) => ({ effect: args }),
    act: async (args, call) => {
      const result = toToolResult(
        await readBatch(engines.reader, {
          targets: [args.path],
          scope: call.session,
          contract,
          layout: 'hashline',
          store: engines.snapshots.of(call.session.id),
          signal: call.signal,
          continuation: continueWithSelector,
        }),
      )
      const [file] = result.details.files
      return { ...result, details: { ...result.details, ...(file === undefined ? {} : { meta: file.meta }) } }
    },
  })
}
