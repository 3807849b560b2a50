import type { PlumblineError } from '../platform/errors'
import { brokenStream, failureOfStreamError } from './failures'

/** What becomes of one event: handed on, ignored, or the end of the attempt. */
export type Verdict = 'pass' | 'drop' | PlumblineError

/**
 * Judges the raw events of one answer, ahead of the package that reads them: event types nobody knows are ignored,
 * errors get their code, and only the wire's own final event makes an answer whole.
 */
export interface StreamJudge {
  judge(event: Record<string, unknown>): Verdict
  /** The answer is whole: nothing that comes later can make it invalid. */
  readonly whole: boolean
  /** Nothing that matters comes any more; the connection may be closed. */
  readonly over: boolean
}

const RESPONSES_EVENTS: ReadonlySet<string> = new Set([
  'response.created',
  'response.in_progress',
  'response.output_item.added',
  'response.output_item.done',
  'response.content_part.added',
  'response.content_part.done',
  'response.output_text.delta',
  'response.output_text.done',
  'response.refusal.delta',
  'response.refusal.done',
  'response.function_call_arguments.delta',
  'response.function_call_arguments.done',
  'response.reasoning_summary_part.added',
  'response.reasoning_summary_part.done',
  'response.reasoning_summary_text.delta',
  'response.reasoning_summary_text.done',
  'response.reasoning_text.delta',
  'response.reasoning_text.done',
  'response.completed',
  'response.incomplete',
])
const RESPONSES_ITEMS: ReadonlySet<string> = new Set(['message', 'function_call', 'reasoning'])

/** OpenAI Responses: whole with `response.completed` or `response.incomplete`. */
export function judgeResponses(name: string): StreamJudge {
  const state = { whole: false, over: false }
  return {
    get whole() {
      return state.whole
    },
    get over() {
      return state.over
    },
    judge: (event) => {
      const type = text(event.type)
      if (type === 'error') return errorEvent(name, event.error ?? event)
      if (type === 'response.failed') return errorEvent(name, record(event.response).error)
      if (!RESPONSES_EVENTS.has(type)) return 'drop'
      if (type.startsWith('response.output_item.') && !RESPONSES_ITEMS.has(text(record(event.item).type))) return 'drop'
      if (type === 'response.completed' || type === 'response.incomplete') state.whole = state.over = true
      return 'pass'
    },
  }
}

const ANTHROPIC_EVENTS: ReadonlySet<string> = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'ping',
])
const ANTHROPIC_BLOCKS: ReadonlySet<string> = new Set(['text', 'thinking', 'redacted_thinking', 'tool_use'])
const ANTHROPIC_DELTAS: ReadonlySet<string> = new Set([
  'text_delta',
  'thinking_delta',
  'signature_delta',
  'input_json_delta',
])

/** Anthropic Messages: whole with `message_stop` after a `message_delta` that gave the reason. */
export function judgeAnthropic(name: string): StreamJudge {
  const state = { whole: false, reason: false }
  const ignored = new Set<unknown>()
  return {
    get whole() {
      return state.whole
    },
    get over() {
      return state.whole
    },
    judge: (event) => {
      const type = text(event.type)
      if (type === 'error') return errorEvent(name, event.error)
      if (!ANTHROPIC_EVENTS.has(type)) return 'drop'
      if (type === 'content_block_start' && !ANTHROPIC_BLOCKS.has(text(record(event.content_block).type))) {
        ignored.add(event.index)
      }
      if (type.startsWith('content_block_') && ignored.has(event.index)) return 'drop'
      if (type === 'content_block_delta' && !ANTHROPIC_DELTAS.has(text(record(event.delta).type))) return 'drop'
      if (type === 'message_delta' && text(record(event.delta).stop_reason) !== '') state.reason = true
      if (type === 'message_stop') {
        if (!state.reason) return brokenStream(name, 'it ended without a reason')
        state.whole = true
      }
      return 'pass'
    },
  }
}

/** Chat completions: whole with a `finish_reason`; servers differ in whether `[DONE]` and the usage follow. */
export function judgeChat(name: string): StreamJudge {
  const state = { whole: false }
  return {
    get whole() {
      return state.whole
    },
    over: false,
    judge: (event) => {
      if (event.error !== undefined && event.error !== null) return errorEvent(name, event.error)
      if (!Array.isArray(event.choices)) return 'drop'
      const reason = text(record(event.choices[0]).finish_reason)
      if (reason === 'error') return brokenStream(name, 'the server gave up')
      if (reason !== '') state.whole = true
      return 'pass'
    },
  }
}

function errorEvent(name: string, error: unknown): PlumblineError {
  if (typeof error === 'string') return failureOfStreamError(name, 'error', error)
  const fields = record(error)
  const kind = [fields.code, fields.type].map(text).find((value) => value !== '' && value !== 'error') ?? 'error'
  return failureOfStreamError(name, kind, text(fields.message))
}

function record(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

/** Plain JSON objects only. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}
