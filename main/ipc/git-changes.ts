import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstat, open, readlink, realpath } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { ChangedFile } from '../../preload/contract/effects'
import type { BlobRef } from '../../preload/contract/ids'
import { PlumblineError } from '../platform/errors'

/** Milliseconds for one question to Git. */
const GIT_LIMIT_MS = 10_000

/** Bytes that Git may answer to one question. */
const MAX_GIT_OUTPUT_BYTES = 16 * 1024 * 1024

/** Files in the list; a list beyond that is of no use to a reader. */
export const MAX_GIT_FILES = 2000

/** Nothing of the repository's own configuration may start a program, or wait for one. */
const SAFE_OPTIONS = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=', '-c', 'diff.external=', '--no-pager']

const run = promisify(execFile)

/** A changed file against HEAD, with Git's name of the old content (null when there was none). */
export interface GitChange {
  file: ChangedFile
  head: string | null
}

/**
 * Changes of the working tree against HEAD, files not yet known to Git included. Line counts are Git's own, 0
 * for files that it does not know. The references only tell versions apart, their contents are not blobs of a
 * session: `headContent` and `workingContent` read them. Throws `not_supported` outside of a repository.
 */
export async function listGitChanges(cwd: string, signal?: AbortSignal): Promise<GitChange[]> {
  if ((await git(cwd, ['rev-parse', '--verify', '-q', 'HEAD'], signal).catch(() => null)) === null) {
    throw new PlumblineError('not_supported', 'There is no Git commit to compare with here.')
  }
  const diff = ['diff', '--no-ext-diff', '--no-textconv', '--no-color', '-M', '-z', '--relative']
  const [raw, numbers, others] = await Promise.all([
    git(cwd, [...diff, '--raw', '--abbrev=40', 'HEAD'], signal),
    git(cwd, [...diff, '--numstat', 'HEAD'], signal),
    git(cwd, ['ls-files', '--others', '--exclude-standard', '-z'], signal),
  ])
  const counts = parseNumstat(numbers)
  const tracked = parseRaw(raw).slice(0, MAX_GIT_FILES)
  const unknown = others.split('\0').filter((name) => name !== '')
  return [
    ...(await Promise.all(tracked.map((entry) => trackedChange(cwd, entry, counts.get(entry.path))))),
    ...(await Promise.all(unknown.slice(0, MAX_GIT_FILES - tracked.length).map((name) => unknownChange(cwd, name)))),
  ]
}

/** The committed content, at most `limit` bytes of it plus one, so that the caller sees when there is more. */
export async function headContent(cwd: string, head: string, limit: number): Promise<Uint8Array> {
  const size = Number(await git(cwd, ['cat-file', '-s', head]))
  if (size > limit) return new Uint8Array(limit + 1)
  const { stdout } = await run('git', [...SAFE_OPTIONS, 'cat-file', 'blob', head], {
    cwd,
    encoding: 'buffer',
    timeout: GIT_LIMIT_MS,
    maxBuffer: limit + 1024,
    env: gitEnvironment(),
  })
  return stdout
}

/** What lies in the working tree, cut like `headContent`. A link is shown as the path it holds, never followed. */
export async function workingContent(cwd: string, relative: string, limit: number): Promise<Uint8Array> {
  const file = path.join(await realpath(path.join(cwd, path.dirname(relative))), path.basename(relative))
  if (!isWithin(await realpath(cwd), file)) throw new PlumblineError('outside_roots', `${relative} lies outside.`)
  const found = await lstat(file)
  if (found.isSymbolicLink()) return Buffer.from(await readlink(file))
  if (!found.isFile()) throw new PlumblineError('not_a_file', `${relative} is not a file.`)
  if (found.size > limit) return new Uint8Array(limit + 1)
  const handle = await open(file, 'r')
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(limit + 1), 0, limit + 1, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

interface RawEntry {
  path: string
  from?: string
  letter: string
  head: string | null
}

/** `git diff --raw -z`: `:mode mode id id letter` NUL path NUL, for renames and copies two paths. */
export function parseRaw(output: string): RawEntry[] {
  const fields = output.split('\0')
  const entries: RawEntry[] = []
  for (let at = 0; at < fields.length; at += 1) {
    const [, , id, , status] = (fields[at] ?? '').split(' ')
    if (id === undefined || status === undefined) continue
    const letter = status.charAt(0)
    const first = fields[at + 1] ?? ''
    const moved = letter === 'R' || letter === 'C'
    const head = /^0+$/.test(id) ? null : id
    entries.push(moved ? { path: fields[at + 2] ?? '', from: first, letter, head } : { path: first, letter, head })
    at += moved ? 2 : 1
  }
  return entries
}

/** `git diff --numstat -z`: `added TAB removed TAB path` NUL; with a rename the path is empty and two follow. */
export function parseNumstat(output: string): Map<string, { added: number; removed: number }> {
  const counts = new Map<string, { added: number; removed: number }>()
  const fields = output.split('\0')
  for (let at = 0; at < fields.length; at += 1) {
    const [added, removed, name] = (fields[at] ?? '').split('\t')
    if (added === undefined || removed === undefined || name === undefined) continue
    const moved = name === ''
    // Git says "-" for binary files.
    counts.set(moved ? (fields[at + 2] ?? '') : name, { added: Number(added) || 0, removed: Number(removed) || 0 })
    if (moved) at += 2
  }
  return counts
}

async function trackedChange(
  cwd: string,
  entry: RawEntry,
  counts: { added: number; removed: number } | undefined,
): Promise<GitChange> {
  const after = entry.letter === 'D' ? null : await workingVersion(cwd, entry.path)
  const before = entry.head === null ? null : versionRef(`head ${entry.head}`, 0)
  const kind =
    before === null ? 'added' : after === null ? 'deleted' : entry.letter === 'R' ? 'renamed' : ('modified' as const)
  return {
    head: entry.head,
    file: {
      path: entry.path,
      ...(entry.from === undefined ? {} : { from: entry.from }),
      kind,
      before,
      after,
      added: counts?.added ?? 0,
      removed: counts?.removed ?? 0,
    },
  }
}

async function unknownChange(cwd: string, name: string): Promise<GitChange> {
  const after = await workingVersion(cwd, name)
  return { head: null, file: { path: name, kind: 'added', before: null, after, added: 0, removed: 0 } }
}

async function workingVersion(cwd: string, relative: string): Promise<BlobRef | null> {
  const found = await lstat(path.join(cwd, relative)).catch(() => null)
  return found && versionRef(`work ${relative} ${found.mtimeMs} ${found.size} ${found.ino}`, found.size)
}

function versionRef(version: string, bytes: number): BlobRef {
  return { id: createHash('sha256').update(version).digest('hex'), bytes }
}

function isWithin(parent: string, child: string): boolean {
  const relative = path.relative(parent, child)
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative)
}

async function git(cwd: string, args: readonly string[], signal?: AbortSignal): Promise<string> {
  const { stdout } = await run('git', [...SAFE_OPTIONS, ...args], {
    cwd,
    timeout: GIT_LIMIT_MS,
    maxBuffer: MAX_GIT_OUTPUT_BYTES,
    env: gitEnvironment(),
    ...(signal ? { signal } : {}),
  })
  return stdout
}

/** Looking must not take locks, ask for anything or obey variables that move the repository. */
function gitEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))
  return { ...Object.fromEntries(kept), GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' }
}
