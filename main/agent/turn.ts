import { performance } from 'node:perf_hooks'
import type { CallPart, StopReason, Usage } from '../../preload/contract/content'
import type { Failure } from '../../preload/contract/errors'
import type { EventBody } from '../../preload/contract/events'
import type { ModelRef } from '../../preload/contract/ids'
import { addUsage } from '../../preload/contract/reduce'
import type { ModelContent, Provider, ToolSpec } from '../providers/types'
import type { CallOutcome, CallRequest } from '../toolsets/calls'
import type { ModelContext } from './model-context'
import { modelIdOf } from './models'
import { type StreamedMessage, streamMessage } from './stream-message'

/** What one turn works with. Everything that may change while it runs is a function. */
export interface TurnParts {
  context: ModelContext
  provider: Provider
  model: ModelRef
  system(): string
  tools(): readonly ToolSpec[]
  runCalls(requests: readonly CallRequest[], signal: AbortSignal): Promise<CallOutcome[]>
  /** Takes what the person wants to say between two requests; journals it as prompts. */
  takeSteering(): Promise<readonly (readonly ModelContent[])[]>
  cost(usage: Usage): number | undefined
  emit(body: EventBody): void
  /** Requests to the model that one turn may make. */
  maxRequests: number
}

export interface TurnResult {
  stop: StopReason
  usage: Usage
  cost: number | undefined
  error?: Failure
  /** The last round of calls had one that was denied. */
  denied: boolean
}

/**
 * Works until the model stops asking for calls: request, stream, calls side by side, results, steering, again. Ends
 * with `stopped` after an abort, `failed` after an error that retries did not mend, `max_turns` at the limit.
 */
export async function runTurn(parts: TurnParts, signal: AbortSignal): Promise<TurnResult> {
  const result: TurnResult = { stop: 'done', usage: { input: 0, output: 0 }, cost: undefined, denied: false }
  for (let request = 0; ; request += 1) {
    if (request === parts.maxRequests) return { ...result, stop: 'max_turns' }
    const started = performance.now()
    const message = await requestMessage(parts, signal)
    account(parts, message, result, Math.round(performance.now() - started))
    if (message.failure) {
      return { ...result, stop: message.stop, ...(message.stop === 'failed' && { error: message.failure }) }
    }
    const calls = message.parts.flatMap((part) => (part.type === 'call' ? [part] : []))
    if (calls.length === 0) {
      const steered = await deliverSteering(parts)
      if (!steered) return { ...result, stop: message.stop === 'calls' ? 'done' : message.stop }
      continue
    }
    const outcomes = await parts.runCalls(calls.map(toRequest), signal)
    for (const outcome of outcomes) parts.context.addResult(outcome, outcome.content)
    result.denied = outcomes.some((outcome) => outcome.error?.code === 'permission_denied')
    if (signal.aborted) return { ...result, stop: 'stopped' }
    await deliverSteering(parts)
  }
}

function requestMessage(parts: TurnParts, signal: AbortSignal): Promise<StreamedMessage> {
  const stream = parts.provider.stream(
    {
      model: modelIdOf(parts.model),
      system: parts.system(),
      messages: [...parts.context.messages],
      tools: parts.tools(),
    },
    signal,
  )
  return streamMessage(stream, signal, parts.emit)
}

function account(parts: TurnParts, message: StreamedMessage, result: TurnResult, ms: number): void {
  const cost = parts.cost(message.usage)
  result.usage = addUsage(result.usage, message.usage)
  if (cost !== undefined) result.cost = (result.cost ?? 0) + cost
  // A request that failed before it said anything leaves no message behind.
  if (message.failure && message.parts.length === 0) return
  parts.context.addAssistant(message.parts)
  parts.emit({
    type: 'assistant.message',
    model: parts.model,
    content: message.parts,
    usage: message.usage,
    cost,
    stop: message.stop,
    ms,
  })
}

async function deliverSteering(parts: TurnParts): Promise<boolean> {
  const prompts = await parts.takeSteering()
  for (const prompt of prompts) parts.context.addPrompt(prompt)
  return prompts.length > 0
}

function toRequest(part: CallPart): CallRequest {
  return { id: part.call, tool: part.tool, args: { text: part.args }, ...(part.cutOff && { cutOff: true }) }
}
