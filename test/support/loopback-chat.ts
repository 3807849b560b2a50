import {
  argumentText,
  type Loopback,
  type LoopbackOptions,
  type LoopbackTurn,
  startLoopback,
  type WireEvent,
  type WireFormat,
} from './loopback-server'

/** A server that speaks chat completions as Ollama, LM Studio and llama.cpp do, faults included. */
export function loopbackChat(options: LoopbackOptions = {}): Promise<Loopback> {
  return startLoopback(format, options)
}

type Context = Parameters<WireFormat['events']>[1]

const format: WireFormat = {
  streamPath: '/v1/chat/completions',
  modelsPath: '/v1/models',
  basePath: '/v1',
  keyOf: (headers) => headers.authorization?.replace(/^Bearer /, ''),
  models: (ids) => ({
    object: 'list',
    data: ids.map((id) => ({ id, object: 'model', created: 1, owned_by: 'library' })),
  }),
  events,
  unknown: () => ({ event: 'sparkle', data: { object: 'sparkle', timings: { deep: [1] } } }),
  error: (type, message) => ({ data: { error: { type, message, code: null } } }),
  filler: (text) => ({ data: chunk(0, 'm', { content: text }) }),
  errorBody: (_status, message) => ({ error: { message, type: 'api_error', param: null, code: null } }),
}

function chunk(turn: number, model: string, delta: object, finish: string | null = null): Record<string, unknown> {
  return {
    id: `chatcmpl-${turn}`,
    object: 'chat.completion.chunk',
    created: 1_760_000_000,
    model,
    choices: [{ index: 0, delta, finish_reason: finish }],
  }
}

function events(turn: LoopbackTurn, { turnNumber, model, pieces }: Context): WireEvent[] {
  const say = (delta: object): WireEvent => ({ data: chunk(turnNumber, model, delta) })
  const list: WireEvent[] = [say({ role: 'assistant', content: '' })]
  for (const text of pieces(turn.reasoning ?? '')) list.push(say({ reasoning_content: text }))
  for (const text of pieces(turn.text ?? '')) list.push(say({ content: text }))
  for (const [index, call] of (turn.calls ?? []).entries()) {
    const id = call.id ?? `call_${turnNumber}_${index}`
    list.push(say({ tool_calls: [{ index, id, type: 'function', function: { name: call.tool, arguments: '' } }] }))
    for (const piece of pieces(argumentText(call)))
      list.push(say({ tool_calls: [{ index, function: { arguments: piece } }] }))
  }
  const usual = (turn.calls ?? []).length > 0 ? 'tool_calls' : 'stop'
  const reasons = { length: 'length', refused: 'content_filter' }
  const reason = turn.stop === undefined ? usual : reasons[turn.stop]
  const counts = turn.usage ?? { input: 100, output: 20 }
  const usage = {
    prompt_tokens: counts.input,
    completion_tokens: counts.output,
    total_tokens: counts.input + counts.output,
    prompt_tokens_details: { cached_tokens: counts.cachedInput ?? 0 },
    completion_tokens_details: { reasoning_tokens: counts.reasoning ?? 0 },
  }
  return [
    ...list,
    { data: chunk(turnNumber, model, {}, reason), final: true },
    { data: { ...chunk(turnNumber, model, {}), choices: [], usage }, final: true },
    { data: '[DONE]', final: true },
  ]
}
