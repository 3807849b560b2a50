import type { BatchResult } from '../reading/read-batch'
import type { TextRead } from '../reading/read-contract'
import type { ReadDetails } from '../reading/render-read'
import type { ToolResult } from './define'

/** Turns what the engine read into a tool's result; where nothing could be read, the result is a failure. */
export function toToolResult(batch: BatchResult): ToolResult<{ files: readonly ReadDetails[] }> {
  return {
    content: [
      { type: 'text', text: batch.text },
      ...batch.images.map((image) => ({ type: 'image' as const, mimeType: image.mimeType, data: image.data })),
    ],
    details: { files: batch.files },
    ...(batch.failure === undefined ? {} : { failure: { code: batch.failure.code, message: batch.failure.message } }),
  }
}

/** How to go on where selectors are part of the path. */
export function continueWithSelector(read: TextRead, next: number): string {
  const end = read.selector.ranges.at(-1)?.end
  const range =
    end === undefined || end === null ? `${next}+` : `${next}-${Math.max(next, Math.min(end, read.totalLines))}`
  return `Continue with ${read.resolved.display}${read.selector.raw ? ':raw' : ''}:${range}`
}
