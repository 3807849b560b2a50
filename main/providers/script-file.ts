import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { isSystemError, PlumblineError } from '../platform/errors'

/** A script is held in memory; a real one has a few kilobytes. */
const MAX_SCRIPT_BYTES = 64 * 1024 * 1024

const ScriptCall = z
  .object({ tool: z.string().min(1), args: z.json().optional(), raw: z.string().optional() })
  .refine((call) => call.args === undefined || call.raw === undefined, 'a call has either args or raw')

const ScriptFailure = z.union([
  z.object({
    status: z.number().int().min(400).max(599),
    retryAfterMs: z.number().nonnegative().optional(),
    times: z.number().int().positive().default(1),
  }),
  z.object({ drop: z.literal('mid-stream'), times: z.number().int().positive().default(1) }),
])

const count = z.number().int().nonnegative()

/** One model turn of a script, as `headless.md` describes it. */
export const ScriptTurn = z.object({
  text: z.string().optional(),
  reasoning: z.string().optional(),
  calls: z.array(ScriptCall).optional(),
  usage: z
    .object({
      input: count.default(0),
      output: count.default(0),
      cachedInput: count.optional(),
      reasoning: count.optional(),
    })
    .optional(),
  /** Milliseconds between two pieces. */
  chunkMs: z.number().nonnegative().max(3_600_000).optional(),
  /** Characters of a piece. */
  chunkChars: z.number().int().positive().optional(),
  fail: ScriptFailure.optional(),
})
export type ScriptTurn = z.infer<typeof ScriptTurn>

/** A turn and the line of the file that it stands on, from 1. */
export interface ScriptLine {
  line: number
  turn: ScriptTurn
}

/**
 * Reads a script of JSON lines; blank lines are allowed. Throws `not_found` without the file and `invalid_arguments`
 * for a line that can't be played, naming file and line.
 */
export async function readScript(file: string): Promise<ScriptLine[]> {
  const text = await readText(file)
  const lines: ScriptLine[] = []
  for (const [index, content] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (content.trim() === '') continue
    lines.push({ line: index + 1, turn: parseTurn(file, index + 1, content) })
  }
  return lines
}

async function readText(file: string): Promise<string> {
  let bytes: Buffer
  try {
    bytes = await readFile(file)
  } catch (thrown) {
    if (isSystemError(thrown) && thrown.code === 'ENOENT') {
      throw new PlumblineError('not_found', `The script ${file} does not exist.`)
    }
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    throw new PlumblineError('io', `The script ${file} can't be read: ${reason}`)
  }
  if (bytes.byteLength > MAX_SCRIPT_BYTES) throw new PlumblineError('too_large', `The script ${file} is over 64 MB.`)
  return bytes.toString('utf8')
}

function parseTurn(file: string, line: number, content: string): ScriptTurn {
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    throw new PlumblineError('invalid_arguments', `${file}, line ${line}: not JSON. ${reason}`)
  }
  const parsed = ScriptTurn.safeParse(value)
  if (parsed.success) return parsed.data
  const first = parsed.error.issues[0]
  const where = first === undefined || first.path.length === 0 ? 'the line' : first.path.join('.')
  throw new PlumblineError('invalid_arguments', `${file}, line ${line}: ${where}: ${first?.message ?? 'not a turn'}`)
}
