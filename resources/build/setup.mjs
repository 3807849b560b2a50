import path from 'node:path'
import { ensureBuild, missingProducts } from './lib/bundle.mjs'
import { describeRuntime, ensureElectron } from './lib/electron-runtime.mjs'
import { CACHE, withLock } from './lib/files.mjs'
import { ensureNativeModules, ensurePackages } from './lib/packages.mjs'
import { asStepError, describeFailure, runSteps, StepError } from './lib/steps.mjs'
import { ensureSystem, hasDisplay, MINIMUM_NODE, nodeIsNewEnough } from './lib/system.mjs'

/** @typedef {import('./lib/electron-runtime.mjs').Runtime} Runtime */
/** @typedef {import('./lib/system.mjs').Need} Need */
/** @typedef {'start' | 'test' | 'bench' | 'check' | 'build' | 'electron'} Purpose */
/** @typedef {'node' | 'system' | 'packages' | 'native' | 'electron' | 'build'} StepName */

/**
 * What a purpose takes, in order, and which parts of the system it can't or can do without.
 * @param {Purpose} purpose
 * @param {{ display: boolean }} on
 * @returns {{ steps: StepName[], essential: Need[], useful: Need[] }}
 */
export function planSetup(purpose, { display }) {
  /** @type {StepName[]} */
  const base = ['node', 'system', 'packages', 'native']
  switch (purpose) {
    case 'check':
      return { steps: base, essential: ['build'], useful: [] }
    case 'build':
      return { steps: [...base, 'build'], essential: ['build'], useful: ['keychain', 'keychainBuild'] }
    case 'electron':
      return { steps: [...base, 'electron'], essential: ['build', 'window'], useful: ['keychain', 'keychainBuild'] }
    case 'start':
      return display
        ? {
            steps: [...base, 'electron', 'build'],
            essential: ['build', 'window'],
            useful: ['sandbox', 'keychain', 'keychainBuild'],
          }
        : { steps: [...base, 'build'], essential: ['build'], useful: ['sandbox', 'keychain', 'keychainBuild'] }
    case 'test':
    case 'bench':
      return {
        steps: [...base, 'electron', 'build'],
        essential: display ? ['build', 'window'] : ['build', 'window', 'display'],
        useful: ['display', 'sandbox', 'keychain', 'keychainBuild', 'keychainTest'],
      }
  }
}

/**
 * Makes everything ready that the purpose takes. Each step tells in one line what it did; what is already done is not done again.
 * @param {Purpose} purpose
 * @param {{ print?: (line: string) => void }} [options]
 * @returns {Promise<{ electron?: Runtime }>}
 */
export async function setup(purpose, { print = (line) => console.log(line) } = {}) {
  const plan = planSetup(purpose, { display: hasDisplay() })
  /** @type {{ electron?: Runtime }} */
  const made = {}
  /** @type {Record<StepName, () => string | Promise<string>>} */
  const steps = {
    node: () => {
      if (!nodeIsNewEnough(process.version)) {
        throw new StepError(
          `Node ${MINIMUM_NODE} or newer is needed; this is ${process.version}.`,
          'install a newer Node from https://nodejs.org or with your version manager',
        )
      }
      return process.version
    },
    system: () => ensureSystem(plan),
    packages: ensurePackages,
    native: ensureNativeModules,
    electron: async () => {
      made.electron = await ensureElectron((line) => print(`  ${line}`))
      return describeRuntime(made.electron)
    },
    build: ensureBuild,
  }
  /** @type {Record<StepName, string>} */
  const names = {
    node: 'Node',
    system: 'System libraries',
    packages: 'Packages',
    native: 'Native modules',
    electron: 'Electron',
    build: 'Build',
  }
  print('Setting up')
  await withLock(
    path.join(CACHE, 'setup.lock'),
    () =>
      runSteps(
        plan.steps.map((name) => ({ name: names[name], run: steps[name] })),
        print,
      ),
    { onWait: () => print('  waiting for another set-up of this folder') },
  )
  return made
}

/** For scripts that want an app that can be started, whatever state the sources are in. */
export async function buildIfThereIsNone() {
  if (missingProducts().length > 0) await withLock(path.join(CACHE, 'setup.lock'), ensureBuild)
}

/**
 * The outer shell of every script: a failure is told in words, and ends with exit code 1.
 * @param {() => Promise<number | undefined>} main answers with the exit code
 */
export async function runScript(main) {
  try {
    process.exitCode = (await main()) ?? 0
  } catch (error) {
    const known = asStepError(error)
    console.error(`\n${describeFailure(known)}`)
    if (!(error instanceof StepError) && error instanceof Error) console.error(error.stack)
    process.exitCode = 1
  }
}
