import { describe, expect, it } from 'vitest'
import type { SessionSummary } from '../../../../preload/contract/session'
import { groupSessions } from '../../../../renderer/features/sessions/groups'

const now = new Date(2026, 10, 18, 14, 0).getTime()
const DAY = 86_400_000

function summary(id: string, age: number, extra: Partial<SessionSummary> = {}): SessionSummary {
  return {
    id,
    title: id,
    project: '/p',
    projectName: 'p',
    state: 'idle',
    detail: '',
    updatedAt: now - age,
    added: 0,
    removed: 0,
    cost: 0,
    archived: false,
    ...extra,
  }
}

const sessions = [
  summary('old', 40 * DAY),
  summary('today', 60_000),
  summary('week', 2 * DAY),
  summary('other', 1000, { project: '/q', projectName: 'quay' }),
  summary('archived', 1000, { archived: true, detail: 'Asks to delete' }),
  summary('newest', 1000),
]

describe('groupSessions', () => {
  it('puts every session in exactly one group, newest first', () => {
    const groups = groupSessions(sessions, '/p', now, '')
    expect(groups.map(({ name, sessions: inGroup }) => [name, inGroup.map(({ id }) => id)])).toEqual([
      ['Today', ['newest', 'today']],
      ['This week', ['week']],
      ['Earlier', ['old']],
      ['Other projects', ['other']],
      ['Archived', ['archived']],
    ])
  })

  it('searches titles, details and projects of all of them', () => {
    const found = (search: string) => groupSessions(sessions, '/p', now, search).flatMap((group) => group.sessions)
    expect(found('QUAY').map(({ id }) => id)).toEqual(['other'])
    expect(found('delete').map(({ id }) => id)).toEqual(['archived'])
    expect(found('nothing')).toEqual([])
  })
})
