import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { startVirtualDisplay } from './lib/display.mjs'
import { ROOT } from './lib/files.mjs'
import { passThrough, throwIfStopped } from './lib/processes.mjs'
import { hasDisplay } from './lib/system.mjs'
import { markdownTable } from './lib/tables.mjs'
import { runScript, setup } from './setup.mjs'

/** @typedef {import('./lib/tables.mjs').Measured} Measured */

// Benchmarks and full-size runs differ in nothing but where they lie.
const words = process.argv.slice(2)
const kind = words[0] === '--soak' ? 'soak' : 'bench'
const names = words.filter((word) => !word.startsWith('--'))
const options = words.filter((word) => word.startsWith('--') && word !== '--soak')
const folder = path.join(ROOT, 'test', kind)
const suffix = new RegExp(`\\.${kind}\\.(ts|mjs)$`)

await runScript(async () => {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => suffix.test(name)) : []
  const known = files.map((file) => file.replace(suffix, ''))
  const unknown = names.filter((name) => !known.includes(name))
  if (names.length === 0 || unknown.length > 0) {
    if (unknown.length > 0) console.error(`There is no ${kind} named ${unknown.join(', ')}.`)
    console.error(`Usage: npm run ${kind} -- NAME... [--option...]\nNames: ${known.join(', ') || 'none yet'}`)
    return 2
  }
  const { electron } = await setup('bench', { print: (line) => console.error(line) })
  const display = hasDisplay() && process.platform !== 'linux' ? undefined : await startVirtualDisplay()
  let worst = 0
  try {
    for (const name of names) {
      const file = path.join(folder, /** @type {string} */ (files[known.indexOf(name)]))
      const work = await mkdtemp(path.join(tmpdir(), `plumbline-${kind}-`))
      try {
        console.error(`\nRunning ${name}`)
        const answer = path.join(work, 'answer.json')
        const runner = fileURLToPath(new URL('./lib/run-module.mjs', import.meta.url))
        const context = {
          root: ROOT,
          work,
          options,
          electron: electron && { executable: electron.executable, args: electron.args },
        }
        const code = await passThrough(process.execPath, ['--expose-gc', runner, file, answer], {
          cwd: ROOT,
          env: { ...process.env, ...display?.env, PLUMBLINE_MEASURE: JSON.stringify(context) },
        })
        throwIfStopped()
        worst = Math.max(worst, code)
        if (existsSync(answer)) worst = Math.max(worst, show(name, JSON.parse(await readFile(answer, 'utf8'))))
      } finally {
        await rm(work, { recursive: true, force: true })
      }
    }
  } finally {
    await display?.dispose()
  }
  return worst
})

/**
 * @param {string} name
 * @param {Measured} measured
 */
function show(name, measured) {
  console.log(`\n## ${measured.title ?? name}\n`)
  if (measured.rows?.length) console.log(markdownTable(measured.rows))
  for (const note of measured.notes ?? []) console.log(`\n${note}`)
  return measured.ok === false ? 1 : 0
}
