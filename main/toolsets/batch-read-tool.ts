import { z } from 'zod'
import type { SnapshotStores } from '../editing/snapshots'
import { readBatch, resolveTargets } from '../reading/read-batch'
import type { ReadContract } from '../reading/read-contract'
import type { TargetReader } from '../reading/target-reader'
import { touch } from '../workspace/path-authority'
import { defineTool, type RegisteredTool } from './define'
import { continueWithSelector, toToolResult } from './read-result'

export interface ReadEngines {
  readonly reader: TargetReader
  readonly snapshots: SnapshotStores
}

/** READ-02: a `read` of 1 to 8 paths, each with its selectors; limits and reach are the toolset's. */
export function batchReadTool(
  engines: ReadEngines,
  { description, contract }: { description: string; contract: ReadContract },
): RegisteredTool {
  return defineTool({
    name: 'read',
    title: 'Read',
    description,
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
