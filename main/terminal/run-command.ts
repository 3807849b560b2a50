import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { SessionEvent } from '../../preload/contract/events'
import { transientEventTypes } from '../../preload/contract/events'
import type { PromptContent } from '../../preload/contract/session'
import { itemAt, type SessionState } from '../../preload/contract/session-state'
import type { AgentSession } from '../agent/session'
import { PlumblineError, toFailure } from '../platform/errors'
import { ExitCode, type RunArguments } from './arguments'
import { writeLine, writeText } from './output'
import { checkAgainstSchema, loadSchema } from './output-schema'

/** How long a prompt of the command line waits for more on an open standard input that says nothing, in milliseconds. */
const QUIET_MS = 3_000

/** Bytes of standard input that are added to a prompt. */
const MAX_INPUT_BYTES = 16 * 1024 * 1024

/** A session counts its answers, so one that goes on needs a script that is longer than they are many. */
const SCRIPT_ENDED = 'The script has no turn left: it is played from behind as many lines as the session has answers.\n'

const imageTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
}

/** The prompt of `plumbline run`: `--prompt`, then what standard input holds, then the images. */
export async function promptContent(args: RunArguments, input: Readable | undefined): Promise<PromptContent[]> {
  const piped = input === undefined ? '' : await readAll(input, args.prompt === undefined ? undefined : QUIET_MS)
  const text = [args.prompt, piped.trim() === '' ? undefined : piped].filter((part) => part !== undefined).join('\n\n')
  const images = await Promise.all(args.images.map(readImage))
  if (text.trim() === '' && images.length === 0) {
    throw new PlumblineError(
      'invalid_arguments',
      'There is no prompt. Give one with --prompt TEXT or on standard input.',
    )
  }
  return [...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]), ...images]
}

/** Works one prompt until the model stops and prints what `--output` asks for. Answers the exit code. */
export async function runPrompt(
  session: AgentSession,
  content: readonly PromptContent[],
  args: RunArguments,
  output: Writable,
): Promise<number> {
  // Before the first turn: nobody wants to pay for an answer that can't be checked.
  const schema = args.outputSchema === undefined ? undefined : await loadSchema(args.outputSchema)
  // What was journaled when the session was made comes first.
  if (args.output === 'stream-json' && session.state.turn === 0) {
    for await (const event of session.history()) await printEvent(output, event)
  }
  const unsubscribe =
    args.output === 'stream-json' ? session.subscribe((event) => void printEvent(output, event)) : () => undefined
  try {
    await session.prompt(content)
    const end = await session.idle()
    if (session.failure) throw new PlumblineError(session.failure.code, session.failure.message)
    const answer = lastAnswer(session.state)
    const problem = schema && checkAgainstSchema(answer, schema)
    if (args.output === 'text') {
      if (answer !== '') await writeText(output, `${answer}\n`)
    } else if (args.output === 'json') {
      const { usage, cost } = session.state
      await writeLine(output, { session: session.id, result: answer, usage, cost, stopReason: end?.stop ?? 'done' })
    }
    if (end?.stop === 'script_ended') process.stderr.write(SCRIPT_ENDED)
    if (end?.error) process.stderr.write(`${end.error.message}\n`)
    if (problem !== undefined) process.stderr.write(`The answer does not fit the schema: ${problem}\n`)
    return exitCode(end?.stop, session.lastTurnDenied, problem !== undefined)
  } finally {
    await unsubscribe()
  }
}

function printEvent(output: Writable, event: SessionEvent): Promise<void> {
  return transientEventTypes.has(event.type) ? Promise.resolve() : writeLine(output, event)
}

function exitCode(stop: string | undefined, denied: boolean, misfit: boolean): number {
  switch (stop) {
    case 'failed':
    case 'refused':
      return ExitCode.failed
    case 'stopped':
      return ExitCode.interrupted
    case 'max_turns':
    case 'budget':
      return ExitCode.budget
    default:
      if (denied) return ExitCode.denied
      return misfit ? ExitCode.schema : ExitCode.done
  }
}

function lastAnswer(state: SessionState): string {
  for (let index = state.length - 1; index >= 0; index -= 1) {
    const item = itemAt(state, index)
    if (item === undefined || item.kind === 'prompt') return ''
    if (item.kind !== 'message') continue
    const text = item.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
    if (text !== '') return text
  }
  return ''
}

/** All of the input; with `quietMs`, nothing where not even its first byte came in that time. */
async function readAll(input: Readable, quietMs: number | undefined): Promise<string> {
  if (quietMs !== undefined && !(await speaks(input, quietMs))) {
    process.stderr.write(`plumbline: nothing came on standard input for ${quietMs / 1000} s; going on without it\n`)
    input.destroy()
    return ''
  }
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of input) {
    const buffer = Buffer.from(chunk)
    bytes += buffer.byteLength
    if (bytes > MAX_INPUT_BYTES)
      throw new PlumblineError('too_large', 'Standard input has over 16 MiB. Put it in a file and name the file.')
    chunks.push(buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Whether the stream has something to read, or its end, before the time is over. */
async function speaks(input: Readable, quietMs: number): Promise<boolean> {
  const quiet = new AbortController()
  const timer = setTimeout(() => quiet.abort(), quietMs)
  try {
    await once(input, 'readable', { signal: quiet.signal })
    return true
  } catch (failure) {
    if (quiet.signal.aborted) return false
    throw failure
  } finally {
    clearTimeout(timer)
  }
}

async function readImage(path: string): Promise<PromptContent> {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  const mimeType = imageTypes[extension]
  if (mimeType === undefined)
    throw new PlumblineError('invalid_arguments', `${path} is not a PNG, JPEG, GIF or WebP image.`)
  const data = await readFile(path).catch((failure: unknown) => {
    const reason = toFailure(failure).code === 'not_found' ? 'does not exist' : 'can not be read'
    throw new PlumblineError('invalid_arguments', `The image ${path} ${reason}.`, { cause: failure })
  })
  return { type: 'image', name: basename(path), mimeType, data: new Uint8Array(data) }
}
