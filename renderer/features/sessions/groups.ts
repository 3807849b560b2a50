import type { SessionSummary } from '../../../preload/contract/session'
import { startOfDay } from '../../lib/format'

const DAY_MS = 24 * 60 * 60 * 1000

export type GroupName = 'Today' | 'This week' | 'Earlier' | 'Other projects' | 'Archived'

export interface SessionGroup {
  readonly name: GroupName
  readonly sessions: readonly SessionSummary[]
}

const order: readonly GroupName[] = ['Today', 'This week', 'Earlier', 'Other projects', 'Archived']

function groupOf(summary: SessionSummary, project: string | undefined, now: number): GroupName {
  if (summary.archived) return 'Archived'
  if (summary.project !== project) return 'Other projects'
  if (summary.updatedAt >= startOfDay(now)) return 'Today'
  return summary.updatedAt >= startOfDay(now) - 6 * DAY_MS ? 'This week' : 'Earlier'
}

/** Every session in exactly one group, newest first; none is ever left out. `search` keeps those whose words match. */
export function groupSessions(
  sessions: readonly SessionSummary[],
  project: string | undefined,
  now: number,
  search: string,
): readonly SessionGroup[] {
  const wanted = search.trim().toLowerCase()
  const groups = new Map<GroupName, SessionSummary[]>()
  for (const summary of [...sessions].sort((left, right) => right.updatedAt - left.updatedAt)) {
    const words = `${summary.title} ${summary.detail} ${summary.projectName}`.toLowerCase()
    if (wanted !== '' && !words.includes(wanted)) continue
    const name = groupOf(summary, project, now)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [summary])
    else group.push(summary)
  }
  return order.flatMap((name) => {
    const found = groups.get(name)
    return found === undefined ? [] : [{ name, sessions: found }]
  })
}
