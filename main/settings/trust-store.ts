import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { type Clock, systemClock } from '../platform/clock'
import { isSystemError } from '../platform/errors'
import { readState, saveText } from './state-file'

/** Decisions that are kept; the oldest give way. */
const MAX_RECORDS = 10_000

const TrustRecord = z.object({
  /** As the person named it. */
  path: z.string(),
  /** The folder that it really is. */
  realpath: z.string(),
  git_remote: z.string().optional(),
  /** Milliseconds since the epoch. */
  decided_at: z.number(),
  decision: z.enum(['trusted', 'untrusted']),
  scope: z.enum(['dir', 'parent', 'session']),
})
export type TrustRecord = z.infer<typeof TrustRecord>

const TrustFile = z.object({ version: z.literal(1), records: z.array(TrustRecord) })

export interface TrustOptions {
  home: string
  /** What counts where nobody decided; read at each question. */
  fallback?: () => 'ask' | 'always' | 'never'
  clock?: Clock
}

/**
 * Which folders the person trusts, in `trust.json`. A decision holds for the folder and everything below it; the
 * nearest one wins. Project settings, hooks, rules and servers count in a trusted folder only.
 */
export class TrustStore {
  readonly #file: string
  readonly #fallback: () => 'ask' | 'always' | 'never'
  readonly #clock: Clock
  readonly #thisRun = new Map<string, TrustRecord>()
  #records: Promise<Map<string, TrustRecord>> | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(options: TrustOptions) {
    this.#file = path.join(options.home, 'trust.json')
    this.#fallback = options.fallback ?? (() => 'ask')
    this.#clock = options.clock ?? systemClock
  }

  async isTrusted(folder: string): Promise<boolean> {
    return (await this.decision(folder)) === 'trusted'
  }

  /** `undecided` where neither the folder nor one above it was decided about and the default is to ask. */
  async decision(folder: string): Promise<'trusted' | 'untrusted' | 'undecided'> {
    const records = await this.#load()
    for (const candidate of withAncestors(await realPath(folder))) {
      const record = this.#thisRun.get(candidate) ?? records.get(candidate)
      if (record !== undefined) return record.decision
    }
    const fallback = this.#fallback()
    return fallback === 'always' ? 'trusted' : fallback === 'never' ? 'untrusted' : 'undecided'
  }

  /** Records the person's decision. `parent` records it for the folder above, `session` for this run only. */
  async setTrusted(folder: string, trusted: boolean, scope: TrustRecord['scope'] = 'dir'): Promise<void> {
    const named = scope === 'parent' ? path.dirname(path.resolve(folder)) : path.resolve(folder)
    const record: TrustRecord = {
      path: named,
      realpath: await realPath(named),
      decided_at: this.#clock.now(),
      decision: trusted ? 'trusted' : 'untrusted',
      scope,
    }
    this.#thisRun.delete(record.realpath)
    if (scope === 'session') {
      this.#thisRun.set(record.realpath, record)
      return
    }
    const records = await this.#load()
    // Deleted first, so that the newest decision stands last.
    records.delete(record.realpath)
    records.set(record.realpath, record)
    await this.#save(records)
  }

  #load(): Promise<Map<string, TrustRecord>> {
    this.#records ??= readState(this.#file, TrustFile, { version: 1, records: [] }).then(
      ({ records }) => new Map(records.map((record) => [record.realpath, record])),
    )
    return this.#records
  }

  #save(records: Map<string, TrustRecord>): Promise<void> {
    const newest = [...records.values()].slice(-MAX_RECORDS)
    const text = `${JSON.stringify({ version: 1, records: newest }, null, 2)}\n`
    this.#writing = this.#writing.catch(() => undefined).then(() => saveText(this.#file, text))
    return this.#writing
  }
}

async function realPath(folder: string): Promise<string> {
  try {
    return await realpath(folder)
  } catch (thrown) {
    if (isSystemError(thrown)) return path.resolve(folder)
    throw thrown
  }
}

function withAncestors(folder: string): string[] {
  const folders = [folder]
  for (let at = folder; path.dirname(at) !== at; at = path.dirname(at)) folders.push(path.dirname(at))
  return folders
}
