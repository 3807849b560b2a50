import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { startDesktop } from '../../main/app/start-desktop'
import { fakeServices } from './fake-services'

void startDesktop({
  home: path.resolve(process.env.PLUMBLINE_HOME ?? '/nowhere'),
  out: fileURLToPath(new URL('..', import.meta.url)),
  loadServices: async () => fakeServices(),
})
