import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

interface Row {
  pid: number
  parent: number
  /** When it began, so that a number used again is not taken for the same process. */
  began: string
  name: string
}

/** All processes of this machine that can be seen; zombies have ended and are left out. */
export function listProcesses(): Row[] {
  return process.platform === 'linux' ? fromProc() : fromPs()
}

/** The process and everything that it started, directly or not. */
export function treeOf(root: number): Row[] {
  const rows = listProcesses()
  const found = rows.filter((row) => row.pid === root)
  for (const parent of found) found.push(...rows.filter((row) => row.parent === parent.pid))
  return found
}

/**
 * Processes of `before` that still run, and on Linux whatever else carries `marker` in its environment: a process that
 * left its tree is found by that.
 */
export function survivors(before: readonly Row[], marker: string): Row[] {
  const now = listProcesses()
  return now.filter(
    (row) => before.some((known) => known.pid === row.pid && known.began === row.began) || carries(row.pid, marker),
  )
}

function carries(pid: number, marker: string): boolean {
  if (process.platform !== 'linux' || pid === process.pid) return false
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(marker)
  } catch {
    return false
  }
}

function fromProc(): Row[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return []
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
      const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
      const [state, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return state === 'Z' ? [] : [{ pid: Number(entry), parent: Number(parent), began: rest[17] ?? '', name }]
    } catch {
      return []
    }
  })
}

function fromPs(): Row[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,lstart=,comm='], { encoding: 'utf8' }).split('\n')
  return lines.flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+ \S+ +\d+ \S+ \d+)\s+(.*)$/.exec(line)
    if (match === null || match[3]?.startsWith('Z')) return []
    return [{ pid: Number(match[1]), parent: Number(match[2]), began: match[4] ?? '', name: match[5] ?? '' }]
  })
}
