import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'

/** A process of this machine as the trees need it. `name` is the short name the kernel keeps (15 bytes on Linux). */
export interface ProcessRow {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  readonly name: string
}

/** Longest time that listing processes by a program may take, in milliseconds. */
const LIST_TIMEOUT_MS = 5_000

/** Bytes of such a listing that are read: tens of thousands of processes. */
const LIST_BYTES = 8 * 1024 * 1024

/** All processes that can be seen, or an empty list where the platform has no way to tell. Never throws. */
export async function listProcesses(platform: NodeJS.Platform = process.platform): Promise<ProcessRow[]> {
  if (platform === 'linux') return listLinux()
  if (platform === 'win32') return []
  const text = await run('ps', ['-axo', 'pid=,ppid=,pgid=,sess=,comm='])
  return parsePs(text)
}

/** Reads what `ps -o pid=,ppid=,pgid=,sess=,comm=` prints. */
export function parsePs(text: string): ProcessRow[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, group, session, name] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+)$/.exec(line) ?? []
    if (pid === undefined || parent === undefined || group === undefined || name === undefined) return []
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        session: Number.parseInt(session ?? '', 16) || 0,
        name,
      },
    ]
  })
}

/** Reads one `/proc/PID/stat`. The name stands in parentheses and may contain anything, parentheses included. */
export function parseStat(text: string): ProcessRow | undefined {
  const open = text.indexOf('(')
  const close = text.lastIndexOf(')')
  if (open < 0 || close < open) return undefined
  const pid = Number(text.slice(0, open))
  const [state, parent, group, session] = text.slice(close + 2).split(' ')
  // Zombies are dead: only their parent can remove them, and no signal reaches them.
  if (state === undefined || state === 'Z' || state === 'X') return undefined
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    name: text.slice(open + 1, close),
  }
}

async function listLinux(): Promise<ProcessRow[]> {
  const rows: ProcessRow[] = []
  const entries = await readdir('/proc').catch(() => [])
  await Promise.all(
    entries.map(async (entry) => {
      if (!/^\d+$/.test(entry)) return
      const text = await readFile(`/proc/${entry}/stat`, 'latin1').catch(() => undefined)
      const row = text === undefined ? undefined : parseStat(text)
      if (row) rows.push(row)
    }),
  )
  return rows
}

/** Linux: the processes whose environment holds `marker` (`NAME=value`), wherever they moved in the tree. */
export async function findMarked(marker: string, platform: NodeJS.Platform = process.platform): Promise<number[]> {
  if (platform !== 'linux') return []
  const found: number[] = []
  const entries = await readdir('/proc').catch(() => [])
  await Promise.all(
    entries.map(async (entry) => {
      if (!/^\d+$/.test(entry)) return
      const environment = await readFile(`/proc/${entry}/environ`, 'latin1').catch(() => '')
      if (`\0${environment}`.includes(`\0${marker}\0`)) found.push(Number(entry))
    }),
  )
  return found
}

function run(file: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(file, [...args], { timeout: LIST_TIMEOUT_MS, maxBuffer: LIST_BYTES }, (_failure, stdout) =>
      resolve(stdout),
    )
  })
}
