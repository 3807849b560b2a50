import { lstat, readdir, rm } from 'node:fs/promises'
import path from 'node:path'

/** A folder whose newest file is older goes, in milliseconds (PERSIST-07). */
const KEEP_MS = 30 * 24 * 60 * 60 * 1000

/** How deep a folder is looked into. */
const MAX_DEPTH = 32

export interface SweepOptions {
  /** Folders of kept output, such as `<session>/tool-results`, absolute. */
  readonly folders: readonly string[]
  /** Folders of sessions that are open here: theirs stay, whatever their age (PERSIST-08). */
  readonly live: ReadonlySet<string>
  readonly now: number
}

/**
 * Removes folders of kept output whose newest file is more than 30 days old; one fresh file keeps the whole folder.
 * Links are neither followed nor counted, journals (`.jsonl`) are never deleted (PERSIST-07, PERSIST-08). Answers with
 * what was removed. Never throws for a folder that can't be read: it stays.
 */
export async function sweepKeptOutput({ folders, live, now }: SweepOptions): Promise<string[]> {
  const removed: string[] = []
  for (const folder of folders) {
    if (live.has(folder)) continue
    const newest = await newestFile(folder, 0).catch(() => undefined)
    if (newest === undefined || now - newest <= KEEP_MS) continue
    await rm(folder, { recursive: true, force: true }).then(
      () => removed.push(folder),
      () => undefined,
    )
  }
  return removed
}

/** When the newest file below changed; undefined for what must stay: a link, a journal inside, too deep, no folder. */
async function newestFile(folder: string, depth: number): Promise<number | undefined> {
  const found = await lstat(folder)
  if (!found.isDirectory() || depth > MAX_DEPTH) return undefined
  const times: number[] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name)
    if (entry.isDirectory()) {
      const inner = await newestFile(place, depth + 1)
      if (inner === undefined) return undefined
      times.push(inner)
    } else if (entry.name.endsWith('.jsonl')) return undefined
    else if (!entry.isSymbolicLink()) times.push((await lstat(place)).mtimeMs)
  }
  // An empty folder is as old as itself.
  return times.length === 0 ? found.mtimeMs : Math.max(...times)
}
