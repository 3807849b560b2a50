import type { CallPart, StopReason, Usage } from '../../preload/contract/content'
import type { Failure } from '../../preload/contract/errors'
import type { EventBody } from '../../preload/contract/events'
import { isAbort, toFailure } from '../platform/errors'
import type { StreamPart } from '../providers/types'

type StreamedPart =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string; opaque?: string | undefined }
  | CallPart

/** What came of one request to the model. `failure` is set when the stream broke for good or was stopped. */
export interface StreamedMessage {
  parts: StreamedPart[]
  usage: Usage
  stop: StopReason
  failure?: Failure
}

/** Collects a provider's stream into a message and passes each piece on as it comes. */
export async function streamMessage(
  stream: AsyncIterable<StreamPart>,
  signal: AbortSignal,
  emit: (body: EventBody) => void,
): Promise<StreamedMessage> {
  const collector = new Collector(emit)
  try {
    for await (const part of stream) {
      if (signal.aborted) break
      collector.take(part)
    }
  } catch (thrown) {
    if (!isAbort(thrown) && !signal.aborted) return collector.broken('failed', toFailure(thrown))
  }
  if (signal.aborted) return collector.broken('stopped', { code: 'aborted', message: 'Stopped' })
  return collector.message()
}

class Collector {
  readonly #emit: (body: EventBody) => void
  #parts: StreamedPart[] = []
  #complete = new Set<string>()
  #usage: Usage = { input: 0, output: 0 }
  #stop: StopReason | undefined

  constructor(emit: (body: EventBody) => void) {
    this.#emit = emit
  }

  take(part: StreamPart): void {
    switch (part.type) {
      case 'text':
        this.#grow('text', part.delta)
        this.#emit({ type: 'assistant.delta', text: part.delta })
        return
      case 'reasoning':
        this.#grow('reasoning', part.delta)
        this.#emit({ type: 'assistant.delta', reasoning: part.delta })
        return
      case 'reasoning.end':
        this.#closeReasoning(part.opaque)
        return
      case 'call.start':
        this.#parts.push({ type: 'call', call: part.call, tool: part.tool, args: '' })
        this.#emit({ type: 'assistant.delta', call: { call: part.call, tool: part.tool, args: '' } })
        return
      case 'call.args':
        this.#growCall(part.call, part.delta)
        return
      case 'call.end':
        this.#complete.add(part.call)
        return
      case 'usage':
        this.#usage = part.usage
        return
      case 'restart':
        this.#parts = []
        this.#complete = new Set()
        this.#usage = { input: 0, output: 0 }
        this.#emit({ type: 'assistant.delta', restart: true })
        this.#emit({
          type: 'provider.retried',
          attempt: part.attempt,
          of: part.of,
          delayMs: part.delayMs,
          error: { code: part.code, message: part.message },
        })
        return
      case 'notice':
        this.#emit({ type: 'notice', level: 'warn', text: part.text })
        return
      case 'finish':
        this.#stop = part.stop
    }
  }

  message(): StreamedMessage {
    const parts = this.#parts.map((part) =>
      part.type === 'call' && !this.#complete.has(part.call) ? { ...part, cutOff: true } : part,
    )
    return { parts, usage: this.#usage, stop: this.#stop ?? 'done' }
  }

  /** Text that came is kept; calls that never were complete are not. */
  broken(stop: 'failed' | 'stopped', failure: Failure): StreamedMessage {
    return { parts: this.#parts.filter((part) => part.type !== 'call'), usage: this.#usage, stop, failure }
  }

  #grow(type: 'text' | 'reasoning', delta: string): void {
    const last = this.#parts.at(-1)
    // A closed reasoning part is signed as it is; what follows is a part of its own.
    if (last?.type === type && !(last.type === 'reasoning' && last.opaque !== undefined)) last.text += delta
    else this.#parts.push({ type, text: delta })
  }

  #closeReasoning(opaque: string | undefined): void {
    const last = this.#parts.at(-1)
    if (last?.type === 'reasoning' && last.opaque === undefined) last.opaque = opaque
    else this.#parts.push({ type: 'reasoning', text: '', opaque })
  }

  #growCall(call: string, delta: string): void {
    const part = this.#parts.find((candidate) => candidate.type === 'call' && candidate.call === call)
    if (part?.type !== 'call') return
    part.args += delta
    this.#emit({ type: 'assistant.delta', call: { call, tool: part.tool, args: delta } })
  }
}
