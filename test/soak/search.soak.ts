import path from 'node:path'
import { SearchBench } from '../support/search-bench'
import { differenceOn, isInstalled } from '../support/search-differential'

const ROUNDS = 3000

/** Thousands of drawn trees, searched beside ripgrep. */
export default async function soakSearch({ root, work }: { root: string; work: string }) {
  if (!isInstalled('rg')) return { title: 'Search beside ripgrep', ok: false, notes: ['ripgrep is not installed.'] }
  process.env.PLUMBLINE_WORKERS = path.join(root, 'out/main/workers')
  const bench = await SearchBench.make()
  const differences: string[] = []
  const first = Math.floor(Math.random() * 1e9)
  for (let round = 0; round < ROUNDS && differences.length < 10; round += 1) {
    const difference = await differenceOn(bench.engines, path.join(work, 'tree'), first + round)
    if (difference !== undefined) differences.push(difference)
  }
  await bench.dispose()
  return {
    title: 'Search beside ripgrep',
    rows: [{ trees: ROUNDS, 'questions a tree': 3, differences: differences.length }],
    notes: differences,
    ok: differences.length === 0,
  }
}
