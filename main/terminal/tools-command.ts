import type { Readable, Writable } from 'node:stream'
import { z } from 'zod'
import type { Failure } from '../../preload/contract/errors'
import type { CallOutcome, CallRequest } from '../toolsets/calls'
import type { RegisteredTool } from '../toolsets/define'
import { MAX_NESTING, nestsDeeperThan } from '../toolsets/nesting'
import { type InputText, inputLines } from './input-lines'
import { writeLine } from './output'

/** How long the next line of a batch may take before the batch runs with what it has, in milliseconds. */
const BATCH_QUIET_MS = 150

/** Bytes of an input line; a write of 50 MB with every byte escaped fits. */
const MAX_LINE_BYTES = 400 * 1024 * 1024

/** Lines that wait for their turn before no more are read; a writer that is faster then waits. */
const MAX_WAITING_LINES = 10_000

/** Characters of a tool's name. */
const MAX_NAME_CHARACTERS = 256

const InputLine = z.object({
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  tool: z.string().min(1).max(MAX_NAME_CHARACTERS),
  args: z.unknown().optional(),
  batch: z.union([z.string(), z.number()]).optional(),
})
type InputLine = z.infer<typeof InputLine>

export interface ToolSession {
  runCalls(requests: readonly CallRequest[], signal: AbortSignal): Promise<CallOutcome[]>
}

/**
 * `plumbline tools`: one JSON object a line in, one a line out, in input order. Lines with the same `batch` that follow
 * each other run as one parallel batch. Ends with the input.
 */
export async function serveTools(
  session: ToolSession,
  input: Readable,
  output: Writable,
  signal: AbortSignal,
): Promise<void> {
  const server = new LineServer(session, output, signal)
  const stop = () => void input.destroy()
  signal.addEventListener('abort', stop, { once: true })
  for await (const line of inputLines(input, MAX_LINE_BYTES)) {
    if (signal.aborted) break
    server.accept(line)
    if (server.waiting >= MAX_WAITING_LINES) await server.caughtUp()
  }
  signal.removeEventListener('abort', stop)
  await server.finish()
}

class LineServer {
  readonly #session: ToolSession
  readonly #output: Writable
  readonly #signal: AbortSignal
  #batch: { name: string | number; lines: InputLine[] } | undefined
  #quiet: NodeJS.Timeout | undefined
  #work: Promise<void> = Promise.resolve()
  #sequence = 0

  constructor(session: ToolSession, output: Writable, signal: AbortSignal) {
    this.#session = session
    this.#output = output
    this.#signal = signal
  }

  /** Lines that were accepted and not answered. */
  waiting = 0

  accept(input: InputText): void {
    if ('text' in input && input.text.trim() === '') return
    this.waiting += 1
    const parsed = parseLine(input)
    if ('failure' in parsed) {
      this.#runBatch()
      this.#enqueue(1, () =>
        writeLine(this.#output, { id: parsed.id, ok: false, content: parsed.failure.message, error: parsed.failure }),
      )
      return
    }
    const { line } = parsed
    if (line.batch === undefined || line.batch !== this.#batch?.name) this.#runBatch()
    if (line.batch === undefined) {
      this.#enqueue(1, () => this.#run([line]))
      return
    }
    this.#batch ??= { name: line.batch, lines: [] }
    this.#batch.lines.push(line)
    clearTimeout(this.#quiet)
    this.#quiet = setTimeout(() => this.#runBatch(), BATCH_QUIET_MS)
  }

  /** Everything that was accepted is answered. */
  async caughtUp(): Promise<void> {
    this.#runBatch()
    await this.#work
  }

  async finish(): Promise<void> {
    await this.caughtUp()
  }

  #runBatch(): void {
    clearTimeout(this.#quiet)
    const batch = this.#batch
    this.#batch = undefined
    if (batch !== undefined) this.#enqueue(batch.lines.length, () => this.#run(batch.lines))
  }

  #enqueue(lines: number, job: () => Promise<void>): void {
    this.#work = this.#work.then(job).then(() => {
      this.waiting -= lines
    })
  }

  async #run(lines: readonly InputLine[]): Promise<void> {
    const requests = lines.map((line): CallRequest => {
      this.#sequence += 1
      return { id: `call_${this.#sequence}`, tool: line.tool, args: { value: line.args ?? {} } }
    })
    const outcomes = await this.#session.runCalls(requests, this.#signal)
    for (const [index, line] of lines.entries()) {
      const outcome = outcomes[index]
      if (outcome !== undefined) await writeLine(this.#output, answerOf(line.id ?? null, outcome))
    }
  }
}

type ParsedLine = { line: InputLine } | { id: string | number | null; failure: Failure }

function parseLine(input: InputText): ParsedLine {
  if ('problem' in input) {
    return input.problem === 'too_large'
      ? refused('too_large', `The line has over ${MAX_LINE_BYTES} bytes.`)
      : refused('invalid_payload', 'The line is not UTF-8. Nothing was executed.')
  }
  let value: unknown
  try {
    value = JSON.parse(input.text)
  } catch {
    return refused(
      'invalid_payload',
      'The line is not JSON. Send one JSON object a line: {"id": 1, "tool": "read", "args": {…}}',
    )
  }
  const id = z.object({ id: z.union([z.string(), z.number()]) }).safeParse(value)
  const known = id.success ? id.data.id : null
  if (nestsDeeperThan(value, MAX_NESTING)) {
    return refused('invalid_payload', `The line is nested deeper than ${MAX_NESTING} levels.`, known)
  }
  const parsed = InputLine.safeParse(value)
  if (parsed.success) return { line: parsed.data }
  const problem = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'line'}: ${issue.message}`).join('; ')
  return refused('invalid_payload', `The line is not a call. ${problem}`, known)
}

function refused(code: Failure['code'], message: string, id: string | number | null = null): ParsedLine {
  return { id, failure: { code, message } }
}

function answerOf(id: string | number | null, outcome: CallOutcome): Record<string, unknown> {
  const text = outcome.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  const images = outcome.content.flatMap((part) =>
    part.type === 'image' ? [{ mimeType: part.mimeType, data: Buffer.from(part.data).toString('base64') }] : [],
  )
  return {
    id,
    ok: outcome.ok,
    content: text,
    details: outcome.details ?? {},
    ...(outcome.error && { error: outcome.error }),
    ...(images.length > 0 && { images }),
  }
}

/** `plumbline tools --list`: the catalogue of a toolset. */
export function describeTools(tools: readonly RegisteredTool[]): Record<string, unknown>[] {
  return tools.map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    approval: tool.approval,
    ...(tool.grantKind !== undefined && { grantKey: tool.grantKind }),
    inputSchema: tool.inputSchema,
  }))
}
