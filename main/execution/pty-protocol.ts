import { z } from 'zod'

const size = { columns: z.number().int().min(2).max(1000), rows: z.number().int().min(1).max(1000) }

/** From the program to the process that holds the terminals. */
export const PtyRequest = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('create'),
    id: z.string(),
    file: z.string(),
    args: z.array(z.string()),
    cwd: z.string(),
    env: z.record(z.string(), z.string()),
    ...size,
  }),
  z.object({ type: z.literal('write'), id: z.string(), data: z.string() }),
  z.object({ type: z.literal('resize'), id: z.string(), ...size }),
  /** So many characters of output have been used. */
  z.object({ type: z.literal('acknowledge'), id: z.string(), characters: z.number().int().nonnegative() }),
  z.object({ type: z.literal('hang-up'), id: z.string() }),
])
export type PtyRequest = z.infer<typeof PtyRequest>

/** And back. */
export const PtyReport = z.discriminatedUnion('type', [
  z.object({ type: z.literal('created'), id: z.string(), pid: z.number().int() }),
  z.object({ type: z.literal('failed'), id: z.string(), message: z.string() }),
  z.object({ type: z.literal('data'), id: z.string(), data: z.string() }),
  z.object({
    type: z.literal('exit'),
    id: z.string(),
    exitCode: z.number().int().nullable(),
    signal: z.number().int().nullable(),
  }),
])
export type PtyReport = z.infer<typeof PtyReport>

/** Characters handed out and not yet used at which a terminal is held up. */
export const PAUSE_AT_CHARACTERS = 100_000

/** And at which it goes on. */
export const RESUME_AT_CHARACTERS = 5_000
