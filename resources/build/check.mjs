import { hasTests, printSection, runStaticChecks, vitestCommand } from './lib/checks.mjs'
import { ROOT } from './lib/files.mjs'
import { passThrough } from './lib/processes.mjs'
import { runScript, setup } from './setup.mjs'

await runScript(async () => {
  await setup('check')
  const failed = await runStaticChecks()
  printSection('Architecture')
  if (hasTests('test/architecture')) {
    const [node = process.execPath, ...args] = vitestCommand('vitest.config.ts', [
      '--passWithNoTests',
      'test/architecture',
    ])
    if ((await passThrough(node, args, { cwd: ROOT })) !== 0) failed.push('Architecture')
  } else console.log('There are no architecture tests yet.')
  console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.join(', ')}`)
  return failed.length === 0 ? 0 : 1
})
