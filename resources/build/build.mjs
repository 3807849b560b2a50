import { runScript, setup } from './setup.mjs'

await runScript(async () => {
  await setup('build')
  return 0
})
