import { buildIfThereIsNone, runScript, setup } from './setup.mjs'

// Standard output carries the answer and nothing else.
await runScript(async () => {
  const { electron } = await setup('electron', { print: (line) => console.error(line) })
  if (!electron) return 1
  await buildIfThereIsNone().catch((error) => console.error(`There is no build to start: ${error.message}`))
  const { executable, args } = electron
  console.log(process.argv.includes('--json') ? JSON.stringify({ executable, args }) : executable)
  return 0
})
