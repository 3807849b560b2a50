import { utilityProcess } from 'electron'
import type { HostChannel, HostOptions, ProcessHost } from '../platform/process-host'

/** Messages that wait until the helper has come up. */
const MAX_EARLY_MESSAGES = 1000

/**
 * Helper processes as Electron utility processes: with Electron's Node, native modules included, and gone with the app
 * however it ends.
 */
export class UtilityProcessHost implements ProcessHost {
  start(modulePath: string, options: HostOptions): HostChannel {
    const child = utilityProcess.fork(modulePath, [], {
      serviceName: options.name,
      env: { PATH: process.env.PATH ?? '', ...options.env },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    let early: unknown[] | undefined = []
    let exited = false
    child.once('spawn', () => {
      for (const message of early ?? []) child.postMessage(message)
      early = undefined
    })
    child.once('exit', () => {
      exited = true
      early = undefined
    })
    return {
      get pid() {
        return child.pid
      },
      send: (message) => {
        if (exited) return
        if (early === undefined) child.postMessage(message)
        else if (early.length < MAX_EARLY_MESSAGES) early.push(message)
      },
      onMessage: (listener) => {
        child.on('message', listener)
        return () => void child.off('message', listener)
      },
      onExit: (listener) => {
        const onExit = (code: number) => listener(code)
        child.once('exit', onExit)
        return () => void child.off('exit', onExit)
      },
      kill: () => {
        const { pid } = child
        // `kill()` asks; a helper that hangs in native code would not hear it.
        if (!exited && pid !== undefined) killHard(pid)
      },
    }
  }
}

function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}
