import { createHash } from 'node:crypto'
import { PlumblineError } from '../platform/errors'
import type { ModelContent, ModelMessage, ModelRequest, Provider, StreamPart } from './types'

/** Images that are remembered for a model; the oldest are forgotten and would be refused once more. */
const MAX_REMEMBERED = 1000

/** The images that a model refused, by content. One object a model, for as long as the app runs. */
export class RefusedImages {
  readonly #hashes = new Set<string>()

  has(data: Uint8Array): boolean {
    return this.#hashes.size > 0 && this.#hashes.has(hashOf(data))
  }

  add(data: Uint8Array): void {
    this.#hashes.add(hashOf(data))
    const [oldest] = this.#hashes
    if (this.#hashes.size > MAX_REMEMBERED && oldest !== undefined) this.#hashes.delete(oldest)
  }
}

/**
 * Repeats a request without its images when the provider refused them, and says so. What was refused is left out of
 * later requests at once, and so is everything for a model that takes no images.
 */
export function withImageFallback(
  provider: Provider,
  options: { takesImages: boolean; refused: RefusedImages },
): Provider {
  let told = false
  return {
    id: provider.id,
    models: (signal) => provider.models(signal),
    async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamPart> {
      const left = withoutImages(request, (data) => !options.takesImages || options.refused.has(data))
      if (left.removed > 0 && !options.takesImages && !told) {
        told = true
        yield { type: 'notice', text: `${request.model} takes no images: ${count(left.removed)} left out.` }
      }
      let began = false
      try {
        for await (const part of provider.stream(left.request, signal)) {
          if (part.type !== 'restart') began = true
          yield part
        }
        return
      } catch (thrown) {
        if (began || !refusesImages(thrown)) throw thrown
        const bare = withoutImages(left.request, () => true)
        if (bare.removed === 0) throw thrown
        yield {
          type: 'notice',
          text: `${provider.id} refused ${count(bare.removed)}. The request goes on without. ${thrown.message}`,
        }
        let remembered = false
        for await (const part of provider.stream(bare.request, signal)) {
          // With the first sign that the images were the trouble.
          if (!remembered && part.type !== 'restart') {
            remembered = true
            for (const image of imagesOf(left.request)) options.refused.add(image)
          }
          yield part
        }
      }
    },
  }
}

function refusesImages(thrown: unknown): thrown is PlumblineError {
  if (!(thrown instanceof PlumblineError) || thrown.code !== 'provider_invalid_request') return false
  if (thrown.context.status === 413) return true
  return /\b(?:images?|image_url|input_image|vision|multimodal|mmproj|media)\b/i.test(
    `${thrown.message} ${String(thrown.context.body ?? '')}`,
  )
}

function withoutImages(
  request: ModelRequest,
  isOut: (data: Uint8Array) => boolean,
): { request: ModelRequest; removed: number } {
  let removed = 0
  const clean = (content: readonly ModelContent[]): ModelContent[] =>
    content.map((part) => {
      if (part.type === 'text' || !isOut(part.data)) return part
      removed += 1
      return { type: 'text', text: '[An image was here. It was left out, because the model does not take it.]' }
    })
  const messages = request.messages.map((message): ModelMessage => {
    if (message.role === 'assistant') return message
    return message.role === 'user'
      ? { ...message, content: clean(message.content) }
      : { ...message, content: clean(message.content) }
  })
  return removed === 0 ? { request, removed } : { request: { ...request, messages }, removed }
}

function imagesOf(request: ModelRequest): Uint8Array[] {
  return request.messages.flatMap((message) =>
    message.role === 'assistant' ? [] : message.content.flatMap((part) => (part.type === 'image' ? [part.data] : [])),
  )
}

function count(images: number): string {
  return images === 1 ? '1 image' : `${images} images`
}

function hashOf(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}
