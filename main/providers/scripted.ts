import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { ModelInfo } from '../../preload/contract/provider'
import { abortError, type Clock, systemClock } from '../platform/clock'
import { PlumblineError } from '../platform/errors'
import { brokenStream, failureOfStatus } from './failures'
import { readScript, type ScriptLine, type ScriptTurn } from './script-file'
import type { ModelMessage, ModelRequest, Provider, StreamPart } from './types'

/** How scripts are called wherever a model is named. */
export const SCRIPTED_LABEL = 'script, no model'

/** Characters of a piece when only the pace is given. */
const PACED_CHUNK_CHARACTERS = 16

export interface ScriptedOptions {
  /** The script, absolute or relative to `cwd`. */
  file: string
  cwd: string
  /** The newest tag of a file in this session; the path is as the script writes it. */
  tagOf(path: string): string | undefined
  clock?: Clock
}

/**
 * Plays a file of JSON lines, one model turn a line, in order. One instance serves one session: the first request
 * starts behind as many lines as it holds messages of the assistant (so a resumed session goes on where it was), each
 * finished turn moves on by one, and a turn that the person stopped counts as played once something of it was shown.
 * The file is read at the first request. When it is used up the turn ends with `script_ended`.
 */
export class ScriptedProvider implements Provider {
  readonly id = 'scripted'
  readonly #options: ScriptedOptions
  readonly #file: string
  readonly #clock: Clock
  readonly #failed = new Map<number, number>()
  #lines: Promise<ScriptLine[]> | undefined
  #position: number | undefined

  constructor(options: ScriptedOptions) {
    this.#options = options
    this.#file = path.resolve(options.cwd, options.file)
    this.#clock = options.clock ?? systemClock
  }

  async models(): Promise<ModelInfo[]> {
    return [scriptedModel(this.#options.file)]
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamPart> {
    if (signal.aborted) throw abortError()
    const lines = await this.#read()
    this.#position ??= countTurns(request.messages)
    const position = this.#position
    const current = lines[position]
    if (current === undefined) {
      yield { type: 'usage', usage: { input: 0, output: 0 } }
      yield { type: 'finish', stop: 'script_ended' }
      return
    }
    let shown = false
    let finished = false
    try {
      for await (const part of this.#play(current, request, signal)) {
        shown = true
        // Moved on before the part is handed out: nobody asks for another one after the last.
        if (part.type === 'finish') {
          finished = true
          this.#position = position + 1
        }
        yield part
      }
    } finally {
      if (!finished && shown && signal.aborted) this.#position = position + 1
    }
  }

  #read(): Promise<ScriptLine[]> {
    this.#lines ??= readScript(this.#file).catch((thrown: unknown) => {
      this.#lines = undefined
      throw thrown
    })
    return this.#lines
  }

  async *#play({ line, turn }: ScriptLine, request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamPart> {
    const drop = this.#failFirst(line, turn)
    const parts = [...this.#parts(line, turn, request)]
    const last = drop ? Math.ceil(parts.length / 2) : parts.length
    for (const [index, part] of parts.slice(0, last).entries()) {
      if (index > 0 && turn.chunkMs !== undefined && 'delta' in part) await this.#clock.sleep(turn.chunkMs, signal)
      if (signal.aborted) throw abortError()
      yield part
    }
    if (drop) throw brokenStream(this.id, `the script drops the stream here (line ${line})`)
    const usage = turn.usage ?? { input: 0, output: 0 }
    yield { type: 'usage', usage }
    yield { type: 'finish', stop: (turn.calls ?? []).length > 0 ? 'calls' : 'done' }
  }

  /** Throws where the line says so; answers whether the stream is to be dropped in the middle. */
  #failFirst(line: number, { fail }: ScriptTurn): boolean {
    if (fail === undefined) return false
    const before = this.#failed.get(line) ?? 0
    if (before >= fail.times) return false
    this.#failed.set(line, before + 1)
    if ('drop' in fail) return true
    throw failureOfStatus(this.id, {
      status: fail.status,
      retryAfterMs: fail.retryAfterMs,
      body: `script, line ${line}`,
    })
  }

  *#parts(line: number, turn: ScriptTurn, request: ModelRequest): Generator<StreamPart> {
    const fill = (text: string) => this.#substitute(text, line, request)
    const pieces = (text: string) => split(text, turn)
    if (turn.reasoning !== undefined) {
      for (const delta of pieces(fill(turn.reasoning))) yield { type: 'reasoning', delta }
      yield { type: 'reasoning.end' }
    }
    if (turn.text !== undefined) for (const delta of pieces(fill(turn.text))) yield { type: 'text', delta }
    for (const { tool, args, raw } of turn.calls ?? []) {
      const call = `script_${line}_${randomBytes(6).toString('hex')}`
      const text = raw === undefined ? JSON.stringify(fillAll(args ?? {}, fill)) : fill(raw)
      yield { type: 'call.start', call, tool }
      for (const delta of pieces(text)) yield { type: 'call.args', call, delta }
      yield { type: 'call.end', call }
    }
  }

  #substitute(text: string, line: number, request: ModelRequest): string {
    return text.replace(/\{\{(tag|result):([^{}]+)\}\}/g, (_whole, kind: string, name: string) => {
      const found = kind === 'tag' ? this.#options.tagOf(name) : resultText(request.messages, Number(name))
      if (found !== undefined) return found
      const missing = kind === 'tag' ? `no tag for ${name} yet` : `no tool result number ${name} yet`
      throw new PlumblineError('invalid_arguments', `${this.#file}, line ${line}: there is ${missing}.`)
    })
  }
}

/** What lists say about a script. */
export function scriptedModel(file: string): ModelInfo {
  return { ref: `scripted:${file}`, label: `${path.basename(file)} (${SCRIPTED_LABEL})`, images: true }
}

function countTurns(messages: readonly ModelMessage[]): number {
  return messages.filter((message) => message.role === 'assistant').length
}

function resultText(messages: readonly ModelMessage[], number: number): string | undefined {
  const result = messages.filter((message) => message.role === 'tool')[number - 1]
  return result?.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

type Json = NonNullable<ScriptTurn['calls']>[number]['args']

function fillAll(value: Json, fill: (text: string) => string): Json {
  if (typeof value === 'string') return fill(value)
  if (Array.isArray(value)) return value.map((item) => fillAll(item, fill) ?? null)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillAll(item, fill) ?? null]))
}

function split(text: string, { chunkMs, chunkChars }: ScriptTurn): string[] {
  if (text === '') return []
  if (chunkMs === undefined && chunkChars === undefined) return [text]
  const size = chunkChars ?? PACED_CHUNK_CHARACTERS
  const pieces: string[] = []
  let piece = ''
  let length = 0
  for (const character of text) {
    piece += character
    length += 1
    if (length === size) {
      pieces.push(piece)
      piece = ''
      length = 0
    }
  }
  if (piece !== '') pieces.push(piece)
  return pieces
}
