import { PlumblineError } from '../platform/errors'

export interface ImageInfo {
  readonly mimeType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/bmp'
  readonly width: number
  readonly height: number
}

/** Longest side in pixels that model services take (S28). */
export const MAX_IMAGE_SIDE = 8000

/** Largest image in bytes that model services take: 5 MiB. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024

const IMAGE_NAME = /\.(png|jpe?g|gif|webp|bmp)$/i

/** Whether a file is named like an image that can be shown; SVG is text. */
export function isNamedLikeImage(path: string): boolean {
  return IMAGE_NAME.test(path)
}

/** The image format by the first bytes, whatever the name says; undefined when they are of no image known here. */
export function imageType(bytes: Uint8Array): ImageInfo['mimeType'] | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 16))
  if (head.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return 'image/png'
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'image/jpeg'
  const ascii = head.toString('latin1')
  if (ascii.startsWith('GIF87a') || ascii.startsWith('GIF89a')) return 'image/gif'
  if (ascii.startsWith('RIFF') && ascii.slice(8, 12) === 'WEBP') return 'image/webp'
  if (ascii.startsWith('BM') && head.length >= 14 && head.readUInt32LE(6) === 0) return 'image/bmp'
  return undefined
}

/**
 * Checks an image as far as its container goes, so that nothing broken enters a conversation (S27). Throws
 * `invalid_payload` for incomplete ones and `too_large` beyond 5 MiB or 8,000 pixels a side, in words with `display`.
 */
export function inspectImage(bytes: Uint8Array, display: string): ImageInfo {
  const mimeType = imageType(bytes)
  if (mimeType === undefined) {
    const what = bytes.length === 0 ? 'is empty' : 'does not contain an image, whatever its name says'
    throw new PlumblineError('invalid_payload', `${display} ${what}. Nothing was sent.`)
  }
  if (bytes.length > MAX_IMAGE_BYTES) {
    throw new PlumblineError('too_large', `${display} has ${bytes.length} bytes; images may have ${MAX_IMAGE_BYTES}.`)
  }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = sizeOf(buffer, mimeType)
  if (size === undefined || size.width < 1 || size.height < 1) {
    throw new PlumblineError('invalid_payload', `${display} is an incomplete or damaged image. Nothing was sent.`)
  }
  if (size.width > MAX_IMAGE_SIDE || size.height > MAX_IMAGE_SIDE) {
    throw new PlumblineError(
      'too_large',
      `${display} is ${size.width}x${size.height} pixels; each side may have ${MAX_IMAGE_SIDE}.`,
    )
  }
  return { mimeType, ...size }
}

type Size = { width: number; height: number }

function sizeOf(bytes: Buffer, mimeType: ImageInfo['mimeType']): Size | undefined {
  switch (mimeType) {
    case 'image/png':
      return pngSize(bytes)
    case 'image/jpeg':
      return jpegSize(bytes)
    case 'image/gif':
      return bytes.length < 14 || bytes.lastIndexOf(0x3b) < 13
        ? undefined
        : { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
    case 'image/webp':
      return webpSize(bytes)
    case 'image/bmp':
      return bytes.length < 26 || bytes.readUInt32LE(2) > bytes.length
        ? undefined
        : { width: Math.abs(bytes.readInt32LE(18)), height: Math.abs(bytes.readInt32LE(22)) }
  }
}

/** Walks the chunks: the header must come first and the end chunk must be there. */
function pngSize(bytes: Buffer): Size | undefined {
  let offset = 8
  let size: Size | undefined
  while (offset + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(offset)
    const type = bytes.toString('latin1', offset + 4, offset + 8)
    if (offset + 12 + length > bytes.length) return undefined
    if (size === undefined) {
      if (type !== 'IHDR' || length < 8) return undefined
      size = { width: bytes.readUInt32BE(offset + 8), height: bytes.readUInt32BE(offset + 12) }
    }
    if (type === 'IEND') return size
    offset += 12 + length
  }
  return undefined
}

/** Finds the frame header among the segments; the end marker must follow somewhere. */
function jpegSize(bytes: Buffer): Size | undefined {
  if (bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) < 4) return undefined
  let offset = 2
  while (offset + 9 < bytes.length) {
    if (bytes[offset] !== 0xff) return undefined
    const marker = bytes.readUInt8(offset + 1)
    if (marker === 0xff) {
      offset += 1
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { height: bytes.readUInt16BE(offset + 5), width: bytes.readUInt16BE(offset + 7) }
    const standsAlone = (marker >= 0xd0 && marker <= 0xd8) || marker === 0x01
    offset += standsAlone ? 2 : 2 + bytes.readUInt16BE(offset + 2)
  }
  return undefined
}

function webpSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 > bytes.length) return undefined
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    case 'VP8L': {
      const packed = bytes.readUInt32LE(21)
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    default:
      return undefined
  }
}
