import { z } from 'zod'
import type { WriteEngine, WritePolicy } from '../../editing/write-engine'
import type { RegisteredTool } from '../define'
import { wholeFileTool, writeNotes } from '../write-tool'

export const magiWritePolicy: WritePolicy = {
  tool: 'write',
  maxBytes: 1024 * 1024,
  relativeMayEscape: false,
  stripChrome: true,
  generated: 'ask',
}

export const writeTool = (engines: { writes: WriteEngine }): RegisteredTool =>
  wholeFileTool(engines.writes, {
    title: 'Write',
    description:
      'Create or fully replace a file. Both path and content are required; empty content is allowed. Missing parent directories are created. At most 1 MiB of UTF-8.',
    policy: magiWritePolicy,
    args: z.object({ path: z.string(), content: z.string() }),
    of: (args) => args,
    text: (outcome, path) =>
      [
        `${outcome.created ? 'Created' : 'Replaced'} ${path} (${outcome.bytes} bytes, ${outcome.lines} lines)`,
        ...writeNotes(outcome),
      ].join('\n'),
  })
