import {
  argumentText,
  type Loopback,
  type LoopbackOptions,
  type LoopbackTurn,
  startLoopback,
  type WireEvent,
  type WireFormat,
} from './loopback-server'

/** A server that speaks Anthropic Messages as the vendor's does, faults included. */
export function loopbackAnthropic(options: LoopbackOptions = {}): Promise<Loopback> {
  return startLoopback(format, options)
}

type Context = Parameters<WireFormat['events']>[1]

const format: WireFormat = {
  streamPath: '/v1/messages',
  modelsPath: '/v1/models',
  basePath: '',
  keyOf: (headers) => (typeof headers['x-api-key'] === 'string' ? headers['x-api-key'] : undefined),
  models: (ids) => ({
    data: ids.map((id) => ({ type: 'model', id, display_name: id, created_at: '2026-01-01T00:00:00Z' })),
    has_more: false,
    first_id: ids[0] ?? null,
    last_id: ids.at(-1) ?? null,
  }),
  events,
  unknown: () => named({ type: 'sparkle_delta', index: 0, sparkle: { deep: [1] } }),
  error: (type, message) => named({ type: 'error', error: { type, message }, request_id: 'req_1' }),
  filler: (text) => named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  errorBody: (status, message) => ({
    type: 'error',
    error: {
      type: status === 401 ? 'authentication_error' : status === 529 ? 'overloaded_error' : 'api_error',
      message,
    },
    request_id: 'req_1',
  }),
}

function named(data: Record<string, unknown>): WireEvent {
  return { event: String(data.type), data }
}

function events(turn: LoopbackTurn, context: Context): WireEvent[] {
  const counts = turn.usage ?? { input: 100, output: 20 }
  const cached = counts.cachedInput ?? 0
  const usage = {
    input_tokens: counts.input - cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: 1,
  }
  const message = {
    id: `msg_${context.turnNumber}`,
    type: 'message',
    role: 'assistant',
    model: context.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  }
  const list: WireEvent[] = [named({ type: 'message_start', message }), named({ type: 'ping' })]
  let index = 0
  if (turn.unknownEvents === true)
    list.push(...block(index++, { type: 'sparkle', sparkle: '' }, [{ type: 'sparkle_delta', s: 'x' }]))
  if (turn.reasoning !== undefined) {
    const deltas = context.pieces(turn.reasoning).map((thinking) => ({ type: 'thinking_delta', thinking }))
    const signature = { type: 'signature_delta', signature: `signed-${context.turnNumber}` }
    list.push(...block(index++, { type: 'thinking', thinking: '', signature: '' }, [...deltas, signature]))
  }
  if (turn.text !== undefined) {
    const deltas = context.pieces(turn.text).map((text) => ({ type: 'text_delta', text }))
    list.push(...block(index++, { type: 'text', text: '' }, deltas))
  }
  for (const call of turn.calls ?? []) {
    const id = call.id ?? `toolu_${context.turnNumber}_${index}`
    const deltas = context
      .pieces(argumentText(call))
      .map((partial_json) => ({ type: 'input_json_delta', partial_json }))
    const start = { type: 'tool_use', id, name: call.tool, input: {} }
    list.push(...block(index++, start, [{ type: 'input_json_delta', partial_json: '' }, ...deltas]))
  }
  return [...list, ...finish(turn, counts.output)]
}

function block(index: number, start: object, deltas: object[]): WireEvent[] {
  return [
    named({ type: 'content_block_start', index, content_block: start }),
    ...deltas.map((delta) => named({ type: 'content_block_delta', index, delta })),
    named({ type: 'content_block_stop', index }),
  ]
}

function finish(turn: LoopbackTurn, output: number): WireEvent[] {
  const reasons = { length: 'max_tokens', refused: 'refusal' }
  const usual = (turn.calls ?? []).length > 0 ? 'tool_use' : 'end_turn'
  const stop_reason = turn.stop === undefined ? usual : reasons[turn.stop]
  return [
    named({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: output } }),
    { ...named({ type: 'message_stop' }), final: true },
  ]
}
