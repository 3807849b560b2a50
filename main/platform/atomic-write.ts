import { randomBytes } from 'node:crypto'
import * as files from 'node:fs/promises'
import path from 'node:path'
import { isSystemError } from './errors'
import { makeFolderWithParents } from './make-folder'

/** The file system as writing needs it; tests inject failures. */
export type FileOperations = Pick<
  typeof files,
  'open' | 'rename' | 'link' | 'unlink' | 'rmdir' | 'mkdir' | 'lstat' | 'readFile' | 'chmod' | 'copyFile'
>

export const systemFiles: FileOperations = files

/** Told of temporary files before they are made and when they are gone. */
export interface TemporaryNotes {
  note(file: string): Promise<void>
  done(file: string): Promise<void>
}

/** Whether the change would survive a loss of power; false where the folder can't be flushed. */
export interface Durability {
  readonly durable: boolean
}

/** Permission bits, without the kind of the entry. */
const MODE_BITS = 0o7777

/** Of a new file, before the process's mask takes its part. */
const NEW_FILE_MODE = 0o666

/** Of a new file that can be run. */
const NEW_PROGRAM_MODE = 0o777

/** Only the owner: what a temporary file has until it gets the mode of what it replaces. */
const PRIVATE_MODE = 0o600

/**
 * Replaces a file as a whole: temporary name in the same folder, mode and owner of the old file, flush, rename, flush of
 * the folder. A crash at any moment leaves the old file or the new one. On failure the temporary file is gone and the
 * system's error is thrown. `path` must not be a link (WRITE-03, WRITE-06). `executable` adds the execute bits, `mode` replaces
 * all bits.
 */
export async function replaceFile(
  target: string,
  bytes: Uint8Array,
  options: { files?: FileOperations; executable?: boolean; mode?: number; temporaries?: TemporaryNotes } = {},
): Promise<Durability> {
  const system = options.files ?? systemFiles
  const old = await system.lstat(target)
  const mode = withExecute(options.mode ?? old.mode & MODE_BITS, options.executable)
  const temporary = temporaryName(target)
  await options.temporaries?.note(temporary)
  try {
    await writeTemporary(system, temporary, bytes, PRIVATE_MODE, { mode, uid: old.uid, gid: old.gid })
    await system.rename(temporary, target)
  } catch (failure) {
    await discard(system, temporary)
    throw failure
  } finally {
    await options.temporaries?.done(temporary)
  }
  return { durable: await flushFolder(system, path.dirname(target)) }
}

/**
 * Creates a file and never replaces one: throws EEXIST when something has the name, whenever it appeared (WRITE-10). The
 * file has its whole content from the moment it can be seen. The mode is what the process's mask leaves.
 */
export async function createFile(
  target: string,
  bytes: Uint8Array,
  options: { files?: FileOperations; executable?: boolean; mode?: number; temporaries?: TemporaryNotes } = {},
): Promise<Durability> {
  const system = options.files ?? systemFiles
  const temporary = temporaryName(target)
  await options.temporaries?.note(temporary)
  const openMode = options.executable === true ? NEW_PROGRAM_MODE : NEW_FILE_MODE
  try {
    await writeTemporary(
      system,
      temporary,
      bytes,
      openMode,
      options.mode === undefined ? undefined : { mode: options.mode },
    )
    await linkWithoutClobber(system, temporary, target)
  } finally {
    await discard(system, temporary)
    await options.temporaries?.done(temporary)
  }
  return { durable: await flushFolder(system, path.dirname(target)) }
}

/** Gives a file another name in one step; throws EEXIST when the name is taken. Both lie on one file system. */
export async function moveFile(
  from: string,
  to: string,
  options: { files?: FileOperations } = {},
): Promise<Durability> {
  const system = options.files ?? systemFiles
  await linkWithoutClobber(system, from, to)
  await system.unlink(from)
  const flushed = [await flushFolder(system, path.dirname(to)), await flushFolder(system, path.dirname(from))]
  return { durable: flushed.every(Boolean) }
}

/** Removes a file and flushes its folder. */
export async function removeFile(target: string, options: { files?: FileOperations } = {}): Promise<Durability> {
  const system = options.files ?? systemFiles
  await system.unlink(target)
  return { durable: await flushFolder(system, path.dirname(target)) }
}

/** Creates missing folders and returns those that were made, outermost first, so that they can be taken back. */
export async function makeFolders(folder: string, options: { files?: FileOperations } = {}): Promise<string[]> {
  const system = options.files ?? systemFiles
  const first = await makeFolderWithParents(folder, { files: system })
  if (first === undefined) return []
  const made = [first]
  for (const part of path.relative(first, folder).split(path.sep)) {
    if (part !== '') made.push(path.join(made.at(-1) ?? first, part))
  }
  return made
}

/** Removes folders that are empty, innermost first; the others stay. */
export async function removeEmptyFolders(
  folders: readonly string[],
  options: { files?: FileOperations } = {},
): Promise<void> {
  const system = options.files ?? systemFiles
  for (const folder of [...folders].reverse()) {
    try {
      await system.rmdir(folder)
    } catch {
      return
    }
  }
}

async function writeTemporary(
  system: FileOperations,
  temporary: string,
  bytes: Uint8Array,
  openMode: number,
  like?: { mode: number; uid?: number; gid?: number },
): Promise<void> {
  const handle = await system.open(temporary, 'wx', openMode)
  try {
    await handle.writeFile(bytes)
    if (like !== undefined && process.platform !== 'win32') {
      const own = await handle.stat()
      // Only a privileged process can keep a foreign owner; the change itself must not fail for it.
      const { uid = own.uid, gid = own.gid } = like
      if (own.uid !== uid || own.gid !== gid) await handle.chown(uid, gid).catch(() => undefined)
      await handle.chmod(like.mode)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Hard links never replace. File systems without them get an exclusively created copy. */
async function linkWithoutClobber(system: FileOperations, from: string, to: string): Promise<void> {
  try {
    await system.link(from, to)
  } catch (failure) {
    if (!isSystemError(failure) || !['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(failure.code)) {
      throw failure
    }
    await system.copyFile(from, to, files.constants.COPYFILE_EXCL)
  }
}

async function flushFolder(system: FileOperations, folder: string): Promise<boolean> {
  // Windows has no handle of a folder to flush; its journal keeps renames in order.
  if (process.platform === 'win32') return true
  try {
    const handle = await system.open(folder, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
    return true
  } catch {
    return false
  }
}

async function discard(system: FileOperations, temporary: string): Promise<void> {
  await system.unlink(temporary).catch(() => undefined)
}

/** Long names are cut, since the whole must fit a folder entry. */
function temporaryName(target: string): string {
  const base = path.basename(target).slice(0, 40)
  return path.join(path.dirname(target), `.${base}.${randomBytes(6).toString('hex')}.tmp`)
}

/** Execute for everyone who may read. */
function withExecute(mode: number, executable: boolean | undefined): number {
  return executable === true ? mode | ((mode & 0o444) >> 2) : mode
}
