import { lstat, opendir, readlink } from 'node:fs/promises'
import path from 'node:path'
import { formatAge, formatBytes } from './sizes'

/** Entries shown of each folder inside the one that was asked for (READ-17). */
const CHILD_ENTRIES = 12

/** Entries shown of the folder that was asked for; beyond that a listing tool is the better answer. */
const ROOT_ENTRIES = 500

/** Names read of one folder before the rest is only said to exist. */
const MAX_NAMES = 10_000

/** Files looked at in parallel. */
const STAT_BATCH = 64

const PRUNED = new Set(['.git', 'node_modules'])

export interface DirectoryTree {
  /** Rows joined by newlines, the folder itself first. */
  readonly text: string
  readonly entries: number
  readonly shown: number
  /** Some entries are left out. */
  readonly elided: boolean
}

interface Entry {
  name: string
  kind: 'file' | 'directory' | 'link' | 'other'
  size: number
  modified: number
  target?: string
}

/**
 * A tree of depth 2, newest first, with sizes and ages (READ-17). `.git`, `node_modules` and the `closed` folders are
 * named but not opened.
 * Links are shown, never followed, so nothing goes round. Throws system errors of the folder itself only.
 */
export async function directoryTree(
  folder: string,
  display: string,
  options: { now: number; closed: ReadonlySet<string>; signal: AbortSignal },
): Promise<DirectoryTree> {
  const { now, closed, signal } = options
  const { entries, more } = await listEntries(folder, signal)
  const shownRoot = elide(entries, ROOT_ENTRIES)
  const rows = [`${display === '.' ? '.' : display.replace(/\/+$/, '')}/`]
  let total = entries.length
  let shown = shownRoot.kept.length
  let elided = more || shownRoot.omitted > 0
  for (const item of shownRoot.kept) {
    signal.throwIfAborted()
    if (item === 'gap') {
      rows.push(`  … ${shownRoot.omitted} more`)
      continue
    }
    rows.push(`  ${describe(item, now)}`)
    const inner = path.join(folder, item.name)
    if (item.kind !== 'directory' || PRUNED.has(item.name) || closed.has(inner)) continue
    const inside = await listEntries(inner, signal).catch(() => undefined)
    if (inside === undefined) {
      rows.push('    (not readable)')
      continue
    }
    const kept = elide(inside.entries, CHILD_ENTRIES)
    total += inside.entries.length
    shown += kept.kept.length
    elided ||= inside.more || kept.omitted > 0
    for (const child of kept.kept) {
      rows.push(child === 'gap' ? `    … ${kept.omitted} more` : `    ${describe(child, now)}`)
    }
  }
  if (more) rows.push(`  … more than ${MAX_NAMES} entries; use a listing tool for all of them`)
  if (entries.length === 0) rows.push('  (empty)')
  return { text: rows.join('\n'), entries: total, shown, elided }
}

/** The newest entries and the oldest one, with a mark where the others are missing. */
function elide(entries: readonly Entry[], limit: number): { kept: (Entry | 'gap')[]; omitted: number } {
  const oldest = entries.at(-1)
  if (entries.length <= limit || oldest === undefined) return { kept: [...entries], omitted: 0 }
  return { kept: [...entries.slice(0, limit - 1), 'gap', oldest], omitted: entries.length - limit }
}

function describe(entry: Entry, now: number): string {
  const age = formatAge(now - entry.modified)
  switch (entry.kind) {
    case 'directory':
      return `${entry.name}/  ${age}`
    case 'link':
      return `${entry.name} -> ${entry.target ?? '?'}  ${age}`
    case 'file':
      return `${entry.name}  ${formatBytes(entry.size)}  ${age}`
    case 'other':
      return `${entry.name}  (special file)  ${age}`
  }
}

async function listEntries(folder: string, signal: AbortSignal): Promise<{ entries: Entry[]; more: boolean }> {
  const names: string[] = []
  let more = false
  for await (const entry of await opendir(folder)) {
    if (names.length >= MAX_NAMES) {
      more = true
      break
    }
    names.push(entry.name)
  }
  const entries: Entry[] = []
  for (let from = 0; from < names.length; from += STAT_BATCH) {
    signal.throwIfAborted()
    const batch = names.slice(from, from + STAT_BATCH).map((name) => describeEntry(folder, name))
    for (const entry of await Promise.all(batch)) if (entry !== undefined) entries.push(entry)
  }
  entries.sort((a, b) => b.modified - a.modified || (a.name < b.name ? -1 : 1))
  return { entries, more }
}

/** Undefined when the entry vanished meanwhile. */
async function describeEntry(folder: string, name: string): Promise<Entry | undefined> {
  const full = path.join(folder, name)
  const found = await lstat(full).catch(() => undefined)
  if (found === undefined) return undefined
  const base = { name, size: found.size, modified: found.mtimeMs }
  if (found.isSymbolicLink()) return { ...base, kind: 'link', target: await readlink(full).catch(() => '?') }
  return { ...base, kind: found.isFile() ? 'file' : found.isDirectory() ? 'directory' : 'other' }
}
