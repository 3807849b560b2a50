import { randomBytes } from 'node:crypto'
import type { LanguageModelV3StreamPart, SharedV3ProviderMetadata } from '@ai-sdk/provider'
import { isRecord } from './judge'
import { sealOpaque } from './prompt'
import type { ModelRequest, StreamPart } from './types'

interface OpenCall {
  id: string
  tool: string
  args: string
  complete: boolean
}

/**
 * Turns the parts of a provider's package into ours. Calls get ids that are new in the conversation and are closed
 * only with the final event; pieces of reasoning that belong together become one, with everything the provider wants
 * to see again at its end.
 */
export class PartTranslator {
  readonly #provider: string
  readonly #usedIds: Set<string>
  readonly #calls = new Map<string, OpenCall>()
  #metadata: SharedV3ProviderMetadata | undefined
  #reasoning: 'none' | 'open' | 'ended' = 'none'

  constructor(provider: string, request: ModelRequest) {
    this.#provider = provider
    this.#usedIds = new Set(
      request.messages.flatMap((message) =>
        message.role === 'assistant'
          ? message.content.flatMap((part) => (part.type === 'call' ? [part.call] : []))
          : [],
      ),
    )
  }

  /** Our parts for one of theirs; throws what an `error` part holds. */
  translate(part: LanguageModelV3StreamPart): StreamPart[] {
    switch (part.type) {
      case 'text-delta':
        return part.delta === '' ? [] : [...this.#endReasoning(), { type: 'text', delta: part.delta }]
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        return this.#reason(part)
      case 'tool-input-start':
        return part.providerExecuted === true ? [] : [...this.#endReasoning(), this.#start(part.id, part.toolName)]
      case 'tool-input-delta':
        return this.#grow(part.id, part.delta)
      case 'tool-call':
        return part.providerExecuted === true ? [] : this.#complete(part.toolCallId, part.toolName, part.input)
      case 'finish':
        return [...this.#endReasoning(), ...this.#finish(part)]
      case 'error':
        throw part.error instanceof Error ? part.error : new Error(String(part.error))
      default:
        return []
    }
  }

  #reason(part: Extract<LanguageModelV3StreamPart, { type: `reasoning-${string}` }>): StreamPart[] {
    const parts: StreamPart[] = []
    if (part.type === 'reasoning-start') {
      // A model's summary comes in several pieces of one item, which only together can be sent back.
      if (this.#reasoning === 'ended' && sameItem(this.#metadata, part.providerMetadata)) {
        parts.push({ type: 'reasoning', delta: '\n\n' })
      } else parts.push(...this.#endReasoning())
      this.#reasoning = 'open'
    }
    if (part.type === 'reasoning-delta' && part.delta !== '') parts.push({ type: 'reasoning', delta: part.delta })
    this.#metadata = merge(this.#metadata, part.providerMetadata)
    if (part.type === 'reasoning-end') this.#reasoning = 'ended'
    return parts
  }

  #endReasoning(): StreamPart[] {
    if (this.#reasoning === 'none') return []
    const opaque = this.#metadata === undefined ? undefined : sealOpaque(this.#provider, this.#metadata)
    this.#reasoning = 'none'
    this.#metadata = undefined
    return [opaque === undefined ? { type: 'reasoning.end' } : { type: 'reasoning.end', opaque }]
  }

  #start(theirs: string, tool: string): StreamPart {
    const id =
      this.#usedIds.has(theirs) || theirs === '' ? `${theirs.slice(0, 40)}_${randomBytes(6).toString('hex')}` : theirs
    this.#usedIds.add(id)
    this.#calls.set(theirs, { id, tool, args: '', complete: false })
    return { type: 'call.start', call: id, tool }
  }

  #grow(theirs: string, delta: string): StreamPart[] {
    const call = this.#calls.get(theirs)
    if (call === undefined || delta === '') return []
    call.args += delta
    return [{ type: 'call.args', call: call.id, delta }]
  }

  #complete(theirs: string, tool: string, input: string): StreamPart[] {
    const parts: StreamPart[] = []
    if (!this.#calls.has(theirs)) parts.push(...this.#endReasoning(), this.#start(theirs, tool))
    const call = this.#calls.get(theirs)
    if (call === undefined) return parts
    if (input.startsWith(call.args)) parts.push(...this.#grow(theirs, input.slice(call.args.length)))
    call.complete = true
    return parts
  }

  #finish(part: Extract<LanguageModelV3StreamPart, { type: 'finish' }>): StreamPart[] {
    const { inputTokens, outputTokens } = part.usage
    const calls = [...this.#calls.values()]
    const cut = part.finishReason.unified === 'length'
    const parts: StreamPart[] = calls
      .filter((call) => call.complete && !(cut && !isJson(call.args)))
      .map((call) => ({ type: 'call.end', call: call.id }))
    parts.push({
      type: 'usage',
      usage: {
        input: tokens(inputTokens.total) ?? 0,
        output: tokens(outputTokens.total) ?? 0,
        ...optional('cachedInput', tokens(inputTokens.cacheRead)),
        ...optional('reasoning', tokens(outputTokens.reasoning)),
      },
    })
    parts.push({ type: 'finish', stop: stopOf(part.finishReason.unified, calls.length > 0) })
    return parts
  }
}

type Unified = Extract<LanguageModelV3StreamPart, { type: 'finish' }>['finishReason']['unified']

function stopOf(unified: Unified, hasCalls: boolean): Extract<StreamPart, { type: 'finish' }>['stop'] {
  if (unified === 'length') return 'length'
  if (unified === 'content-filter') return 'refused'
  return hasCalls ? 'calls' : 'done'
}

function tokens(value: number | undefined): number | undefined {
  return value === undefined || !Number.isFinite(value) || value < 0 ? undefined : Math.round(value)
}

function optional<Key extends string>(key: Key, value: number | undefined): Partial<Record<Key, number>> {
  const result: Partial<Record<Key, number>> = {}
  if (value !== undefined) result[key] = value
  return result
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function merge(
  first: SharedV3ProviderMetadata | undefined,
  second: SharedV3ProviderMetadata | undefined,
): SharedV3ProviderMetadata | undefined {
  if (first === undefined || second === undefined) return first ?? second
  const merged: SharedV3ProviderMetadata = { ...first }
  for (const [name, fields] of Object.entries(second)) {
    const known = Object.fromEntries(
      Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
    )
    merged[name] = { ...merged[name], ...known }
  }
  return merged
}

function sameItem(first: SharedV3ProviderMetadata | undefined, second: SharedV3ProviderMetadata | undefined): boolean {
  const id = itemId(first)
  return id !== undefined && id === itemId(second)
}

function itemId(metadata: SharedV3ProviderMetadata | undefined): unknown {
  for (const fields of Object.values(metadata ?? {})) if (isRecord(fields) && 'itemId' in fields) return fields.itemId
  return undefined
}
