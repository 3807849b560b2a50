import { type AssistantPart, type ContentPart, INLINE_TEXT_BYTES } from '../../preload/contract/content'
import type { Preview, Touch } from '../../preload/contract/effects'
import type { Failure } from '../../preload/contract/errors'
import type { EventBody, EventOf } from '../../preload/contract/events'
import type { BlobRef } from '../../preload/contract/ids'
import type { BlobSink } from '../platform/blob-sink'

/** UTF-8 bytes of a long text that stay in the event, before the reference to the whole. */
export const KEPT_INLINE_BYTES = 2 * 1024
/** UTF-8 bytes of one-line texts; what they name is whole elsewhere. */
const MAX_LABEL_BYTES = 2 * 1024
/** Bytes of JSON up to which a member of details that are too long is kept beside the reference. */
const SMALL_DETAIL_BYTES = 512

/** The member of reduced details that names the blob with all of them, as JSON. */
export const DETAILS_BLOB = '$blob'
/** The member of reduced details that lists the members that only the blob has. */
export const DETAILS_OMITTED = '$omitted'

/**
 * Puts aside what is too long for an event: text of more than 8 KiB becomes its first 2 KiB and a reference to the
 * whole, details keep their small members and a reference. The same body when nothing is too long.
 */
export async function externalise(body: EventBody, blobs: BlobSink): Promise<EventBody> {
  switch (body.type) {
    case 'prompt':
    case 'prompt.queued':
      return { ...body, content: await putContent(body.content, blobs) }
    case 'assistant.message':
      return { ...body, content: await Promise.all(body.content.map((part) => putAssistantPart(part, blobs))) }
    case 'call.requested':
      return {
        ...body,
        title: label(body.title),
        subject: label(body.subject),
        ...(await putText('args', body.args, body.blob, blobs)),
      }
    case 'call.prepared':
      return { ...body, touches: body.touches.map(shortTouch), preview: await putPreview(body.preview, blobs) }
    case 'call.finished':
      return putResult(body, blobs)
    case 'compacted':
      return { ...body, ...(await putText('summary', body.summary, body.blob, blobs)) }
    case 'reminder.injected':
      return { ...body, ...(await putText('text', body.text, body.blob, blobs)) }
    case 'notice':
      return { ...body, text: cut(body.text, INLINE_TEXT_BYTES) }
    case 'turn.finished':
      return { ...body, error: shortFailure(body.error) }
    default:
      return body
  }
}

/** The body with its whole text again, for the model's context. Details stay reduced: no model reads them. */
export async function hydrate(body: EventBody, blobs: BlobSink): Promise<EventBody> {
  switch (body.type) {
    case 'prompt':
    case 'prompt.queued':
    case 'call.finished':
      return { ...body, content: await Promise.all(body.content.map((part) => hydrateContentPart(part, blobs))) }
    case 'assistant.message':
      return { ...body, content: await Promise.all(body.content.map((part) => hydrateAssistantPart(part, blobs))) }
    case 'call.requested':
      return { ...body, args: await wholeText(body.args, body.blob, blobs), blob: undefined }
    case 'compacted':
      return { ...body, summary: await wholeText(body.summary, body.blob, blobs), blob: undefined }
    case 'reminder.injected':
      return { ...body, text: await wholeText(body.text, body.blob, blobs), blob: undefined }
    default:
      return body
  }
}

/** A part of a prompt or a result with its whole text. Images stay references. */
export async function hydrateContentPart(part: ContentPart, blobs: BlobSink): Promise<ContentPart> {
  if (part.type === 'image' || part.blob === undefined) return part
  return { type: 'text', text: await wholeText(part.text, part.blob, blobs) }
}

/** A part of a message with its whole text, arguments and opaque value. */
export async function hydrateAssistantPart(part: AssistantPart, blobs: BlobSink): Promise<AssistantPart> {
  if (part.type === 'call') {
    const { blob, ...rest } = part
    return { ...rest, args: await wholeText(part.args, blob, blobs) }
  }
  const { blob, ...rest } = part
  const text = await wholeText(part.text, blob, blobs)
  if (rest.type === 'text') return { ...rest, text }
  const { opaqueBlob, ...reasoning } = rest
  if (opaqueBlob === undefined) return { ...reasoning, text }
  return { ...reasoning, text, opaque: await wholeText('', opaqueBlob, blobs) }
}

async function wholeText(text: string, blob: BlobRef | undefined, blobs: BlobSink): Promise<string> {
  return blob === undefined ? text : Buffer.from(await blobs.get(blob.id)).toString('utf8')
}

function isLong(text: string, limit = INLINE_TEXT_BYTES): boolean {
  // A UTF-16 unit takes at most three bytes, so most texts need not be measured.
  return text.length * 3 > limit && Buffer.byteLength(text) > limit
}

/** The first `limit` bytes, ending between two characters. */
function head(text: string, limit: number): string {
  const bytes = Buffer.from(text.slice(0, limit))
  if (bytes.byteLength <= limit) return wellFormedEnd(text.slice(0, limit))
  let end = limit
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.subarray(0, end).toString('utf8')
}

/** Without the first half of a pair that the cut separated. */
function wellFormedEnd(text: string): string {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text
}

function cut(text: string, limit: number): string {
  return isLong(text, limit) ? `${head(text, limit - 3)}…` : text
}

function label(text: string): string {
  return cut(text, MAX_LABEL_BYTES)
}

async function putText<Key extends string>(
  key: Key,
  text: string,
  blob: BlobRef | undefined,
  blobs: BlobSink,
): Promise<Record<Key, string> & { blob?: BlobRef }>
async function putText(key: string, text: string, blob: BlobRef | undefined, blobs: BlobSink): Promise<object> {
  // A text that has a reference was put aside before.
  if (blob !== undefined) return { [key]: text, blob }
  if (!isLong(text)) return { [key]: text }
  return { [key]: head(text, KEPT_INLINE_BYTES), blob: await blobs.put(Buffer.from(text)) }
}

function putContent(content: readonly ContentPart[], blobs: BlobSink): Promise<ContentPart[]> {
  return Promise.all(
    content.map(async (part) =>
      part.type === 'image' ? part : { ...part, ...(await putText('text', part.text, part.blob, blobs)) },
    ),
  )
}

async function putAssistantPart(part: AssistantPart, blobs: BlobSink): Promise<AssistantPart> {
  if (part.type === 'call') return { ...part, ...(await putText('args', part.args, part.blob, blobs)) }
  const text = await putText('text', part.text, part.blob, blobs)
  if (part.type === 'text') return { ...part, ...text }
  if (part.opaque === undefined || !isLong(part.opaque)) return { ...part, ...text }
  const { opaque, ...rest } = part
  return { ...rest, ...text, opaqueBlob: await blobs.put(Buffer.from(opaque)) }
}

async function putPreview(preview: Preview | undefined, blobs: BlobSink): Promise<Preview | undefined> {
  if (preview?.kind === 'command') return { ...preview, ...(await putText('line', preview.line, preview.blob, blobs)) }
  if (preview?.kind === 'text') return { ...preview, ...(await putText('text', preview.text, preview.blob, blobs)) }
  return preview
}

function shortTouch(touch: Touch): Touch {
  return isLong(touch.target) ? { ...touch, target: cut(touch.target, KEPT_INLINE_BYTES) } : touch
}

function shortFailure(failure: Failure | undefined): Failure | undefined {
  return failure && { ...failure, message: cut(failure.message, INLINE_TEXT_BYTES) }
}

async function putResult(
  body: Omit<EventOf<'call.finished'>, 'id' | 'parent' | 'at'>,
  blobs: BlobSink,
): Promise<EventBody> {
  const content = await putContent(body.content, blobs)
  const error = shortFailure(body.error)
  const details = body.details
  const json = details === undefined ? '' : JSON.stringify(details)
  if (details === undefined || !isLong(json)) return { ...body, content, error }
  return { ...body, content, error, details: await reduceDetails(details, json, blobs) }
}

type Details = Exclude<EventOf<'call.finished'>['details'], undefined>

async function reduceDetails(details: Details, json: string, blobs: BlobSink): Promise<Details> {
  const blob = await blobs.put(Buffer.from(json))
  const members =
    typeof details === 'object' && details !== null && !Array.isArray(details) ? Object.entries(details) : []
  const kept: [string, Details][] = []
  const omitted: string[] = []
  let bytes = 0
  for (const [key, value] of members) {
    const size = Buffer.byteLength(JSON.stringify(value)) + Buffer.byteLength(key)
    if (size <= SMALL_DETAIL_BYTES && bytes + size <= KEPT_INLINE_BYTES) {
      kept.push([key, value])
      bytes += size
    } else if (omitted.length < 32) omitted.push(head(key, 64))
  }
  return { ...Object.fromEntries(kept), [DETAILS_BLOB]: blob, [DETAILS_OMITTED]: omitted }
}
