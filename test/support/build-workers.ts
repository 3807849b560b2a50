import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('../../', import.meta.url))
const SUFFIX = '.worker.ts'

/**
 * Builds every `*.worker.ts` once for a test run and tells the worker pool where they are. Inside `node_modules`, so that
 * packages are found from there.
 */
export default async function buildWorkers(): Promise<() => void> {
  const cache = path.join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(path.join(cache, 'workers-'))
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  const entries = readdirSync(path.join(root, 'main'), { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() && entry.name.endsWith(SUFFIX)
      ? [[entry.name.slice(0, -SUFFIX.length), path.join(entry.parentPath, entry.name)] as const]
      : [],
  )
  // One at a time: a worker that does not compile must only fail the tests that need it.
  for (const [name, file] of entries) {
    await build({
      root,
      configFile: false,
      logLevel: 'silent',
      build: {
        ssr: true,
        outDir: folder,
        emptyOutDir: false,
        target: 'node20.18',
        minify: false,
        rolldownOptions: {
          input: { [name]: file },
          output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: `${name}-[hash].js` },
        },
      },
    }).catch((failure: unknown) => console.error(`The worker ${name} does not build:`, failure))
  }
  process.env.PLUMBLINE_WORKERS = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
