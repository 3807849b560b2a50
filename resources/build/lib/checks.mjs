import { existsSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './files.mjs'
import { passThrough, throwIfStopped } from './processes.mjs'

/** @param {...string} parts */
const bin = (...parts) => path.join(ROOT, 'node_modules', ...parts)

/** @param {string} title */
export function printSection(title) {
  console.log(`\n── ${title} ${'─'.repeat(Math.max(3, 76 - title.length))}`)
}

/** @type {{ title: string, args: string[] }[]} */
const CHECKS = [
  {
    title: 'Format and lint (Biome)',
    args: [
      bin('@biomejs', 'biome', 'bin', 'biome'),
      'check',
      '--config-path=resources/build',
      '--max-diagnostics=60',
      '.',
    ],
  },
  { title: 'Types (TypeScript)', args: [bin('typescript', 'bin', 'tsc'), '--noEmit', '-p', 'tsconfig.json'] },
]

/**
 * Formatter, linter and types.
 * @returns {Promise<string[]>} the titles of what failed
 */
export async function runStaticChecks() {
  const failed = []
  for (const { title, args } of CHECKS) {
    throwIfStopped()
    printSection(title)
    if ((await passThrough(process.execPath, args, { cwd: ROOT })) !== 0) failed.push(title)
    else if (title.startsWith('Types')) console.log('No errors.')
  }
  throwIfStopped()
  return failed
}

/**
 * The command line of vitest.
 * @param {'vitest.config.ts' | 'vitest.e2e.config.ts'} config
 * @param {string[]} args
 */
export function vitestCommand(config, args) {
  return [process.execPath, bin('vitest', 'vitest.mjs'), 'run', '--config', `resources/build/${config}`, ...args]
}

/** @param {string} folder */
export function hasTests(folder) {
  return existsSync(path.join(ROOT, folder))
}
