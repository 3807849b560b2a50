import { open } from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '../platform/clock'
import { PlumblineError } from '../platform/errors'
import { makeFolder } from './file-operations'
import { type ByteRange, MAX_LINE_BYTES, parseLine } from './journal-lines'

const CHUNK_BYTES = 64 * 1024
const NEWLINE = 10

/** What `repairJournal` found. */
export interface Repair {
  /** Bytes of the journal, which ends with a complete line now. */
  readonly size: number
  /** Bytes of a torn last line that were moved out of the journal. */
  readonly tornBytes: number
}

/**
 * Makes a journal end with a complete line. What a crash left of the last one is kept in the session's folder as
 * `torn-<time>` before it is cut off; if only the line's end was missing it is added. Throws `journal_corrupt` when there
 * is no complete line at all; the file is as it was then.
 */
export async function repairJournal(journal: string, folder: string, clock: Clock): Promise<Repair> {
  const handle = await open(journal, 'r+')
  try {
    const { size } = await handle.stat()
    const start = await lastLineStart(handle, size)
    if (start === size && size > 0) return { size, tornBytes: 0 }
    if (await isWholeEvent(handle, start, size)) {
      await handle.write('\n', size)
      await handle.datasync()
      return { size: size + 1, tornBytes: 0 }
    }
    if (start === 0) throw noCompleteLine(journal, size)
    await keep(handle, { start, end: size }, folder, clock)
    await handle.truncate(start)
    await handle.datasync()
    return { size: start, tornBytes: size - start }
  } finally {
    await handle.close()
  }
}

type Handle = Awaited<ReturnType<typeof open>>

/** The offset after the last line end; 0 when there is none. */
async function lastLineStart(handle: Handle, size: number): Promise<number> {
  for (let end = size; end > 0; end -= CHUNK_BYTES) {
    const from = Math.max(0, end - CHUNK_BYTES)
    const chunk = await readRange(handle, from, end)
    const at = chunk.lastIndexOf(NEWLINE)
    if (at !== -1) return from + at + 1
  }
  return 0
}

async function readRange(handle: Handle, start: number, end: number): Promise<Buffer> {
  const buffer = Buffer.alloc(end - start)
  const { bytesRead } = await handle.read(buffer, 0, buffer.byteLength, start)
  return buffer.subarray(0, bytesRead)
}

async function isWholeEvent(handle: Handle, start: number, size: number): Promise<boolean> {
  if (size === start || size - start > MAX_LINE_BYTES) return false
  const bytes = await readRange(handle, start, size)
  return parseLine({ offset: start, length: bytes.byteLength, bytes }).event !== undefined
}

async function keep(journal: Handle, torn: ByteRange, folder: string, clock: Clock): Promise<void> {
  await makeFolder(folder)
  const time = new Date(clock.now()).toISOString().replace(/[:.]/g, '-')
  const handle = await open(path.join(folder, `torn-${time}`), 'a', 0o600)
  try {
    for (let from = torn.start; from < torn.end; from += CHUNK_BYTES) {
      await handle.writeFile(await readRange(journal, from, Math.min(torn.end, from + CHUNK_BYTES)))
    }
    await handle.datasync()
  } finally {
    await handle.close()
  }
}

function noCompleteLine(journal: string, size: number): PlumblineError {
  return new PlumblineError(
    'journal_corrupt',
    "The journal of this session has no complete first line, so it can't be opened. The file was left as it is.",
    { context: { journal, size } },
  )
}
