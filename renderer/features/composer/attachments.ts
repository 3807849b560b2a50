import { formatBytes } from '../../lib/format'
import { type Attachment, addAttachment, type DraftKey } from '../../store/composer-store'

/** What the bridge takes at most for one image, in bytes. */
const MAX_IMAGE_BYTES = 20 * 1024 * 1024

/** Images of one message; with its text this stays under what the bridge takes. */
export const MAX_ATTACHMENTS = 32

const imageTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/bmp'])

let attachmentCount = 0

/** Why a file can't be attached, for people, or null. */
export function refusalOf(file: Pick<File, 'type' | 'size'>): string | null {
  if (!imageTypes.has(file.type)) return 'Not attached. Plumbline takes PNG, JPEG, GIF, WebP and BMP.'
  if (file.size > MAX_IMAGE_BYTES) {
    return `Not attached. ${formatBytes(file.size)}, the limit is ${formatBytes(MAX_IMAGE_BYTES)}.`
  }
  return null
}

/** Reads files into the draft, in order. What can't be sent is shown with its reason. */
export async function attachFiles(key: DraftKey, files: readonly File[]): Promise<void> {
  for (const file of files.slice(0, MAX_ATTACHMENTS)) {
    attachmentCount += 1
    const refused = refusalOf(file)
    const attachment: Attachment = {
      id: attachmentCount,
      name: file.name || 'Pasted image',
      mimeType: file.type,
      bytes: file.size,
      url: refused === null ? URL.createObjectURL(file) : null,
      data: refused === null ? new Uint8Array(await file.arrayBuffer()) : null,
      refused,
    }
    addAttachment(key, attachment)
  }
}

/** The images of a paste or a drop. */
export function imageFiles(transfer: DataTransfer): File[] {
  return [...transfer.files].filter((file) => file.type.startsWith('image/'))
}
