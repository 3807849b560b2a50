import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { StepError } from './steps.mjs'

/** @typedef {{ code: number, stdout: string, stderr: string, output: string, timedOut: boolean }} Outcome */

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
let guarded = false

/** Nothing that we start may go on when we are told to stop. */
function guardChildren() {
  if (guarded) return
  guarded = true
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      for (const child of running) child.kill(signal)
      if (running.size === 0) process.exit(exitCode(null, signal))
      // The callers wait for their children and then end with the fitting code.
      stopped ??= signal
    })
  }
  process.on('exit', () => {
    for (const child of running) child.kill('SIGKILL')
  })
}

/** @type {NodeJS.Signals | undefined} */
let stopped

/** The exit code that shells give to a process that ended by a signal.
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
export function exitCode(code, signal) {
  return code ?? 128 + (signal ? constants.signals[signal] : 0)
}

/**
 * Runs a command to its end and keeps what it printed.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs?: number, input?: string, onStart?: (pid: number) => void }} [options]
 * @returns {Promise<Outcome>}
 */
export function capture(command, args, { cwd, env, timeoutMs, input, onStart } = {}) {
  guardChildren()
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      shell: needsShell(command),
    })
    running.add(child)
    if (child.pid) onStart?.(child.pid)
    let stdout = ''
    let stderr = ''
    let output = ''
    let timedOut = false
    const timer =
      timeoutMs &&
      setTimeout(() => {
        timedOut = true
        child.kill('SIGKILL')
      }, timeoutMs)
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      stdout += text
      output += text
    })
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      stderr += text
      output += text
    })
    child.stdin?.on('error', () => undefined).end(input)
    /** @param {number} code */
    const finish = (code) => {
      if (timer) clearTimeout(timer)
      running.delete(child)
      if (stopped) process.exit(exitCode(null, stopped))
      resolve({ code, stdout, stderr, output, timedOut })
    }
    child.on('error', (error) => {
      output += error.message
      finish(127)
    })
    child.on('close', (code, signal) => finish(exitCode(code, signal)))
  })
}

/**
 * Runs a command with our own input and output, hands signals on to it, and answers with its exit code.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<number>}
 */
export function passThrough(command, args, { cwd, env } = {}) {
  guardChildren()
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: 'inherit', shell: needsShell(command) })
    running.add(child)
    child.on('error', (error) => {
      running.delete(child)
      reject(error)
    })
    child.on('close', (code, signal) => {
      running.delete(child)
      resolve(exitCode(code, signal))
    })
  })
}

/** For scripts with several parts: nothing more is begun after somebody asked us to stop. */
export function throwIfStopped() {
  if (stopped) throw new StepError(`stopped by ${stopped}`)
}

/**
 * npm is a batch file on Windows, which only a shell can start.
 * @param {string} command
 */
function needsShell(command) {
  return process.platform === 'win32' && command === 'npm'
}

/**
 * @param {string} text
 * @param {number} [count]
 */
export function lastLines(text, count = 25) {
  return text.trimEnd().split('\n').slice(-count).join('\n')
}
