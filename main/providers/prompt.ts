import { createHash } from 'node:crypto'
import type { LanguageModelV3CallOptions, LanguageModelV3Message, SharedV3ProviderOptions } from '@ai-sdk/provider'
import { z } from 'zod'
import type { ModelAssistantPart, ModelContent, ModelMessage, ModelRequest } from './types'

type Content<Role extends LanguageModelV3Message['role']> = Extract<LanguageModelV3Message, { role: Role }>['content']

export interface PromptOptions {
  /** The provider's name: reasoning of another provider is left out, since it can't be checked there. */
  provider: string
  /** Whether a tool's result may hold images; if not they follow as a message of the person. */
  imagesInResults: boolean
  /** Put on the system text and on the last message, where the wire has marks for its cache. */
  cacheMark?: SharedV3ProviderOptions
}

const Opaque = z.object({ by: z.string(), data: z.record(z.string(), z.record(z.string(), z.json())) })

/** Wraps what a provider wants to see again, with the provider's name. */
export function sealOpaque(by: string, data: object): string {
  return JSON.stringify({ by, data })
}

/** The conversation in the form that the provider packages take. */
export function toPrompt(request: ModelRequest, options: PromptOptions): LanguageModelV3CallOptions['prompt'] {
  const prompt: LanguageModelV3Message[] = []
  if (request.system !== '') {
    prompt.push({ role: 'system', content: request.system, ...marked(options) })
  }
  for (let index = 0; index < request.messages.length; index += 1) {
    const message = request.messages[index]
    if (message === undefined) continue
    if (message.role === 'user') {
      const content = userContent(message.content)
      if (content.length > 0) prompt.push({ role: 'user', content })
    } else if (message.role === 'assistant') {
      const content = message.content.flatMap((part) => assistantPart(part, options.provider))
      if (content.length > 0) prompt.push({ role: 'assistant', content })
    } else {
      const results = resultsFrom(request.messages, index)
      prompt.push(...toolMessages(results, options))
      index += results.length - 1
    }
  }
  const last = prompt.at(-1)
  if (last !== undefined && options.cacheMark !== undefined) last.providerOptions = options.cacheMark
  return prompt
}

function marked({ cacheMark }: PromptOptions): { providerOptions?: SharedV3ProviderOptions } {
  return cacheMark === undefined ? {} : { providerOptions: cacheMark }
}

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>

function resultsFrom(messages: readonly ModelMessage[], start: number): ToolMessage[] {
  const results: ToolMessage[] = []
  for (const message of messages.slice(start)) {
    if (message.role !== 'tool') break
    results.push(message)
  }
  return results
}

function userContent(content: readonly ModelContent[]): Content<'user'> {
  return content.flatMap((part): Content<'user'> => {
    if (part.type === 'image') return [{ type: 'file', mediaType: part.mimeType, data: part.data }]
    return part.text === '' ? [] : [{ type: 'text', text: part.text }]
  })
}

function assistantPart(part: ModelAssistantPart, provider: string): Content<'assistant'> {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    case 'reasoning': {
      const providerOptions = openOpaque(part.opaque, provider)
      return providerOptions === undefined ? [] : [{ type: 'reasoning', text: part.text, providerOptions }]
    }
    case 'call':
      return [
        { type: 'tool-call', toolCallId: wireCallId(part.call), toolName: part.tool, input: callInput(part.args) },
      ]
  }
}

function openOpaque(opaque: string | undefined, provider: string): SharedV3ProviderOptions | undefined {
  if (opaque === undefined) return undefined
  try {
    const parsed = Opaque.safeParse(JSON.parse(opaque))
    return parsed.success && parsed.data.by === provider ? parsed.data.data : undefined
  } catch {
    return undefined
  }
}

/** Providers take objects only; what the model sent instead is shown to it inside one. */
function callInput(args: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(args)
    const parsed = z.record(z.string(), z.unknown()).safeParse(value)
    if (parsed.success) return parsed.data
  } catch {
    // Not JSON: the error result tells the model so.
  }
  return args.trim() === '' ? {} : { invalid_json: args }
}

function toolMessages(results: readonly ToolMessage[], options: PromptOptions): LanguageModelV3Message[] {
  const content = results.map((result): Content<'tool'>[number] => ({
    type: 'tool-result',
    toolCallId: wireCallId(result.call),
    toolName: result.tool,
    output: resultOutput(result, options.imagesInResults),
  }))
  const messages: LanguageModelV3Message[] = [{ role: 'tool', content }]
  if (options.imagesInResults) return messages
  const images = results.flatMap((result) => imagesOf(result))
  if (images.length > 0) messages.push({ role: 'user', content: userContent(images) })
  return messages
}

function imagesOf(result: ToolMessage): ModelContent[] {
  const images = result.content.filter((part) => part.type === 'image')
  return images.length === 0 ? [] : [{ type: 'text', text: `Images from the result of ${result.tool}:` }, ...images]
}

type ResultOutput = Extract<Content<'tool'>[number], { type: 'tool-result' }>['output']

function resultOutput(result: ToolMessage, images: boolean): ResultOutput {
  const text = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  if (!images || result.content.every((part) => part.type === 'text')) {
    const value = text === '' ? '(the result is an image, which follows)' : text
    return { type: result.isError ? 'error-text' : 'text', value }
  }
  return {
    type: 'content',
    value: result.content.map((part) =>
      part.type === 'text'
        ? { type: 'text', text: part.text }
        : { type: 'image-data', mediaType: part.mimeType, data: Buffer.from(part.data).toString('base64') },
    ),
  }
}

/** Ids in the alphabet and length that every provider takes; others are replaced by their hash, the same each time. */
export function wireCallId(call: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(call)) return call
  return `call_${createHash('sha256').update(call).digest('hex').slice(0, 32)}`
}
