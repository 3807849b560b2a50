import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { makeFolderWithParents } from './make-folder'

export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

/** A file that grows over this is put aside as `.1`; one older file is kept. */
const MAX_FILE_BYTES = 5 * 1024 * 1024

/** Characters of one line. */
const MAX_LINE_CHARACTERS = 16 * 1024

/** Lines that wait for the disk; above it lines are dropped and counted. */
const MAX_WAITING_LINES = 10_000

export interface LoggerOptions {
  /** `PLUMBLINE_HOME/logs/<name>.log` gets every line at or above this level. */
  folder?: string
  name?: string
  level?: LogLevel
  /** Lines at or above this level also go to standard error, in short; null for none. */
  stderrLevel?: LogLevel | null
  /** Hides secrets; sees the whole line. */
  redact?: (text: string) => string
  now?: () => number
  writeError?: (text: string) => void
  maxFileBytes?: number
}

/** JSON lines to a file of limited size and, for people, to standard error. Logging never throws and never waits. */
export class Logger {
  readonly #options: LoggerOptions
  readonly #scope: string | undefined
  readonly #sink: FileSink | undefined

  constructor(options: LoggerOptions = {}, scope?: { name: string; sink: FileSink | undefined }) {
    this.#options = options
    this.#scope = scope?.name
    this.#sink =
      scope === undefined
        ? options.folder === undefined
          ? undefined
          : new FileSink(
              path.join(options.folder, `${options.name ?? 'plumbline'}.log`),
              options.maxFileBytes ?? MAX_FILE_BYTES,
            )
        : scope.sink
  }

  /** The same log under a part's name. */
  child(name: string): Logger {
    const scope = this.#scope === undefined ? name : `${this.#scope}.${name}`
    return new Logger(this.#options, { name: scope, sink: this.#sink })
  }

  debug(message: string, fields?: Record<string, unknown>): void {
    this.#write('debug', message, fields)
  }

  info(message: string, fields?: Record<string, unknown>): void {
    this.#write('info', message, fields)
  }

  warn(message: string, fields?: Record<string, unknown>): void {
    this.#write('warn', message, fields)
  }

  error(message: string, fields?: Record<string, unknown>): void {
    this.#write('error', message, fields)
  }

  /** Resolves when everything so far is written. */
  flush(): Promise<void> {
    return this.#sink?.flush() ?? Promise.resolve()
  }

  /** Writes what waits and closes the file. Later lines are dropped. */
  dispose(): Promise<void> {
    return this.#sink?.close() ?? Promise.resolve()
  }

  #write(level: LogLevel, message: string, fields: Record<string, unknown> = {}): void {
    const { redact = (text: string) => text, now = Date.now, stderrLevel = 'warn' } = this.#options
    const at = new Date(now()).toISOString()
    if (this.#sink !== undefined && reaches(level, this.#options.level ?? 'info')) {
      const line = JSON.stringify({
        at,
        level,
        ...(this.#scope === undefined ? {} : { scope: this.#scope }),
        message,
        ...plain(fields),
      })
      this.#sink.add(`${cut(redact(line))}\n`)
    }
    if (stderrLevel === null || !reaches(level, stderrLevel)) return
    const scope = this.#scope === undefined ? '' : `${this.#scope}: `
    const write = this.#options.writeError ?? ((text: string) => void process.stderr.write(text))
    write(`${cut(redact(`plumbline: ${level}: ${scope}${message}`))}\n`)
  }
}

function reaches(level: LogLevel, least: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(least)
}

function cut(line: string): string {
  return line.length > MAX_LINE_CHARACTERS ? `${line.slice(0, MAX_LINE_CHARACTERS)}…` : line
}

/** Errors say nothing as JSON, and some values can't be JSON at all. */
function plain(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => {
      if (value instanceof Error)
        return [key, { name: value.name, message: value.message, stack: value.stack, ...codeOf(value) }]
      try {
        return [key, JSON.stringify(value) === undefined ? String(value) : value]
      } catch {
        return [key, String(value)]
      }
    }),
  )
}

function codeOf(error: Error): Record<string, unknown> {
  return 'code' in error ? { code: error.code } : {}
}

class FileSink {
  readonly #file: string
  readonly #maxBytes: number
  #waiting: string[] = []
  #dropped = 0
  #running: Promise<void> | undefined
  #handle: FileHandle | undefined
  #size = 0
  #closed = false

  constructor(file: string, maxBytes: number) {
    this.#file = file
    this.#maxBytes = maxBytes
  }

  add(line: string): void {
    if (this.#closed) return
    if (this.#waiting.length >= MAX_WAITING_LINES) {
      this.#dropped += 1
      return
    }
    this.#waiting.push(line)
    this.#running ??= this.#drain().finally(() => {
      this.#running = undefined
    })
  }

  async flush(): Promise<void> {
    while (this.#running !== undefined) await this.#running
  }

  async close(): Promise<void> {
    await this.flush()
    this.#closed = true
    await this.#handle?.close()
    this.#handle = undefined
  }

  async #drain(): Promise<void> {
    // A turn of the loop later, so that a burst becomes one write.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      if (this.#dropped > 0) {
        this.#waiting.push(`${JSON.stringify({ level: 'warn', message: `${this.#dropped} lines were dropped` })}\n`)
        this.#dropped = 0
      }
      const text = this.#waiting.splice(0).join('')
      try {
        await this.#append(text)
      } catch {
        // A log that can't be written must not stop the program.
        await this.#handle?.close().catch(() => undefined)
        this.#handle = undefined
      }
    }
  }

  async #append(text: string): Promise<void> {
    if (this.#handle === undefined) {
      await makeFolderWithParents(path.dirname(this.#file), { mode: 0o700 })
      this.#handle = await open(this.#file, 'a', 0o600)
      this.#size = (await this.#handle.stat()).size
    }
    const bytes = Buffer.byteLength(text)
    if (this.#size > 0 && this.#size + bytes > this.#maxBytes) {
      await this.#handle.close()
      this.#handle = undefined
      await rm(`${this.#file}.1`, { force: true })
      await rename(this.#file, `${this.#file}.1`)
      this.#handle = await open(this.#file, 'a', 0o600)
      this.#size = 0
    }
    await this.#handle.appendFile(text)
    this.#size += bytes
  }
}
