import { z } from 'zod'
import type { WriteEngine, WritePolicy } from '../../editing/write-engine'
import type { RegisteredTool } from '../define'
import { headedWriteText, wholeFileTool } from '../write-tool'

export const atomicWritePolicy: WritePolicy = {
  tool: 'write',
  maxBytes: 50_000_000,
  relativeMayEscape: true,
  stripChrome: true,
  generated: 'refuse',
}

export const writeTool = (engines: { writes: WriteEngine }): RegisteredTool =>
  wholeFileTool(engines.writes, {
    title: 'Write',
    description: 'Create or overwrite a file. Read an existing file before overwriting it. Use edit to change parts.',
    policy: atomicWritePolicy,
    args: z.object({ path: z.string(), content: z.string() }),
    of: (args) => args,
    text: headedWriteText,
  })
