import { existsSync, readdirSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { CACHE, contentHash, isAlive, ROOT, readStamp, stampMatches, writeStamp } from './files.mjs'
import { capture, lastLines } from './processes.mjs'
import { StepError } from './steps.mjs'

const OUT = path.join(ROOT, 'out')
/** Inside what electron-vite empties first, so that a build by hand that breaks off takes the claim with it. */
const stampIn = (/** @type {string} */ out) => path.join(out, 'main', '.build.json')

/** Everything that the build reads. */
const SOURCES = [
  'main',
  'preload',
  'renderer',
  'resources/build/electron.vite.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
]

/** What a build must have made to count as one. */
const PRODUCTS = ['main/index.js', 'main/cli.js', 'preload/index.cjs', 'renderer/index.html']

/** @param {string} [out] */
export function missingProducts(out = OUT) {
  return PRODUCTS.filter((file) => !existsSync(path.join(out, file)))
}

/** @returns {Promise<string>} */
export async function ensureBuild() {
  const sources = contentHash(SOURCES)
  if (stampMatches(readStamp(stampIn(OUT)), { sources }) && missingProducts().length === 0) return 'up to date'
  await mkdir(CACHE, { recursive: true })
  await removeLeftovers()
  const fresh = path.join(CACHE, `build-${process.pid}`)
  const old = path.join(CACHE, `old-${process.pid}`)
  try {
    const cli = path.join(ROOT, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js')
    const build = await capture(
      process.execPath,
      [cli, 'build', '--config', 'resources/build/electron.vite.config.ts', '--logLevel', 'warn'],
      { cwd: ROOT, env: { ...process.env, PLUMBLINE_OUT_DIR: fresh } },
    )
    const missing = missingProducts(fresh)
    if (build.code !== 0 || missing.length > 0) {
      throw new StepError(
        build.code !== 0 ? 'The build ended with errors.' : `The build made no ${missing.join(', ')}.`,
        'mend the sources as it says above; the last good build, if there was one, is untouched',
        lastLines(withoutFrames(build.output), 30),
      )
    }
    await writeStamp(stampIn(fresh), { sources })
    if (existsSync(OUT)) await rename(OUT, old)
    await rename(fresh, OUT)
  } finally {
    if (!existsSync(OUT) && existsSync(old)) await rename(old, OUT)
    await rm(fresh, { recursive: true, force: true })
    await rm(old, { recursive: true, force: true })
  }
  return 'built'
}

/** Folders of builds that were killed; one that died between the two renames still holds the last good build. */
async function removeLeftovers() {
  for (const name of readdirSync(CACHE)) {
    const match = /^(build|old)-(\d+)$/.exec(name)
    if (!match || isAlive(Number(match[2]))) continue
    const folder = path.join(CACHE, name)
    if (match[1] === 'old' && !existsSync(OUT)) await rename(folder, OUT)
    else await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Frames inside the tools tell nothing about the sources.
 * @param {string} text
 */
function withoutFrames(text) {
  return text
    .split('\n')
    .filter((line) => !/^\s+at .*node_modules/.test(line))
    .join('\n')
}
