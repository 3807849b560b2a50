import path from 'node:path'
import { buildWriter, killAtEveryCall } from '../fixtures/editing/kill-at-every-call'
import { SCENARIOS, type Scenario } from '../fixtures/editing/scenarios'

/** Writing under a kill at each of its system calls, file by file and several at once. */
export default async function soakEditKill({ work }: { work: string }) {
  const writer = await buildWriter(path.join(work, 'built'))
  const rows = []
  for (const scenario of Object.keys(SCENARIOS) as Scenario[]) {
    const start = performance.now()
    const report = await killAtEveryCall({ writer, folder: work, scenario, every: 1 })
    const { calls, kills, swept, old, fresh, between } = report
    const seconds = Math.round((performance.now() - start) / 1000)
    rows.push({
      scenario,
      'system calls': calls,
      kills,
      'all old': old,
      'all new': fresh,
      'some new': between,
      swept,
      damaged: 0,
      seconds,
    })
  }
  return { title: 'Edits: a process that is killed at every system call', rows }
}
