import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { isSystemError, PlumblineError } from '../platform/errors'
import type { ResolvedPath } from '../workspace/path-authority'
import { formatBytes } from './sizes'

/** Largest file that is read as a whole, in bytes: 25 MiB (READ-06). */
export const MAX_FILE_BYTES = 25 * 1024 * 1024

/** Bytes read in one go, between looks at the abort signal. */
const CHUNK_BYTES = 4 * 1024 * 1024

/** What became a pipe since it was looked at, and what only looks like a file (/proc/kmsg), must not keep a read waiting. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

export interface FileBytes {
  readonly bytes: Uint8Array
  readonly modified: number
}

/** Reads whole files within limits. The one place that opens a file to show it. */
export class FileReader {
  /**
   * Reads the file that `resolved` names, at most `maxBytes`.
   * Throws `not_found`, `is_directory`, `not_a_file` (pipes, devices, sockets: never opened), `too_large`, `access_denied`.
   */
  async read(resolved: ResolvedPath, signal: AbortSignal, maxBytes: number = MAX_FILE_BYTES): Promise<FileBytes> {
    requireFile(resolved)
    let handle: FileHandle | undefined
    try {
      handle = await open(resolved.real, FLAGS)
      const stats = await handle.stat()
      if (!stats.isFile()) throw new PlumblineError('not_a_file', `${resolved.display} is not a regular file.`)
      if (stats.size > maxBytes) throw tooLarge(resolved, stats.size, maxBytes)
      return { bytes: await readAll(handle, resolved, stats.size, maxBytes, signal), modified: stats.mtimeMs }
    } catch (failure) {
      throw inWords(failure, resolved)
    } finally {
      await handle?.close()
    }
  }
}

function requireFile(resolved: ResolvedPath): void {
  switch (resolved.kind) {
    case 'file':
      return
    case 'missing':
      throw new PlumblineError('not_found', `${resolved.display} does not exist.`)
    case 'directory':
      throw new PlumblineError('is_directory', `${resolved.display} is a folder.`)
    case 'other':
      throw new PlumblineError('not_a_file', `${resolved.display} is not a regular file.`)
  }
}

/** Files of /proc and growing files have more bytes than `stat` said, so it reads until the end, up to the limit. */
async function readAll(
  handle: FileHandle,
  resolved: ResolvedPath,
  expected: number,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  let buffer = Buffer.allocUnsafe(expected + 1)
  let filled = 0
  for (;;) {
    signal.throwIfAborted()
    const room = Math.min(CHUNK_BYTES, buffer.length - filled)
    const { bytesRead } = await handle.read(buffer, filled, room, filled)
    if (bytesRead === 0) return buffer.subarray(0, filled)
    filled += bytesRead
    if (filled > maxBytes) throw tooLarge(resolved, filled, maxBytes)
    if (filled === buffer.length) {
      const larger = Buffer.allocUnsafe(Math.min(maxBytes + 1, Math.max(64 * 1024, buffer.length * 2)))
      buffer.copy(larger, 0, 0, filled)
      buffer = larger
    }
  }
}

function tooLarge(resolved: ResolvedPath, size: number, maxBytes: number): PlumblineError {
  return new PlumblineError(
    'too_large',
    `${resolved.display} has ${formatBytes(size)}; files up to ${formatBytes(maxBytes)} can be read. Search it instead.`,
  )
}

function inWords(failure: unknown, resolved: ResolvedPath): unknown {
  if (failure instanceof PlumblineError || !isSystemError(failure)) return failure
  switch (failure.code) {
    case 'ENOENT':
      return new PlumblineError('not_found', `${resolved.display} does not exist.`, { cause: failure })
    case 'EACCES':
    case 'EPERM':
      return new PlumblineError('access_denied', `${resolved.display} can't be read: access denied.`, {
        cause: failure,
      })
    case 'EAGAIN':
    case 'ENXIO':
      return new PlumblineError('not_a_file', `${resolved.display} is not a regular file.`, { cause: failure })
    default:
      return new PlumblineError('io', `${resolved.display} can't be read: ${failure.message}.`, { cause: failure })
  }
}
