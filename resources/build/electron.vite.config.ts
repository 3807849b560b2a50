import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { type Plugin, runnerImport } from 'vite'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Setup builds into a folder of its own and swaps it in when all of it is there. */
const outDir = path.resolve(root, process.env.PLUMBLINE_OUT_DIR ?? 'out')

/**
 * The oldest runtime that has to run this is older than the `electron` package that types come from, so the targets
 * must not be derived from that package.
 */
const nodeTarget = 'node20.18'
const chromeTarget = 'chrome130'

/** Entries that are started by path at run time, so their names must be stable: `<name>.<kind>.ts` anywhere under `main/`. */
function entriesNamed(kind: 'worker' | 'host', folder: string): Record<string, string> {
  const suffix = `.${kind}.ts`
  const found: Record<string, string> = {}
  for (const entry of readdirSync(path.join(root, 'main'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(suffix)) continue
    const name = `${folder}/${entry.name.slice(0, -suffix.length)}`
    const file = path.join(entry.parentPath, entry.name)
    if (found[name]) throw new Error(`Two ${kind} entries have the name ${name}: ${found[name]} and ${file}`)
    found[name] = file
  }
  return found
}

/** Everything but the desktop's own entry also runs without Electron, so none of its code may load it. */
function withoutElectron(desktopEntry: string): Plugin {
  return {
    name: 'plumbline:without-electron',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !chunk.isEntry || chunk.name === desktopEntry) continue
        const seen = new Set<string>()
        const queue = [{ file: chunk.fileName, trail: chunk.fileName }]
        for (let next = queue.pop(); next; next = queue.pop()) {
          if (next.file === 'electron' || next.file.startsWith('electron/')) {
            this.error(`${chunk.fileName} must not load Electron, but does: ${next.trail}`)
          }
          const part = bundle[next.file]
          if (seen.has(next.file) || part?.type !== 'chunk') continue
          seen.add(next.file)
          for (const file of [...part.imports, ...part.dynamicImports]) {
            queue.push({ file, trail: `${next.trail} → ${file}` })
          }
        }
      }
    },
  }
}

/** The names of the bridge's calls, so that the preload carries no schema library. */
async function bridgeShape(): Promise<string> {
  const contract = path.join(root, 'preload/contract/index.ts')
  if (!existsSync(contract)) return '{}'
  const { module } = await runnerImport<{ bridgeShape(): Record<string, Record<string, 'request' | 'stream'>> }>(
    contract,
    { root, configFile: false, logLevel: 'error' },
  )
  return JSON.stringify(module.bridgeShape())
}

export default defineConfig(async () => ({
  main: {
    root,
    build: {
      outDir: path.join(outDir, 'main'),
      target: nodeTarget,
      sourcemap: true,
      // Dependencies stay outside by themselves; a native module that is optional has to be named.
      // Small ones that every start reads are taken in: one file is read much faster than their many.
      externalizeDeps: { include: ['keytar'], exclude: ['zod', 'diff'] },
      rolldownOptions: {
        checks: { bundlerTimings: false },
        input: {
          index: path.join(root, 'main/index.ts'),
          cli: path.join(root, 'main/cli.ts'),
          ...entriesNamed('worker', 'workers'),
          ...entriesNamed('host', 'hosts'),
        },
        output: {
          format: 'es' as const,
          entryFileNames: '[name].js',
          // Beside the entries, so that `new URL('./workers/x.js', import.meta.url)` holds wherever code ends up.
          chunkFileNames: '[name]-[hash].js',
        },
      },
    },
    plugins: [withoutElectron('index')],
  },
  preload: {
    root,
    define: { __BRIDGE_SHAPE__: await bridgeShape() },
    build: {
      outDir: path.join(outDir, 'preload'),
      target: nodeTarget,
      sourcemap: true,
      externalizeDeps: false,
      rolldownOptions: {
        checks: { bundlerTimings: false },
        input: { index: path.join(root, 'preload/index.ts') },
        // A sandboxed preload can load nothing but one CommonJS file.
        output: { format: 'cjs' as const, entryFileNames: '[name].cjs', codeSplitting: false },
      },
    },
  },
  renderer: {
    root: path.join(root, 'renderer'),
    base: './',
    plugins: [react()],
    worker: { format: 'es' as const },
    build: {
      outDir: path.join(outDir, 'renderer'),
      target: chromeTarget,
      sourcemap: true,
      // The policy allows no inline script, and a font inside the style sheet would be decoded at every start.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // Read and compiled at every start.
      minify: true,
      chunkSizeWarningLimit: 8000,
      rolldownOptions: {
        checks: { bundlerTimings: false },
        input: { index: path.join(root, 'renderer/index.html') },
        // No groups for the editor and the terminal: a group also takes in what it shares with the first page, which
        // then loads all of it. Split by their dynamic imports, they stay out of the start.
      },
    },
  },
}))
