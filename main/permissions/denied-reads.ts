import path from 'node:path'
import type { DeniedPaths } from '../workspace/denied-paths'
import type { PathPlaces } from './match-path'
import { anchored } from './match-path'
import type { RuleSet } from './types'

/** Tools whose deny rules also hold in walks of the others: what one may not see, none shows. */
const READING = [
  'read',
  'grep',
  'search',
  'find',
  'glob',
  'ast_grep',
  'file.read',
  'file.search',
  'file.find',
  'file.ast',
]

/** The path patterns that deny reading, for walks that can't ask about every entry (S34). Pure. */
export function deniedReads(rules: RuleSet, places: PathPlaces): DeniedPaths[] {
  const separators = places.platform === 'win32' ? path.win32 : path.posix
  return rules.deny.flatMap(({ tool, matcher }) => {
    if (matcher.kind !== 'text' || !READING.some((name) => names(tool, name))) return []
    const [pattern, bases] = anchored(matcher.text, places, separators)
    return pattern === '' ? [] : bases.map((base) => ({ base, pattern }))
  })
}

function names(pattern: string, tool: string): boolean {
  if (!pattern.includes('*')) return pattern === tool
  const pieces = pattern.split('*').map((piece) => piece.replaceAll('.', '\\.'))
  return new RegExp(`^${pieces.join('.*')}$`).test(tool)
}
