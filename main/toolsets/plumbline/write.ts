import { z } from 'zod'
import type { WriteEngine, WritePolicy } from '../../editing/write-engine'
import type { RegisteredTool } from '../define'
import { headedWriteText, wholeFileTool } from '../write-tool'

export const plumblineWritePolicy: WritePolicy = {
  tool: 'write',
  maxBytes: 50_000_000,
  relativeMayEscape: true,
  stripChrome: true,
  generated: 'ask',
}

export const writeTool = (engines: { writes: WriteEngine }): RegisteredTool =>
  wholeFileTool(engines.writes, {
    title: 'Write',
    description:
      'Create a file or replace the whole of one. Missing folders are made. Read an existing file before you overwrite it; for parts of a file use edit. Example: {"path": "src/new.ts", "content": "export const a = 1\\n"}',
    policy: plumblineWritePolicy,
    args: z.object({ path: z.string(), content: z.string() }),
    of: (args) => args,
    text: headedWriteText,
  })
