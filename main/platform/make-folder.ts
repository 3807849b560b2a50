import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { isSystemError } from './errors'

export interface MakeFolderOptions {
  /** Of the folders that are made. */
  mode?: number
  /** Tests inject failures. */
  files?: { mkdir(folder: string, options: { mode?: number }): Promise<unknown> }
}

/**
 * Makes a folder and its missing parents and answers the outermost one that it made, or undefined where nothing was
 * missing. Throws the system's error. The recursive call of the runtime is not used: where a folder exists and says
 * ENOENT for everything new in it (/proc does), that tries again for ever and takes a thread with it.
 */
export async function makeFolderWithParents(
  folder: string,
  options: MakeFolderOptions = {},
): Promise<string | undefined> {
  const target = path.resolve(folder)
  try {
    return (await makeOne(target, options)) ? target : undefined
  } catch (failure) {
    const parent = path.dirname(target)
    if (!isSystemError(failure) || failure.code !== 'ENOENT' || parent === target) throw failure
    const first = await makeFolderWithParents(parent, options)
    const made = await makeOne(target, options)
    return first ?? (made ? target : undefined)
  }
}

/** False where the folder is there already, whoever made it meanwhile. */
async function makeOne(target: string, { mode, files = { mkdir } }: MakeFolderOptions): Promise<boolean> {
  try {
    await files.mkdir(target, mode === undefined ? {} : { mode })
    return true
  } catch (failure) {
    // A root says anything but EEXIST on some systems.
    if (await isFolder(target)) return false
    throw failure
  }
}

async function isFolder(target: string): Promise<boolean> {
  const found = await stat(target).catch(() => undefined)
  return found?.isDirectory() === true
}
