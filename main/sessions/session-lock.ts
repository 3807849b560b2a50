import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rmdir, stat, unlink, utimes } from 'node:fs/promises'
import { z } from 'zod'
import { type Clock, systemClock } from '../platform/clock'
import { isSystemError, PlumblineError } from '../platform/errors'
import type { ProcessIdentity, ProcessTable } from './process-identity'

/** Milliseconds between two signs of life of a lock. Only other machines need them. */
const HEARTBEAT_MS = 20_000
/** A lock of another machine without a sign of life for so many milliseconds is given up. */
const FOREIGN_STALE_MS = 120_000
/** Taking over a stale lock takes a moment; a process that died in it holds others up for so many milliseconds. */
const TAKEOVER_STALE_MS = 5_000
const TAKEOVER_RETRY_MS = 25
const TAKEOVER_ATTEMPTS = 400

const LockContent = z.object({ pid: z.number().int(), started: z.string(), host: z.string(), token: z.string() })
type LockContent = z.infer<typeof LockContent>

/** The right to write one session, held by one process. */
export interface SessionLock {
  release(): Promise<void>
}

/**
 * Takes the lock, or throws `journal_locked` with the process that holds it. A lock whose process is gone is taken over
 * at once; the number alone does not count, since a later process may have got it.
 */
export async function takeLock(
  file: string,
  processes: ProcessTable,
  clock: Clock = systemClock,
): Promise<SessionLock> {
  const content: LockContent = { ...(await processes.own()), token: randomBytes(8).toString('hex') }
  for (let attempt = 0; attempt < TAKEOVER_ATTEMPTS; attempt += 1) {
    if (await create(file, content)) return held(file, content)
    const holder = await readHolder(file)
    if (holder === 'gone') continue
    if (await isLive(file, holder, processes, clock)) throw lockedBy(holder)
    if (!(await removeStale(file, processes, clock))) await clock.sleep(TAKEOVER_RETRY_MS)
  }
  throw new PlumblineError('journal_locked', 'Another process is taking over this session. Try again in a moment.')
}

/** Whether a running process holds the lock. */
export async function isLocked(file: string, processes: ProcessTable, clock: Clock = systemClock): Promise<boolean> {
  const holder = await readHolder(file)
  return holder !== 'gone' && (await isLive(file, holder, processes, clock))
}

/** False when somebody has it. The file appears with its content or not at all. */
async function create(file: string, content: LockContent): Promise<boolean> {
  const temporary = `${file}.${content.token}`
  const handle = await open(temporary, 'w', 0o600)
  await handle.writeFile(JSON.stringify(content))
  await handle.close()
  try {
    await link(temporary, file)
    return true
  } catch (failure) {
    if (isSystemError(failure) && failure.code === 'EEXIST') return false
    return await createWithoutLinks(file, content)
  } finally {
    await unlink(temporary).catch(() => undefined)
  }
}

/** For file systems that have no second names for a file. */
async function createWithoutLinks(file: string, content: LockContent): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600)
    await handle.writeFile(JSON.stringify(content))
    await handle.close()
    return true
  } catch (failure) {
    if (isSystemError(failure) && failure.code === 'EEXIST') return false
    throw failure
  }
}

/** `null` when the file is there and says nothing usable. */
async function readHolder(file: string): Promise<LockContent | null | 'gone'> {
  try {
    return LockContent.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (failure) {
    return isSystemError(failure) && failure.code === 'ENOENT' ? 'gone' : null
  }
}

async function isLive(
  file: string,
  holder: LockContent | null,
  processes: ProcessTable,
  clock: Clock,
): Promise<boolean> {
  const own = await processes.own()
  if (holder !== null && holder.host === own.host) return processes.runs(identityOf(holder))
  const found = await stat(file).catch(() => undefined)
  if (found === undefined) return false
  // A file without content is being written at this moment, or its writer died in it.
  const limit = holder === null ? TAKEOVER_STALE_MS : FOREIGN_STALE_MS
  return clock.now() - found.mtimeMs < limit
}

/** One process at a time removes a stale lock, and looks again first: it may be a fresh one by now. */
async function removeStale(file: string, processes: ProcessTable, clock: Clock): Promise<boolean> {
  const guard = `${file}.takeover`
  try {
    await mkdir(guard)
  } catch {
    const found = await stat(guard).catch(() => undefined)
    if (found !== undefined && clock.now() - found.mtimeMs > TAKEOVER_STALE_MS)
      await rmdir(guard).catch(() => undefined)
    return false
  }
  try {
    const holder = await readHolder(file)
    if (holder !== 'gone' && !(await isLive(file, holder, processes, clock))) await unlink(file).catch(() => undefined)
    return true
  } finally {
    await rmdir(guard).catch(() => undefined)
  }
}

function held(file: string, content: LockContent): SessionLock {
  const heartbeat = setInterval(() => {
    const now = new Date()
    utimes(file, now, now).catch(() => undefined)
  }, HEARTBEAT_MS)
  heartbeat.unref()
  return {
    async release() {
      clearInterval(heartbeat)
      const holder = await readHolder(file)
      if (holder !== 'gone' && holder?.token === content.token) await unlink(file).catch(() => undefined)
    },
  }
}

function identityOf(holder: LockContent): ProcessIdentity {
  return { pid: holder.pid, started: holder.started, host: holder.host }
}

function lockedBy(holder: LockContent | null): PlumblineError {
  const who = holder === null ? 'another process' : `process ${holder.pid} on ${holder.host}`
  return new PlumblineError(
    'journal_locked',
    `This session is open in ${who}. Nothing was changed. Close it there first, or go on there.`,
    { context: { holder } },
  )
}
