import { constants } from 'node:fs'
import { chmod, type FileHandle, lstat, mkdir, open } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { isSystemError, PlumblineError } from '../platform/errors'
import { incompleteTail } from './utf8-splitter'

/** Most bytes of one kept file, its notice included (PERSIST-05). */
export const SPILL_CAP_BYTES = 67_108_864

/** Stands where a kept file had to be cut (PERSIST-05). */
export const SPILL_NOTICE = `[Output truncated: persisted-output cap of ${SPILL_CAP_BYTES} bytes reached]`

/** Bytes that may wait for the disk before the producer has to pause. */
const HIGH_WATER_BYTES = 4 * 1024 * 1024

export interface SpillTarget {
  /** Made owner-only on first use; refused when it is a link or belongs to somebody else (PERSIST-04). */
  readonly folder: string
  readonly name: string
}

/**
 * A file that takes a whole output, opened with the first byte. Where the folder is not safe or the disk refuses, it
 * swallows everything and `finish` gives no path: what can't be kept is never claimed to be.
 */
export class OutputSpill {
  readonly #target: SpillTarget
  readonly #cap: number
  #handle: FileHandle | undefined
  #path = ''
  #queue: Uint8Array[] = []
  #queued = 0
  #accepted = 0
  #written = 0
  #capped = false
  #broken = false
  #pump: Promise<void> | undefined
  #onDrain: (() => void) | undefined

  constructor(target: SpillTarget, cap: number = SPILL_CAP_BYTES) {
    this.#target = target
    this.#cap = cap
  }

  /** Takes whole characters only. Returns false when the producer should pause until `onDrain`. */
  write(bytes: Uint8Array): boolean {
    if (this.#broken || this.#capped || bytes.length === 0) return true
    const room = this.#cap - Buffer.byteLength(SPILL_NOTICE) - 2
    if (this.#accepted + bytes.length <= room) this.#enqueue(bytes)
    else {
      const part = bytes.subarray(0, room - this.#accepted)
      this.#enqueue(part.subarray(0, part.length - incompleteTail(part)))
      this.#enqueue(Buffer.from(`\n${SPILL_NOTICE}\n`))
      this.#capped = true
    }
    return this.#queued < HIGH_WATER_BYTES
  }

  /** The one listener for "the producer may go on". */
  onDrain(listener: () => void): void {
    this.#onDrain = listener
  }

  /** Waits for the disk, closes, and names the file where everything went well. */
  async finish(): Promise<{ path: string; bytes: number } | undefined> {
    while (this.#pump !== undefined) await this.#pump
    const handle = this.#handle
    this.#handle = undefined
    await handle?.close().catch(() => undefined)
    if (this.#broken || handle === undefined) return undefined
    return { path: this.#path, bytes: this.#written }
  }

  #enqueue(bytes: Uint8Array): void {
    this.#accepted += bytes.length
    this.#queued += bytes.length
    this.#queue.push(bytes)
    this.#pump ??= this.#drain().finally(() => {
      this.#pump = undefined
      this.#onDrain?.()
    })
  }

  async #drain(): Promise<void> {
    try {
      if (this.#handle === undefined) {
        const opened = await openOwnerOnly(this.#target)
        this.#handle = opened.handle
        this.#path = opened.path
      }
      const handle = this.#handle
      for (let batch = this.#queue; batch.length > 0; batch = this.#queue) {
        this.#queue = []
        for (const bytes of batch) await this.#writeAll(handle, bytes)
        this.#queued = this.#queue.reduce((sum, bytes) => sum + bytes.length, 0)
        if (this.#queued < HIGH_WATER_BYTES) this.#onDrain?.()
      }
    } catch {
      this.#broken = true
      this.#queue = []
      this.#queued = 0
    }
  }

  async #writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await handle.write(bytes, at, bytes.length - at)
      at += bytesWritten
      this.#written += bytesWritten
    }
  }
}

/** Makes an owner-only folder, or checks that the one there is. Throws `access_denied` when it is not safe. */
export async function ensureOwnerOnlyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const found = await lstat(folder)
  const uid = process.getuid?.()
  if (!found.isDirectory() || (uid !== undefined && found.uid !== uid)) {
    throw new PlumblineError('access_denied', `${folder} is a link or belongs to somebody else; nothing is kept there.`)
  }
  if (uid !== undefined && (found.mode & 0o077) !== 0) await chmod(folder, 0o700)
}

/** Most files of one name; a call's name is taken again when a session is resumed. */
const MAX_SAME_NAME = 100

async function openOwnerOnly(target: SpillTarget): Promise<{ handle: FileHandle; path: string }> {
  await ensureOwnerOnlyFolder(target.folder)
  const noFollow = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow
  const { name, ext } = parse(target.name)
  for (let copy = 1; ; copy += 1) {
    const path = join(target.folder, copy === 1 ? target.name : `${name}-${copy}${ext}`)
    try {
      return { handle: await open(path, flags, 0o600), path }
    } catch (failure) {
      if (!isSystemError(failure) || failure.code !== 'EEXIST' || copy === MAX_SAME_NAME) throw failure
    }
  }
}
