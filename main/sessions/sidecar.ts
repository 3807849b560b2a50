import { createHash } from 'node:crypto'
import { open, readFile, rm, stat } from 'node:fs/promises'
import { z } from 'zod'
import { ContentPart, Usage } from '../../preload/contract/content'
import { ChangedFile } from '../../preload/contract/effects'
import {
  BlobRef,
  CallId,
  EventId,
  ModelRef,
  PermissionMode,
  SandboxTier,
  SessionId,
  ToolsetName,
} from '../../preload/contract/ids'
import { PAGE_SIZE, type SessionState } from '../../preload/contract/session-state'
import { makeFolder, writeAtomically } from './file-operations'
import type { ByteRange } from './journal-lines'
import type { FoldStart, PageRecord, PageSource } from './session-fold'
import type { SessionPaths } from './session-paths'

/** Changes whenever the fold or the sidecar's shape changes: an older sidecar is then made anew. */
const SIDECAR_VERSION = 1
/** Bytes before the snapshot's place whose digest tells whether it is the journal that was folded. */
const CHECKED_BYTES = 64 * 1024

const count = z.number().int().nonnegative()

/** As a list, since a key may be named like a member of every object. */
const entries = <Value extends z.ZodType>(key: z.ZodString, value: Value) => z.array(z.tuple([key, value]))

/** The folded state without its items. */
const Header = z.object({
  session: SessionId.nullable(),
  cwd: z.string(),
  title: z.string(),
  toolset: ToolsetName,
  mode: PermissionMode,
  sandbox: SandboxTier,
  model: ModelRef.nullable(),
  length: count,
  open: entries(CallId, count),
  announced: entries(CallId, z.object({ args: z.string(), blob: BlobRef.optional() })),
  waiting: z.array(CallId),
  queue: z.array(z.object({ entry: z.string(), kind: z.enum(['steer', 'follow-up']), content: z.array(ContentPart) })),
  turn: z.number().int(),
  running: z.object({ turn: z.number().int(), since: z.number() }).nullable(),
  usage: Usage,
  cost: z.number(),
  contextTokens: z.number(),
  turnChanges: entries(z.string(), ChangedFile),
  sessionChanges: entries(z.string(), ChangedFile),
  lastEvent: EventId.nullable(),
  lastAt: z.number(),
})

const Snapshot = z.object({
  version: z.literal(SIDECAR_VERSION),
  /** Bytes of the journal that are folded. */
  offset: count,
  check: z.string(),
  /** Bytes and entries of the list of pages that belong to this snapshot. */
  pagesBytes: count,
  pageCount: count,
  header: Header,
  skipped: z.array(z.object({ start: count, end: count })),
  announcedAt: count.nullable(),
})

const Page = z.union([
  z.object({ page: count, offset: count, turn: z.number().int(), announcedAt: count.optional() }),
  z.object({ late: count, offset: count }),
])

/** A fold as of `offset` bytes of the journal. */
export interface StoredFold extends FoldStart {
  readonly offset: number
  readonly pagesBytes: number
}

/**
 * Reads the sidecar; null when there is none or it does not belong to this journal: another version, damaged, the
 * journal shorter than what was folded, or other bytes before that place. The state has no page loaded.
 */
export async function readSidecar(paths: SessionPaths): Promise<StoredFold | null> {
  try {
    const snapshot = Snapshot.parse(JSON.parse(await readFile(paths.snapshot, 'utf8')))
    const { size } = await stat(paths.journal)
    if (size < snapshot.offset) return null
    if ((await checksum(paths.journal, snapshot.offset)) !== snapshot.check) return null
    const pages = await readPages(paths.pages, snapshot.pagesBytes)
    const pageCount = Math.ceil(snapshot.header.length / PAGE_SIZE)
    if (pages.length !== snapshot.pageCount || pages.length !== pageCount) return null
    const { offset, pagesBytes, skipped, announcedAt } = snapshot
    const unloaded = new Array<undefined>(pages.length).fill(undefined)
    return {
      state: stateOf(snapshot.header, unloaded),
      pages,
      offset,
      pagesBytes,
      skipped,
      announcedAt,
    }
  } catch {
    return null
  }
}

function stateOf(header: z.infer<typeof Header>, pages: SessionState['pages']): SessionState {
  return {
    ...header,
    open: Object.fromEntries(header.open),
    announced: Object.fromEntries(header.announced),
    turnChanges: Object.fromEntries(header.turnChanges),
    sessionChanges: Object.fromEntries(header.sessionChanges),
    live: null,
    pages,
  }
}

async function readPages(file: string, bytes: number): Promise<PageSource[]> {
  const text = bytes === 0 ? '' : (await readFile(file)).subarray(0, bytes).toString('utf8')
  const pages: PageSource[] = []
  for (const line of text.split('\n')) {
    if (line === '') continue
    const record = Page.parse(JSON.parse(line))
    if ('late' in record) pages[record.late]?.late.push(record.offset)
    else pages.push({ offset: record.offset, turn: record.turn, announcedAt: record.announcedAt, late: [] })
  }
  return pages
}

/** A digest of the journal's bytes before `offset`. */
async function checksum(journal: string, offset: number): Promise<string> {
  const handle = await open(journal, 'r')
  try {
    const start = Math.max(0, offset - CHECKED_BYTES)
    const buffer = Buffer.alloc(offset - start)
    const { bytesRead } = await handle.read(buffer, 0, buffer.byteLength, start)
    return createHash('sha256').update(buffer.subarray(0, bytesRead)).digest('hex')
  } finally {
    await handle.close()
  }
}

/** What a snapshot is made of, taken at one moment. */
export interface FoldMoment {
  readonly state: SessionState
  readonly pageCount: number
  readonly skipped: readonly ByteRange[]
  readonly announcedAt: number | null
  /** Bytes of the journal that are folded into `state`. */
  readonly offset: number
}

/** Writes the sidecar of one session, one snapshot after the other. */
export class SidecarWriter {
  readonly #paths: SessionPaths
  #pagesBytes: number
  #records: PageRecord[] = []

  /** `pagesBytes` of the sidecar that was read, or 0 to begin a new one. */
  constructor(paths: SessionPaths, pagesBytes: number) {
    this.#paths = paths
    this.#pagesBytes = pagesBytes
  }

  /** Takes the records that led to the next moment. */
  add(records: readonly PageRecord[]): void {
    this.#records.push(...records)
  }

  /**
   * Stores the moment and the records that led to it since the last one. The journal must have been flushed up to the
   * moment's offset. Rejects when the disk refuses: the sidecar before counts then, and the records go with the next.
   */
  async write(moment: FoldMoment): Promise<void> {
    await makeFolder(this.#paths.index)
    await this.#appendPages()
    const { pages, live, ...header } = moment.state
    const snapshot: z.infer<typeof Snapshot> = {
      version: SIDECAR_VERSION,
      offset: moment.offset,
      check: await checksum(this.#paths.journal, moment.offset),
      pagesBytes: this.#pagesBytes,
      pageCount: moment.pageCount,
      header: storedHeader(header),
      skipped: moment.skipped.map((range) => ({ ...range })),
      announcedAt: moment.announcedAt,
    }
    await writeAtomically(this.#paths.snapshot, JSON.stringify(snapshot))
  }

  async #appendPages(): Promise<void> {
    const count = this.#records.length
    const bytes = Buffer.from(this.#records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    const handle = await open(this.#paths.pages, this.#pagesBytes === 0 ? 'w' : 'r+', 0o600)
    try {
      await handle.write(bytes, 0, bytes.byteLength, this.#pagesBytes)
      await handle.truncate(this.#pagesBytes + bytes.byteLength)
      await handle.datasync()
    } finally {
      await handle.close()
    }
    this.#pagesBytes += bytes.byteLength
    this.#records = this.#records.slice(count)
  }
}

function storedHeader(header: Omit<SessionState, 'pages' | 'live'>): z.infer<typeof Header> {
  return {
    ...header,
    open: Object.entries(header.open),
    announced: Object.entries(header.announced ?? {}),
    waiting: [...header.waiting],
    queue: header.queue.map((entry) => ({ ...entry, content: [...entry.content] })),
    running: header.running && { ...header.running },
    turnChanges: Object.entries(header.turnChanges),
    sessionChanges: Object.entries(header.sessionChanges),
  }
}

/** Forgets the sidecar; it can always be made anew. */
export async function removeSidecar(paths: SessionPaths): Promise<void> {
  await rm(paths.index, { recursive: true, force: true })
}
