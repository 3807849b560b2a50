import {
  argumentText,
  type Loopback,
  type LoopbackOptions,
  type LoopbackTurn,
  startLoopback,
  type WireEvent,
  type WireFormat,
} from './loopback-server'

/** A server that speaks OpenAI Responses as the vendor's does, faults included. */
export function loopbackOpenAi(options: LoopbackOptions = {}): Promise<Loopback> {
  return startLoopback(format, options)
}

type Context = Parameters<WireFormat['events']>[1]

const format: WireFormat = {
  streamPath: '/v1/responses',
  modelsPath: '/v1/models',
  basePath: '/v1',
  keyOf: (headers) => headers.authorization?.replace(/^Bearer /, ''),
  models: (ids) => ({
    object: 'list',
    data: ids.map((id) => ({ id, object: 'model', created: 1, owned_by: 'loopback' })),
  }),
  events,
  unknown: () => named({ type: 'response.sparkle.delta', sparkle: { deep: [1] } }),
  error: (type, message) => named({ type: 'error', code: type, message, param: null, sequence_number: 99 }),
  filler: (text) =>
    named({ type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: text }),
  errorBody: (status, message) => ({
    error: { message, type: status === 401 ? 'invalid_request_error' : 'server_error', param: null, code: null },
  }),
}

function named(data: Record<string, unknown>): WireEvent {
  return { event: String(data.type), data }
}

function events(turn: LoopbackTurn, context: Context): WireEvent[] {
  const id = `resp_${context.turnNumber}`
  const base = { id, object: 'response', created_at: 1_760_000_000, model: context.model, output: [] }
  const list: WireEvent[] = [
    named({ type: 'response.created', response: { ...base, status: 'in_progress' } }),
    named({ type: 'response.in_progress', response: { ...base, status: 'in_progress' } }),
  ]
  let index = 0
  if (turn.reasoning !== undefined) list.push(...reasoning(turn.reasoning, index++, context))
  if (turn.text !== undefined) list.push(...message(turn.text, index++, context))
  for (const call of turn.calls ?? []) {
    const callId = call.id ?? `call_${context.turnNumber}_${index}`
    list.push(...functionCall(call.tool, callId, argumentText(call), index++, context))
  }
  list.push(finish(turn, base))
  return list
}

function finish(turn: LoopbackTurn, base: Record<string, unknown>): WireEvent {
  const counts = turn.usage ?? { input: 100, output: 20 }
  const usage = {
    input_tokens: counts.input,
    input_tokens_details: { cached_tokens: counts.cachedInput ?? 0 },
    output_tokens: counts.output,
    output_tokens_details: { reasoning_tokens: counts.reasoning ?? 0 },
    total_tokens: counts.input + counts.output,
  }
  const incomplete =
    turn.stop === undefined ? null : { reason: turn.stop === 'length' ? 'max_output_tokens' : 'content_filter' }
  const type = incomplete === null ? 'response.completed' : 'response.incomplete'
  const status = incomplete === null ? 'completed' : 'incomplete'
  return { ...named({ type, response: { ...base, status, incomplete_details: incomplete, usage } }), final: true }
}

function reasoning(text: string, index: number, { turnNumber, pieces }: Context): WireEvent[] {
  const id = `rs_${turnNumber}`
  const at = { item_id: id, output_index: index }
  const list = [
    named({
      type: 'response.output_item.added',
      output_index: index,
      item: { id, type: 'reasoning', summary: [], encrypted_content: '' },
    }),
  ]
  // Two blank lines separate the parts of a summary.
  text.split('\n\n').forEach((part, summary) => {
    list.push(
      named({
        type: 'response.reasoning_summary_part.added',
        ...at,
        summary_index: summary,
        part: { type: 'summary_text', text: '' },
      }),
      ...pieces(part).map((delta) =>
        named({ type: 'response.reasoning_summary_text.delta', ...at, summary_index: summary, delta }),
      ),
      named({ type: 'response.reasoning_summary_text.done', ...at, summary_index: summary, text: part }),
      named({
        type: 'response.reasoning_summary_part.done',
        ...at,
        summary_index: summary,
        part: { type: 'summary_text', text: part },
      }),
    )
  })
  const item = {
    id,
    type: 'reasoning',
    summary: [{ type: 'summary_text', text }],
    encrypted_content: `sealed-${turnNumber}`,
  }
  return [...list, named({ type: 'response.output_item.done', output_index: index, item })]
}

function message(text: string, index: number, { turnNumber, pieces }: Context): WireEvent[] {
  const id = `msg_${turnNumber}`
  const at = { item_id: id, output_index: index, content_index: 0 }
  const part = { type: 'output_text', text, annotations: [] }
  const item = { id, type: 'message', role: 'assistant' }
  return [
    named({
      type: 'response.output_item.added',
      output_index: index,
      item: { ...item, status: 'in_progress', content: [] },
    }),
    named({ type: 'response.content_part.added', ...at, part: { type: 'output_text', text: '', annotations: [] } }),
    ...pieces(text).map((delta) => named({ type: 'response.output_text.delta', ...at, delta, logprobs: [] })),
    named({ type: 'response.output_text.done', ...at, text, logprobs: [] }),
    named({ type: 'response.content_part.done', ...at, part }),
    named({
      type: 'response.output_item.done',
      output_index: index,
      item: { ...item, status: 'completed', content: [part] },
    }),
  ]
}

function functionCall(tool: string, callId: string, args: string, index: number, { pieces }: Context): WireEvent[] {
  const item = { id: `fc_${callId}`, type: 'function_call', call_id: callId, name: tool }
  const at = { item_id: item.id, output_index: index }
  return [
    named({
      type: 'response.output_item.added',
      output_index: index,
      item: { ...item, status: 'in_progress', arguments: '' },
    }),
    ...pieces(args).map((delta) => named({ type: 'response.function_call_arguments.delta', ...at, delta })),
    named({ type: 'response.function_call_arguments.done', ...at, arguments: args }),
    named({
      type: 'response.output_item.done',
      output_index: index,
      item: { ...item, status: 'completed', arguments: args },
    }),
  ]
}
