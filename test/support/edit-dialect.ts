import type { makeEditBench } from './edit-bench'
import { tagIn } from './edit-bench'
import type { BenchAnswer } from './tool-bench'

type Bench = Awaited<ReturnType<typeof makeEditBench>>
type Anchored = 'plumbline' | 'magi' | 'atomic'

const WORDS: readonly [RegExp, string][] = [
  [/^replace block (.*)$/, 'SWAP.BLK $1'],
  [/^delete block (.*)$/, 'DEL.BLK $1'],
  [/^insert after block (.*)$/, 'INS.BLK.POST $1'],
  [/^insert before (.*)$/, 'INS.PRE $1'],
  [/^insert after (.*)$/, 'INS.POST $1'],
  [/^insert head:$/, 'INS.HEAD:'],
  [/^insert tail:$/, 'INS.TAIL:'],
  [/^replace (.*)$/, 'SWAP $1'],
  [/^delete (.*)$/, 'DEL $1'],
]

/** Operations written in words, spelled as a toolset wants them; body rows stay. */
export function spell(toolset: Anchored, ops: string): string {
  if (toolset !== 'magi') return ops
  return ops
    .split('\n')
    .map((line) => {
      const found = WORDS.find(([word]) => word.test(line))
      if (found === undefined) return line
      return line.replace(found[0], found[1]).replace(/(\d+)\.\.(\d+)/, '$1.=$2')
    })
    .join('\n')
}

/** An anchored session of a toolset: `edit` takes operations in words for the file that was opened last. */
export async function openAnchored(bench: Bench, toolset: Anchored, name: string) {
  const session = bench.open[toolset]()
  const tool = toolset === 'magi' ? 'hash_edit' : 'edit'
  const raw = (input: string): Promise<BenchAnswer> => session.call(tool, { input })
  const read = (target: string): Promise<BenchAnswer> =>
    session.call('read', toolset === 'atomic' ? { path: target } : { paths: [target] })
  const tag = async (target: string) => tagIn(await read(target))
  const own = name === '' ? '' : await tag(name)
  const edit = (ops: string, useTag = own) => raw(`[${name}#${useTag}]\n${spell(toolset, ops)}`)
  return { session, tool, raw, read, tag: own, tagOf: tag, edit }
}
