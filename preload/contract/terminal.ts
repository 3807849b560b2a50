import { z } from 'zod'
import { SessionId, TerminalId } from './ids'
import { domain, request, stream } from './rpc'

const size = { columns: z.number().int().min(2).max(1000), rows: z.number().int().min(1).max(1000) }

export const TerminalInfo = z.object({ id: TerminalId, session: SessionId, title: z.string(), alive: z.boolean() })
export type TerminalInfo = z.infer<typeof TerminalInfo>

export const TerminalOutput = z.discriminatedUnion('type', [
  z.object({ type: z.literal('data'), data: z.string() }),
  z.object({ type: z.literal('exit'), exitCode: z.number().int().nullable(), signal: z.string().nullable() }),
])
export type TerminalOutput = z.infer<typeof TerminalOutput>

export const terminal = domain('terminal', {
  /** Starts the person's shell in the session's project folder. */
  create: request({ args: z.object({ session: SessionId, ...size }), result: TerminalInfo }),
  list: request({ args: z.object({ session: SessionId }), result: z.array(TerminalInfo) }),
  /** What the terminal printed: first what it has kept, then what comes. The reader's pace slows the process. */
  output: stream({ args: z.object({ terminal: TerminalId }), item: TerminalOutput }),
  write: request({ args: z.object({ terminal: TerminalId, data: z.string().max(1024 * 1024) }), result: z.void() }),
  resize: request({ args: z.object({ terminal: TerminalId, ...size }), result: z.void() }),
  close: request({ args: z.object({ terminal: TerminalId }), result: z.void() }),
})
