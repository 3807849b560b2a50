import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** Reads files into one buffer that is used again and again. */
export class FileLoader {
  #buffer = Buffer.allocUnsafe(256 * 1024)

  /** The bytes of a regular file, valid until the next call; `too_large`, or undefined when it can't be read. */
  load(file: string, maxBytes: number): Buffer | 'too_large' | undefined {
    let descriptor: number | undefined
    try {
      descriptor = openSync(file, 'r')
      const stats = fstatSync(descriptor)
      if (!stats.isFile()) return undefined
      if (stats.size > maxBytes) return 'too_large'
      if (stats.size > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(stats.size)
      let filled = 0
      while (filled < stats.size) {
        const read = readSync(descriptor, this.#buffer, filled, stats.size - filled, filled)
        if (read === 0) break
        filled += read
      }
      return this.#buffer.subarray(0, filled)
    } catch {
      return undefined
    } finally {
      if (descriptor !== undefined) closeSync(descriptor)
    }
  }
}
