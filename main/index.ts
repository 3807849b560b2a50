import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { startDesktop } from './app/start-desktop'

const home = path.resolve(process.env.PLUMBLINE_HOME || path.join(os.homedir(), '.plumbline'))

void startDesktop({
  home,
  out: fileURLToPath(new URL('..', import.meta.url)),
  loadServices: async (needs) => (await import('./services')).createDesktopServices(needs),
})
