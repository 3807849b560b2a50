/** Bytes at the start of a file that tell whether it is text, as Git does it. */
const SNIFFED_BYTES = 8000

/** A blob as people can read it: null when it is not text in UTF-8. A byte order mark stays in. */
export function decodeText(bytes: Uint8Array): string | null {
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/** The first `limit` bytes, cut where no character is torn. */
export function cutAtCharacter(bytes: Uint8Array, limit: number): Uint8Array {
  if (bytes.byteLength <= limit) return bytes
  let end = limit
  // Bytes 10xxxxxx go on with a character that began before.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.subarray(0, end)
}
