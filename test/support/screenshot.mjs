// Draws the window with the fake bridge in a browser and keeps pictures:
//   node test/support/screenshot.mjs [OUT_DIR] [SCENE[@WIDTHxHEIGHT][:light|dark|contrast] ...]
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { chromium } from 'playwright-core'
import { createServer } from 'vite'

const root = fileURLToPath(new URL('../../', import.meta.url))
const [outDir = 'test-results/window', ...wanted] = process.argv.slice(2)
const shots =
  wanted.length > 0
    ? wanted
    : ['start', 'new', 'busy', 'busy:dark', 'busy:contrast', 'done', 'failed', 'long', 'busy@1100x800', 'busy@900x800']
mkdirSync(outDir, { recursive: true })

const server = await createServer({
  root,
  configFile: false,
  plugins: [react()],
  logLevel: 'error',
  server: { port: 0, host: '127.0.0.1', hmr: false, watch: null },
  cacheDir: 'node_modules/.vite-preview',
})
await server.listen()
const browser = await chromium.launch({
  executablePath: process.env.PLUMBLINE_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
try {
  for (const shot of shots) {
    const [, scene = 'busy', width = '1440', height = '900', theme = 'light'] =
      /^([\w-]+)(?:@(\d+)x(\d+))?(?::(\w+))?$/.exec(shot) ?? []
    const page = await browser.newPage({
      viewport: { width: Number(width), height: Number(height) },
      colorScheme: theme === 'dark' ? 'dark' : 'light',
      contrast: theme === 'contrast' ? 'more' : 'no-preference',
    })
    page.on('console', (message) => message.type() === 'error' && console.error(`${shot}: ${message.text()}`))
    page.on('pageerror', (error) => console.error(`${shot}: ${error.stack}`))
    await page.goto(`${server.resolvedUrls?.local[0]}test/support/window-preview.html?scene=${scene}`)
    await page.waitForSelector('.titlebar')
    await page.waitForTimeout(scene.endsWith('stream') ? 6000 : 1500)
    await page.screenshot({ path: `${outDir}/${shot.replace(/[@:]/g, '-')}.png` })
    await page.close()
  }
} finally {
  await browser.close()
  await server.close()
}
