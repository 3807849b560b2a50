import { describe, expect, it } from 'vitest'
import { failureOfStatus } from '../../../main/providers/failures'
import { RefusedImages, withImageFallback } from '../../../main/providers/image-fallback'
import type { ModelMessage, ModelRequest, Provider } from '../../../main/providers/types'
import { collect, request, textOf } from './collect'

const picture: ModelMessage = {
  role: 'user',
  content: [
    { type: 'text', text: 'Look' },
    { type: 'image', mimeType: 'image/png', data: new Uint8Array([1, 2, 3]) },
  ],
}
const hasImage = (asked: ModelRequest) =>
  asked.messages.some(
    (message) => message.role !== 'assistant' && message.content.some((part) => part.type === 'image'),
  )

function provider(refusal: string, status = 400) {
  const asked: ModelRequest[] = []
  const blind: Provider = {
    id: 'work',
    models: async () => [],
    async *stream(next) {
      asked.push(next)
      if (hasImage(next)) throw failureOfStatus('work', { status, body: refusal })
      yield { type: 'text', delta: 'ok' }
      yield { type: 'finish', stop: 'done' }
    },
  }
  return { blind, asked }
}

describe('withImageFallback', () => {
  it.each([
    ['this model does not support image input', 400],
    ['', 413],
  ])('repeats without the image after %j (%i), says so, and leaves it out later', async (words, status) => {
    const { blind, asked } = provider(words, status)
    const wrapped = withImageFallback(blind, { takesImages: true, refused: new RefusedImages() })
    const first = await collect(wrapped, request([picture]))
    expect(first.parts[0]).toMatchObject({ type: 'notice', text: expect.stringContaining('work refused 1 image.') })
    expect(textOf(first.parts)).toBe('ok')
    const second = await collect(wrapped, request([picture]))
    expect(second.parts.map((part) => part.type)).toEqual(['text', 'finish'])
    expect(asked.map(hasImage)).toEqual([true, false, false])
    expect(JSON.stringify(asked[2]?.messages)).toContain('An image was here')
  })

  it('remembers nothing when the images were not the trouble', async () => {
    const failing: Provider = {
      id: 'work',
      models: async () => [],
      async *stream() {
        yield* []
        throw failureOfStatus('work', { status: 400, body: 'image model unknown' })
      },
    }
    const refused = new RefusedImages()
    const { thrown } = await collect(withImageFallback(failing, { takesImages: true, refused }), request([picture]))
    expect(thrown).toMatchObject({ code: 'provider_invalid_request' })
    expect(refused.has(new Uint8Array([1, 2, 3]))).toBe(false)
  })

  it.each([
    ['max_tokens is too large', 400],
    ['no image key', 401],
  ])('passes %j (%i) on', async (words, status) => {
    const { blind, asked } = provider(words, status)
    const { thrown } = await collect(
      withImageFallback(blind, { takesImages: true, refused: new RefusedImages() }),
      request([picture]),
    )
    expect(thrown).toBeDefined()
    expect(asked).toHaveLength(1)
  })

  it('sends none to a model that takes none, and says it once', async () => {
    const { blind, asked } = provider('unused')
    const wrapped = withImageFallback(blind, { takesImages: false, refused: new RefusedImages() })
    const first = await collect(wrapped, request([picture]))
    const second = await collect(wrapped, request([picture]))
    expect([first, second].map(({ parts }) => parts.filter((part) => part.type === 'notice').length)).toEqual([1, 0])
    expect(asked.map(hasImage)).toEqual([false, false])
  })
})
