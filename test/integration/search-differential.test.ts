import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SearchBench } from '../support/search-bench'
import { differenceOn, isInstalled } from '../support/search-differential'

/** Trees that are drawn; the soak run draws thousands. */
const ROUNDS = Number(process.env.PLUMBLINE_FUZZ_ROUNDS ?? 25)

let bench: SearchBench
beforeAll(async () => {
  bench = await SearchBench.make()
})
afterAll(() => bench.dispose())

describe.runIf(isInstalled('rg'))('searching beside ripgrep', () => {
  it('FIND-12 SEARCH-12 finds the same lines in drawn trees with hostile names, rules and encodings', async () => {
    const differences: string[] = []
    for (let seed = 1; seed <= ROUNDS; seed += 1) {
      const difference = await differenceOn(bench.engines, path.join(bench.project, 'tree'), seed)
      if (difference !== undefined) differences.push(difference)
    }
    expect(differences).toEqual([])
  }, 600_000)
})
