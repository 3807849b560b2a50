import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** Nothing that is not a file may keep the thread waiting when it is opened. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** Reads files into one buffer that is used again and again. */
export class FileLoader {
  #buffer = Buffer.allocUnsafe(256 * 1024)

  /**
   * The bytes of a regular file, valid until the next call; `too_large`, or undefined when it can't be read. `listed`
   * says that a folder has just been seen to hold it as a regular file, which saves a look at it.
   */
  load(file: string | Buffer, maxBytes: number, listed = false): Buffer | 'too_large' | undefined {
    let descriptor: number | undefined
    try {
      descriptor = openSync(file, FLAGS)
      if (listed) {
        const read = readSync(descriptor, this.#buffer, 0, this.#buffer.length, 0)
        if (read < this.#buffer.length) return read > maxBytes ? 'too_large' : this.#buffer.subarray(0, read)
      }
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
