import { fileURLToPath } from 'node:url'
import { startDesktop } from './app/start-desktop'
import { plumblineHome } from './settings/home'

void startDesktop({
  home: plumblineHome(),
  out: fileURLToPath(new URL('..', import.meta.url)),
  loadServices: async (needs) => (await import('./services')).createDesktopServices(needs),
})
