import { existsSync, readdirSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { printSection, runStaticChecks, vitestCommand } from './lib/checks.mjs'
import { startPrivateSession, startVirtualDisplay } from './lib/display.mjs'
import { ROOT } from './lib/files.mjs'
import { passThrough, throwIfStopped } from './lib/processes.mjs'
import { addCounts, closingLine, readReport } from './lib/results.mjs'
import { runScript, setup } from './setup.mjs'

const RESULTS = path.join(ROOT, 'test-results')

/** Where set-up fails nothing was tested, and the closing line must not look as if it had been. */
let closing = '0 passed, 1 failed'

await runScript(async () => {
  const started = performance.now()
  const patterns = process.argv.slice(2)
  const { electron } = await setup('test')
  await mkdir(RESULTS, { recursive: true })

  // With a pattern somebody works on one thing and wants that answer fast.
  const failedChecks = patterns.length > 0 ? [] : await runStaticChecks()
  const counts = failedChecks.map(() => ({ passed: 0, failed: 1, skipped: 0 }))

  const display = await startVirtualDisplay()
  const session = await startPrivateSession()
  try {
    const env = {
      ...process.env,
      ...display?.env,
      ...session?.env,
      ...(session ? { PLUMBLINE_TEST_KEYCHAIN: '1' } : {}),
      PLUMBLINE_ELECTRON: JSON.stringify({ executable: electron?.executable, args: electron?.args }),
      PLUMBLINE_TEST_RESULTS: RESULTS,
    }
    /**
     * @param {'vitest.config.ts' | 'vitest.e2e.config.ts'} config
     * @param {string} name
     */
    const runVitest = async (config, name) => {
      const report = path.join(RESULTS, `${name}.json`)
      await rm(report, { force: true })
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
      const [program = process.execPath, ...args] = vitestCommand(config, [
        ...reporters,
        '--passWithNoTests',
        ...patterns,
      ])
      const code = await passThrough(program, args, { cwd: ROOT, env })
      throwIfStopped()
      const counted = readReport(report)
      if (counted) counts.push(code !== 0 && counted.failed === 0 ? { ...counted, failed: 1 } : counted)
      else counts.push({ passed: 0, failed: code === 0 ? 0 : 1, skipped: 0 })
    }

    printSection('Tests')
    if (!session) console.log('No private D-Bus session here (dbus-daemon, gnome-keyring): keychain tests skip.')
    await runVitest('vitest.config.ts', 'vitest')

    printSection('Tests in the real window')
    if (!hasEndToEndTests()) console.log('There are none yet (test/e2e/*.e2e.ts).')
    else {
      if (!display) console.log('No virtual display here: the windows open on the screen of this machine.')
      await runVitest('vitest.e2e.config.ts', 'e2e')
    }
  } finally {
    await session?.dispose()
    await display?.dispose()
  }

  const sum = addCounts(counts)
  printSection('Result')
  if (failedChecks.length > 0) console.log(`Failed checks: ${failedChecks.join(', ')}`)
  console.log(`Time: ${((performance.now() - started) / 1000).toFixed(1)} s`)
  closing = closingLine(sum)
  return sum.failed === 0 ? 0 : 1
})
console.log(closing)

function hasEndToEndTests() {
  const folder = path.join(ROOT, 'test', 'e2e')
  return (
    existsSync(folder) && readdirSync(folder, { recursive: true }).some((name) => /\.e2e\.tsx?$/.test(String(name)))
  )
}
