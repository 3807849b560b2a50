import { createRequire } from 'node:module'
import type { ICruiseResult, IForbiddenRuleType } from 'dependency-cruiser'

const require = createRequire(import.meta.url)

/** The part of swc that dependency-cruiser parses with. */
interface Parser {
  parseFileSync(file: string, options: object): unknown
}

const config: {
  forbidden: IForbiddenRuleType[]
  options: Record<string, unknown>
} = require('../../resources/build/dependency-cruiser.cjs')

/** Folders of the program itself; tests and build scripts may import what they test and build. */
const sourceFolders = ['main', 'preload', 'renderer']

/** dependency-cruiser has swc read every file as plain TypeScript, which stumbles over the first tag of a `.tsx`. */
async function loadCruiser() {
  const swc: Parser = require('@swc/core')
  const { parseFileSync } = swc
  swc.parseFileSync = (file, options) => parseFileSync(file, { ...options, tsx: file.endsWith('.tsx') })
  return import('dependency-cruiser')
}

const cruiser = loadCruiser()

/** Judges the imports below `root` by the project's rules. */
export async function judgeImports(root: string, folders: readonly string[] = sourceFolders): Promise<ICruiseResult> {
  const { cruise } = await cruiser
  const { output } = await cruise([...folders], {
    ...config.options,
    baseDir: root,
    validate: true,
    ruleSet: { forbidden: config.forbidden },
  })
  if (typeof output === 'string') throw new Error(output)
  return output
}

/** One line for each violation: the rule, and which file imports what. */
export function violationsOf(result: ICruiseResult): string[] {
  return result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`).sort()
}
