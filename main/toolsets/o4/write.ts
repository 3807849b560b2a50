import { z } from 'zod'
import type { WriteEngine, WritePolicy } from '../../editing/write-engine'
import type { RegisteredTool } from '../define'
import { wholeFileTool, writeNotes } from '../write-tool'

export const o4WritePolicy: WritePolicy = {
  tool: 'write',
  maxBytes: 50_000_000,
  relativeMayEscape: true,
  stripChrome: false,
  generated: 'ask',
}

export const writeTool = (engines: { writes: WriteEngine }): RegisteredTool =>
  wholeFileTool(engines.writes, {
    title: 'Write',
    description: 'Create or overwrite a file, creating parent folders as needed. Writes up to 50 MB.',
    policy: o4WritePolicy,
    args: z.object({
      file_path: z.string().describe('Absolute path to the file'),
      content: z.string().describe('The full new content'),
    }),
    of: (args) => ({ path: args.file_path, content: args.content }),
    text: (outcome, path) =>
      [`${outcome.created ? 'Created' : 'Overwrote'} ${path} (${outcome.bytes} bytes)`, ...writeNotes(outcome)].join(
        '\n',
      ),
  })
