import { appendFile, mkdir, rename, stat } from 'node:fs/promises'
import path from 'node:path'
import type { BridgeLog } from '../ipc/bridge-gate'

/** Bytes of one log file; the one before it is kept too. */
const MAX_LOG_BYTES = 4 * 1024 * 1024

/** Lines that wait for the disk; more than that is dropped, and the drop is said. */
const MAX_WAITING_LINES = 2000

/** The app's log: JSON lines in `PLUMBLINE_HOME/logs/desktop.log`. Timings are written when `PLUMBLINE_LOG=debug`. */
export class DesktopLog implements BridgeLog {
  readonly #file: string
  readonly #verbose: boolean
  #waiting: string[] = []
  #dropped = 0
  #writing: Promise<void> | undefined

  constructor(home: string, verbose: boolean) {
    this.#file = path.join(home, 'logs', 'desktop.log')
    this.#verbose = verbose
  }

  debug(message: string, fields: Record<string, unknown>): void {
    if (this.#verbose) this.#add('debug', message, fields)
  }

  warn(message: string, fields: Record<string, unknown>): void {
    this.#add('warn', message, fields)
  }

  /** Resolves when everything so far is written. */
  async flush(): Promise<void> {
    while (this.#writing) await this.#writing
  }

  #add(level: string, message: string, fields: Record<string, unknown>): void {
    if (this.#waiting.length >= MAX_WAITING_LINES) {
      this.#dropped += 1
      return
    }
    this.#waiting.push(JSON.stringify({ at: new Date().toISOString(), level, message, ...fields }, showErrors))
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
  }

  async #write(): Promise<void> {
    try {
      await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 })
      while (this.#waiting.length > 0) {
        const lines = this.#waiting.splice(0)
        if (this.#dropped > 0) lines.push(JSON.stringify({ level: 'warn', message: `${this.#dropped} lines dropped` }))
        this.#dropped = 0
        const size = await stat(this.#file).then(
          (found) => found.size,
          () => 0,
        )
        if (size > MAX_LOG_BYTES) await rename(this.#file, `${this.#file}.1`)
        await appendFile(this.#file, `${lines.join('\n')}\n`, { mode: 0o600 })
      }
    } catch {
      // Nobody can be told that the log can't be written; the program goes on.
      this.#waiting = []
    }
  }
}

function showErrors(_key: string, value: unknown): unknown {
  return value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value
}
