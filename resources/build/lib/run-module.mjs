import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { runnerImport } from 'vite'
import { ROOT } from './files.mjs'

// A process of its own for every measurement: nothing of the one before is in its memory or its caches.
const [file, answer] = /** @type {[string, string]} */ (process.argv.slice(2))
const module = file.endsWith('.ts')
  ? (await runnerImport(file, { root: ROOT, configFile: false, logLevel: 'error' })).module
  : await import(pathToFileURL(file).href)
const run = /** @type {{ default?: unknown }} */ (module).default
if (typeof run !== 'function') throw new Error(`${file} has no default export that is a function`)
const result = await run(JSON.parse(process.env.PLUMBLINE_MEASURE ?? '{}'))
writeFileSync(answer, JSON.stringify(result ?? {}))
process.exit(process.exitCode ?? 0)
