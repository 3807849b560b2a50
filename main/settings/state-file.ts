import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { z } from 'zod'
import { isSystemError } from '../platform/errors'

/** Writes owner-only to a temporary name, flushes and renames, so that a reader sees the old text or the new one. */
export async function replaceFile(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`
  try {
    const handle = await open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(text, 'utf8')
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (thrown) {
    await rm(temporary, { force: true })
    throw thrown
  }
}

/** The text of a file, or undefined when there is none. */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
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
