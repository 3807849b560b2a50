import { fork } from 'node:child_process'
import type { Disposer } from './disposer'

/** A helper process of the program and the messages to and from it. Messages are plain JSON data. */
export interface HostChannel {
  readonly pid: number | undefined
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): Disposer
  /** Called once, when the process has ended for whatever reason. */
  onExit(listener: (code: number | null) => void): Disposer
  /** Ends the process by force; nothing happens when it has ended. */
  kill(): void
}

export interface HostOptions {
  /** As people see it in a list of processes. */
  name: string
  env?: Record<string, string>
}

/**
 * Starts helper processes: `fork` in the terminal program and tests, Electron's `utilityProcess` in the app (which
 * injects its own). `modulePath` is an absolute path of a built `*.host.js`.
 */
export interface ProcessHost {
  start(modulePath: string, options: HostOptions): HostChannel
}

/** Helper processes under plain Node. A helper ends when its channel is cut, so it does not outlive this process. */
export class NodeProcessHost implements ProcessHost {
  start(modulePath: string, options: HostOptions): HostChannel {
    const child = fork(modulePath, [], {
      env: { PATH: process.env.PATH ?? '', ...options.env },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
    })
    // A helper that can't start shows as its exit.
    child.on('error', () => undefined)
    return {
      pid: child.pid,
      send: (message) => {
        if (child.connected && typeof message === 'object' && message !== null) child.send(message, () => undefined)
      },
      onMessage: (listener) => {
        child.on('message', listener)
        return () => void child.off('message', listener)
      },
      onExit: (listener) => {
        const exited = (code: number | null) => listener(code)
        child.once('exit', exited)
        return () => void child.off('exit', exited)
      },
      kill: () => void child.kill('SIGKILL'),
    }
  }
}
