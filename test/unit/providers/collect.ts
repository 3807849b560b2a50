import type { ModelMessage, ModelRequest, Provider, StreamPart } from '../../../main/providers/types'

export function request(
  messages: ModelMessage[] = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
): ModelRequest {
  return { model: 'm1', system: '', messages, tools: [] }
}

/** All parts of one stream, and what it threw. */
export async function collect(
  provider: Provider,
  asked: ModelRequest = request(),
  signal: AbortSignal = new AbortController().signal,
): Promise<{ parts: StreamPart[]; thrown: unknown }> {
  const parts: StreamPart[] = []
  try {
    for await (const part of provider.stream(asked, signal)) parts.push(part)
    return { parts, thrown: undefined }
  } catch (thrown) {
    return { parts, thrown }
  }
}

export function textOf(parts: readonly StreamPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.delta : '')).join('')
}

/** The calls as they stand at the end, restarts taken into account. */
export function callsOf(parts: readonly StreamPart[]): { call: string; tool: string; args: string; ended: boolean }[] {
  let calls: { call: string; tool: string; args: string; ended: boolean }[] = []
  for (const part of parts) {
    if (part.type === 'restart') calls = []
    if (part.type === 'call.start') calls.push({ call: part.call, tool: part.tool, args: '', ended: false })
    for (const call of calls) {
      if (part.type === 'call.args' && part.call === call.call) call.args += part.delta
      if (part.type === 'call.end' && part.call === call.call) call.ended = true
    }
  }
  return calls
}
