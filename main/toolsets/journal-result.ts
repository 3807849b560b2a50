import { z } from 'zod'
import type { ContentPart } from '../../preload/contract/content'
import type { BlobSink } from '../platform/blob-sink'
import type { ToolContent } from './define'

const Json = z.json()

/** Images become blobs; long text becomes a blob later, where the event is written. */
export async function journalContent(content: readonly ToolContent[], blobs: BlobSink): Promise<ContentPart[]> {
  return Promise.all(
    content.map(
      async (part): Promise<ContentPart> =>
        part.type === 'text'
          ? { type: 'text', text: part.text }
          : { type: 'image', mimeType: part.mimeType, blob: await blobs.put(part.data) },
    ),
  )
}

/** Details as plain JSON: what JSON can't hold (undefined, functions) is dropped. */
export function journalDetails(details: unknown): z.infer<typeof Json> | undefined {
  if (details === undefined) return undefined
  const plain: unknown = JSON.parse(JSON.stringify(details) ?? 'null')
  return Json.parse(plain)
}
