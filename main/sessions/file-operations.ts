import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, open, rename, unlink } from 'node:fs/promises'
import path from 'node:path'
import { makeFolderWithParents } from '../platform/make-folder'

/** Folders of sessions are their owner's alone. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/** A journal that is open for writing. */
export interface JournalFile {
  /** Writes all of `bytes` at `position`. */
  write(bytes: Uint8Array, position: number): Promise<void>
  /** Resolves when what was written is on the medium. */
  datasync(): Promise<void>
  truncate(length: number): Promise<void>
  size(): Promise<number>
  close(): Promise<void>
}

/** What the writer needs of the disk; tests put a full or failing one in its place. */
export interface FileOperations {
  openJournal(file: string, options: { create: boolean }): Promise<JournalFile>
  writeAtomically(file: string, bytes: Uint8Array | string): Promise<void>
}

export const nodeFileOperations: FileOperations = {
  async openJournal(file, { create }) {
    const flags = create ? constants.O_RDWR | constants.O_CREAT | constants.O_EXCL : constants.O_RDWR
    const handle = await open(file, flags, FILE_MODE)
    return {
      async write(bytes, position) {
        let done = 0
        while (done < bytes.byteLength) {
          const { bytesWritten } = await handle.write(bytes, done, bytes.byteLength - done, position + done)
          done += bytesWritten
        }
      },
      datasync: () => handle.datasync(),
      truncate: (length) => handle.truncate(length),
      size: async () => (await handle.stat()).size,
      close: () => handle.close(),
    }
  },
  writeAtomically,
}

/** Makes the folder and its missing parents, readable by their owner only. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await makeFolderWithParents(folder, { mode: FOLDER_MODE })
  // A umask can only take rights away, but a folder that was there keeps what it had.
  if (first === undefined && process.platform !== 'win32') await chmod(folder, FOLDER_MODE).catch(() => undefined)
}

/** Writes to a temporary name, flushes, and renames: a crash leaves the old file or the new one. */
export async function writeAtomically(file: string, bytes: Uint8Array | string): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`
  const handle = await open(temporary, 'wx', FILE_MODE)
  try {
    try {
      await handle.writeFile(bytes)
      await handle.datasync()
    } finally {
      await handle.close()
    }
    await renameOver(temporary, file)
  } catch (failure) {
    await unlink(temporary).catch(() => undefined)
    throw failure
  }
}

/** On Windows a reader that has the file open for a moment makes a rename fail; it works a little later. */
async function renameOver(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rename(from, to)
      return
    } catch (failure) {
      if (process.platform !== 'win32' || attempt === 5) throw failure
      await new Promise((resolve) => setTimeout(resolve, attempt * 20))
    }
  }
}

/** Makes a new name in the folder survive a power cut. Not every system can, and then there is nothing to do. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(path.resolve(folder), 'r')
  try {
    await handle.sync()
  } catch {
    return
  } finally {
    await handle.close()
  }
}
