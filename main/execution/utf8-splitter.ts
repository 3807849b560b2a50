const EMPTY = new Uint8Array(0)

/**
 * Cuts a stream of bytes only between UTF-8 characters: each pipe has its own, so a character that is split over two
 * reads, or that other output falls into, stays whole. Bytes that are no UTF-8 pass unchanged.
 */
export class Utf8Splitter {
  #rest: Uint8Array = EMPTY

  /** The bytes that can be used now; up to three are held back until the rest of their character comes. */
  push(chunk: Uint8Array): Uint8Array {
    const bytes = this.#rest.length === 0 ? chunk : concat(this.#rest, chunk)
    const cut = bytes.length - incompleteTail(bytes)
    this.#rest = cut === bytes.length ? EMPTY : bytes.slice(cut)
    return bytes.subarray(0, cut)
  }

  /** What was held back when the stream ended. */
  end(): Uint8Array {
    const rest = this.#rest
    this.#rest = EMPTY
    return rest
  }
}

/** How many bytes at the end are the beginning of an unfinished character: 0 to 3. */
export function incompleteTail(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const needed = byte >= 0xf0 && byte <= 0xf4 ? 4 : byte >= 0xe0 ? (byte < 0xf0 ? 3 : 1) : byte >= 0xc2 ? 2 : 1
    return needed > back ? back : 0
  }
  return 0
}

function concat(left: Uint8Array, right: Uint8Array): Uint8Array {
  const joined = new Uint8Array(left.length + right.length)
  joined.set(left)
  joined.set(right, left.length)
  return joined
}
