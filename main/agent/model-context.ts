import type { AssistantPart, ContentPart } from '../../preload/contract/content'
import type { SessionEvent } from '../../preload/contract/events'
import type { BlobSink } from '../platform/blob-sink'
import type { ModelAssistantPart, ModelContent, ModelMessage } from '../providers/types'
import { hydrateAssistantPart, hydrateContentPart } from '../sessions/externalise'
import type { CallOutcome } from '../toolsets/calls'

const INTERRUPTED =
  'This call was interrupted before it finished. It was not run again; check what it did before repeating it.'

/**
 * The conversation as the model gets it. It grows with the session and can be rebuilt from the journal. Every call has
 * exactly one result, whatever happened, since providers refuse a conversation with a hole in it.
 */
export class ModelContext {
  readonly #messages: ModelMessage[] = []

  get messages(): readonly ModelMessage[] {
    return this.#messages
  }

  addPrompt(content: readonly ModelContent[]): void {
    this.#closeOpenCalls()
    this.#messages.push({ role: 'user', content: [...content] })
  }

  addAssistant(content: readonly ModelAssistantPart[]): void {
    const meaningful = content.filter((part) => part.type === 'call' || part.text !== '' || hasOpaque(part))
    if (meaningful.length > 0) this.#messages.push({ role: 'assistant', content: meaningful })
  }

  addResult(outcome: Pick<CallOutcome, 'id' | 'tool' | 'ok'>, content: readonly ModelContent[]): void {
    if (!this.#openCalls().has(outcome.id)) return
    this.#messages.push({
      role: 'tool',
      call: outcome.id,
      tool: outcome.tool,
      content: content.length > 0 ? [...content] : [{ type: 'text', text: '(no output)' }],
      isError: !outcome.ok,
    })
  }

  /** The content of all results so far, oldest first. */
  results(): string[] {
    return this.#messages.flatMap((message) =>
      message.role === 'tool'
        ? [message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')]
        : [],
    )
  }

  /** Rebuilds the conversation from a session's events; blobs are read back into it. */
  static async fromHistory(events: AsyncIterable<SessionEvent>, blobs: BlobSink): Promise<ModelContext> {
    const context = new ModelContext()
    const tools = new Map<string, string>()
    for await (const event of events) {
      if (event.type === 'prompt') context.addPrompt(await hydrateContent(event.content, blobs))
      else if (event.type === 'assistant.message') {
        for (const part of event.content) if (part.type === 'call') tools.set(part.call, part.tool)
        // A message that the person stopped keeps its text; calls it had begun were never requested.
        const usable =
          event.stop === 'stopped' || event.stop === 'failed' ? event.content.filter(isNotCall) : event.content
        context.addAssistant(await hydrateAssistant(usable, blobs))
      } else if (event.type === 'call.finished') {
        const outcome = { id: event.call, tool: tools.get(event.call) ?? '', ok: event.ok }
        context.addResult(outcome, await hydrateContent(event.content, blobs))
      }
    }
    context.#closeOpenCalls()
    return context
  }

  #openCalls(): Map<string, string> {
    const open = new Map<string, string>()
    for (let index = this.#messages.length - 1; index >= 0; index -= 1) {
      const message = this.#messages[index]
      if (message === undefined || message.role === 'user') break
      if (message.role === 'tool') continue
      for (const part of message.content) if (part.type === 'call') open.set(part.call, part.tool)
      for (const later of this.#messages.slice(index + 1)) if (later.role === 'tool') open.delete(later.call)
      break
    }
    return open
  }

  #closeOpenCalls(): void {
    for (const [call, tool] of this.#openCalls()) {
      this.addResult({ id: call, tool, ok: false }, [{ type: 'text', text: INTERRUPTED }])
    }
  }
}

function hasOpaque(part: ModelAssistantPart): boolean {
  return part.type === 'reasoning' && part.opaque !== undefined
}

function isNotCall(part: AssistantPart): boolean {
  return part.type !== 'call'
}

/** Reads blobs back into prompt or result content. */
export async function hydrateContent(content: readonly ContentPart[], blobs: BlobSink): Promise<ModelContent[]> {
  return Promise.all(
    content.map(async (kept): Promise<ModelContent> => {
      const part = await hydrateContentPart(kept, blobs)
      if (part.type === 'text') return { type: 'text', text: part.text }
      return { type: 'image', mimeType: part.mimeType, data: await blobs.get(part.blob.id) }
    }),
  )
}

async function hydrateAssistant(content: readonly AssistantPart[], blobs: BlobSink): Promise<ModelAssistantPart[]> {
  return Promise.all(
    content.map(async (kept): Promise<ModelAssistantPart> => {
      const part = await hydrateAssistantPart(kept, blobs)
      if (part.type === 'text') return { type: 'text', text: part.text }
      if (part.type === 'reasoning') return { type: 'reasoning', text: part.text, opaque: part.opaque }
      return { type: 'call', call: part.call, tool: part.tool, args: part.args }
    }),
  )
}
