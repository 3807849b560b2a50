import { execFile } from 'node:child_process'
import { findMarked, listProcesses, type ProcessRow } from './process-table'

/** What the trees need of the operating system; tests inject their own. */
export interface ProcessSystem {
  readonly platform: NodeJS.Platform
  list(): Promise<readonly ProcessRow[]>
  /** Processes that carry the marker in their environment. */
  marked(marker: string): Promise<readonly number[]>
  /** A negative `pid` names a process group. False when there is no such process. */
  kill(pid: number, signal: NodeJS.Signals): boolean
  /** Windows: ends the process and its children by force. */
  killWindowsTree(pid: number): Promise<void>
}

export const systemProcesses: ProcessSystem = {
  platform: process.platform,
  list: () => listProcesses(),
  marked: (marker) => findMarked(marker),
  kill: (pid, signal) => {
    try {
      return process.kill(pid, signal)
    } catch {
      return false
    }
  },
  killWindowsTree: (pid) =>
    new Promise((resolve) => {
      execFile('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true }, () => resolve())
    }),
}

/** A tree that was started here. */
export interface TreeRoot {
  /** The process that was started; on POSIX systems the leader of its own group and session. */
  readonly pid: number
  /** `NAME=value` in the environment of everything in the tree. */
  readonly marker?: string | undefined
  /**
   * The root is a bubblewrap process: it and its first process only hold the namespace together. A polite signal
   * spares them, since their end takes everything with it at once.
   */
  readonly namespaced?: boolean | undefined
}

/**
 * Signals everything that a process started: children, its group and session, and (Linux) whatever carries the marker,
 * so that double forks and new sessions are found too. Windows knows no polite signal: every one ends the tree.
 */
export async function signalTree(
  root: TreeRoot,
  signal: 'SIGTERM' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT',
  system: ProcessSystem = systemProcesses,
): Promise<number> {
  if (system.platform === 'win32') {
    await system.killWindowsTree(root.pid)
    return 1
  }
  const members = await treeMembers(root, system)
  if (root.namespaced === true && signal !== 'SIGKILL') {
    const inside = members.filter((row) => row.pid !== root.pid && row.parent !== root.pid)
    // Before the namespace has a second process there is nobody to be polite to.
    if (inside.length === 0 && signal === 'SIGTERM') return signalTree(root, 'SIGKILL', system)
    return inside.filter((row) => system.kill(row.pid, signal)).length
  }
  system.kill(-root.pid, signal)
  return members.filter((row) => system.kill(row.pid, signal)).length
}

/** The living processes of a tree, the root first where it still lives. This process is never one of them. */
export async function treeMembers(root: TreeRoot, system: ProcessSystem = systemProcesses): Promise<ProcessRow[]> {
  const [rows, marked] = await Promise.all([
    system.list(),
    root.marker === undefined ? Promise.resolve([]) : system.marked(root.marker),
  ])
  const found = new Set<number>(marked)
  for (const row of rows) {
    if (row.pid === root.pid || row.group === root.pid || row.session === root.pid) found.add(row.pid)
  }
  const children = new Map<number, ProcessRow[]>()
  for (const row of rows) children.set(row.parent, [...(children.get(row.parent) ?? []), row])
  const waiting = [...found]
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    for (const child of children.get(pid) ?? []) {
      if (!found.has(child.pid)) waiting.push(child.pid)
      found.add(child.pid)
    }
  }
  found.delete(process.pid)
  return rows
    .filter((row) => found.has(row.pid))
    .sort((left, right) => Number(right.pid === root.pid) - Number(left.pid === root.pid))
}
