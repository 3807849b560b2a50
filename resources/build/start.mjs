import path from 'node:path'
import { parseStartArguments, terminalArguments, windowArguments } from './lib/arguments.mjs'
import { ROOT } from './lib/files.mjs'
import { passThrough } from './lib/processes.mjs'
import { hasDisplay } from './lib/system.mjs'
import { runScript, setup } from './setup.mjs'

await runScript(async () => {
  const calledFrom = process.env.INIT_CWD ?? process.cwd()
  const parsed = parseStartArguments(process.argv.slice(2), calledFrom)
  // Standard output belongs to the terminal program when that is what will run.
  const { electron } = await setup('start', { print: (line) => console.error(line) })
  if (electron && hasDisplay()) {
    console.error('Starting Plumbline')
    const env = { ...process.env }
    // Terminals inside other Electron apps hand this down, and it would make ours a plain Node.
    delete env.ELECTRON_RUN_AS_NODE
    return passThrough(electron.executable, [...electron.args, ...windowArguments(parsed)], { cwd: calledFrom, env })
  }
  const args = terminalArguments(parsed)
  console.error(
    `\nThere is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set), so no window can open. ${
      args[0] === 'run'
        ? 'The prompt is worked in the terminal instead.'
        : 'The guided demo runs in the terminal instead.'
    }\n`,
  )
  return passThrough(process.execPath, [path.join(ROOT, 'out', 'main', 'cli.js'), ...args], { cwd: calledFrom })
})
