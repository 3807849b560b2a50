import { constants } from 'node:fs'
import { open, realpath, rename } from 'node:fs/promises'
import path from 'node:path'
import type { z } from 'zod'
import { createFile, replaceFile } from '../platform/atomic-write'
import { isSystemError, PlumblineError } from '../platform/errors'
import { makeFolderWithParents } from '../platform/make-folder'

/** A pipe in the place of a file must not keep the start waiting. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** Readable by its owner only. */
const PRIVATE_MODE = 0o600

/**
 * Writes a file as a whole, so that a reader sees the old text or the new one. A new file is its owner's only; one that
 * is a link (settings kept elsewhere) is written where it points.
 */
export async function saveText(file: string, text: string): Promise<void> {
  const bytes = Buffer.from(text, 'utf8')
  const target = await realPath(file)
  if (target !== undefined) {
    await replaceFile(target, bytes)
    return
  }
  await makeFolderWithParents(path.dirname(file), { mode: 0o700 })
  try {
    await createFile(file, bytes, { mode: PRIVATE_MODE })
  } catch (thrown) {
    // Another process made it meanwhile.
    if (!isSystemError(thrown) || thrown.code !== 'EEXIST') throw thrown
    await replaceFile(file, bytes)
  }
}

async function realPath(file: string): Promise<string | undefined> {
  try {
    return await realpath(file)
  } catch (thrown) {
    if (isSystemError(thrown) && thrown.code === 'ENOENT') return undefined
    throw thrown
  }
}

/** The text of a file, or undefined when there is none. Throws `not_a_file` for pipes, devices and folders. */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    const handle = await open(file, READ_FLAGS)
    try {
      if (!(await handle.stat()).isFile()) throw new PlumblineError('not_a_file', `${file} is not a regular file.`)
      return await handle.readFile('utf8')
    } finally {
      await handle.close()
    }
  } catch (thrown) {
    if (isSystemError(thrown) && (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR')) return undefined
    throw thrown
  }
}

/** State in JSON that the app alone writes. A file that can't be read counts as empty and is kept beside as `.broken`. */
export async function readState<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  empty: z.output<Schema>,
): Promise<z.output<Schema>> {
  const text = await readIfThere(file)
  if (text === undefined) return empty
  try {
    const parsed = schema.safeParse(JSON.parse(text))
    if (parsed.success) return parsed.data
  } catch {
    // Falls through: the text is not JSON.
  }
  await rename(file, `${file}.broken`)
  return empty
}
