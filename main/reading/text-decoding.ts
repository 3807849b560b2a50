import { isUtf8 } from 'node:buffer'
import { PlumblineError } from '../platform/errors'

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be'

export interface DecodedText {
  /** Without the byte-order mark; line endings as in the file. */
  readonly text: string
  readonly encoding: TextEncoding
  readonly byteOrderMark: boolean
}

/** Why bytes are no text: the words for the message. */
export type NotText = { readonly problem: 'binary' | 'encoding'; readonly words: string }

/**
 * Decodes strictly: UTF-8 with or without a byte-order mark, UTF-16 only with one. Bytes that are neither come back as
 * the reason, never as replacement characters.
 */
export function decodeText(bytes: Uint8Array): DecodedText | NotText {
  if (startsWith(bytes, [0xff, 0xfe, 0, 0]) || startsWith(bytes, [0, 0, 0xfe, 0xff])) {
    return { problem: 'encoding', words: 'is UTF-32 text, which is not supported' }
  }
  if (startsWith(bytes, [0xff, 0xfe])) return decodeUtf16(bytes, 'utf-16le')
  if (startsWith(bytes, [0xfe, 0xff])) return decodeUtf16(bytes, 'utf-16be')
  const byteOrderMark = startsWith(bytes, [0xef, 0xbb, 0xbf])
  if (bytes.includes(0)) return { problem: 'binary', words: 'is a binary file' }
  if (!isUtf8(bytes)) return { problem: 'encoding', words: 'is not valid UTF-8 text' }
  const body = byteOrderMark ? bytes.subarray(3) : bytes
  return { text: asBuffer(body).toString('utf8'), encoding: 'utf-8', byteOrderMark }
}

/** As `decodeText`, but throws `binary_file` or `invalid_encoding` in words for the file shown as `display`. */
export function requireText(bytes: Uint8Array, display: string): DecodedText {
  const decoded = decodeText(bytes)
  if (!('problem' in decoded)) return decoded
  throw new PlumblineError(
    decoded.problem === 'binary' ? 'binary_file' : 'invalid_encoding',
    `${display} ${decoded.words} and can't be shown as lines.`,
  )
}

function decodeUtf16(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): DecodedText | NotText {
  if (bytes.length % 2 !== 0)
    return { problem: 'encoding', words: 'is UTF-16 text that ends in the middle of a character' }
  const body = asBuffer(bytes.subarray(2))
  const ordered = encoding === 'utf-16be' ? Buffer.from(body).swap16() : body
  return { text: ordered.toString('utf16le'), encoding, byteOrderMark: true }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return prefix.every((value, index) => bytes[index] === value)
}
