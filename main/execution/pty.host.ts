import { closeSync, constants, openSync } from 'node:fs'
import { type IPty, spawn } from 'node-pty'
import { PAUSE_AT_CHARACTERS, type PtyReport, PtyRequest, RESUME_AT_CHARACTERS } from './pty-protocol'

/**
 * The process that holds the terminals: a shell that floods or a native fault here never stops the program. It ends
 * with its parent, and its terminals with it.
 */

/** Output is collected this long before it is sent, in milliseconds: far below what an eye notices. */
const COLLECT_MS = 4

/** Or until it is this long, in characters. */
const COLLECT_CHARACTERS = 32 * 1024

/** The port of an Electron utility process; plain Node has `process.send` instead. */
interface ParentPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): void
  postMessage(message: unknown): void
}

function parentPort(): ParentPort | undefined {
  const port: unknown = Reflect.get(process, 'parentPort')
  return isPort(port) ? port : undefined
}

function isPort(value: unknown): value is ParentPort {
  return typeof value === 'object' && value !== null && 'postMessage' in value && 'on' in value
}

const port = parentPort()

function report(message: PtyReport): void {
  if (port !== undefined) port.postMessage(message)
  else process.send?.(message)
}

class HeldTerminal {
  readonly #id: string
  readonly #pty: IPty
  #collected = ''
  #timer: NodeJS.Timeout | undefined
  #unused = 0
  #paused = false
  readonly #letGo: () => void

  constructor(id: string, pty: IPty) {
    this.#id = id
    this.#pty = pty
    this.#letGo = holdOpen(pty)
    pty.onData((data) => this.#collect(data))
    pty.onExit(({ exitCode, signal }) => {
      this.#letGo()
      this.#flush()
      terminals.delete(id)
      report({ type: 'exit', id, exitCode: signal ? null : exitCode, signal: signal || null })
    })
  }

  write(data: string): void {
    this.#pty.write(data)
  }

  resize(columns: number, rows: number): void {
    this.#pty.resize(columns, rows)
  }

  acknowledge(characters: number): void {
    this.#unused = Math.max(0, this.#unused - characters)
    if (this.#paused && this.#unused <= RESUME_AT_CHARACTERS) {
      this.#paused = false
      this.#pty.resume()
    }
  }

  hangUp(): void {
    // A held-up terminal could not be read to its end.
    this.#pty.resume()
    this.#pty.kill()
  }

  #collect(data: string): void {
    this.#collected += data
    this.#unused += data.length
    if (!this.#paused && this.#unused >= PAUSE_AT_CHARACTERS) {
      this.#paused = true
      this.#pty.pause()
    }
    if (this.#collected.length >= COLLECT_CHARACTERS) this.#flush()
    else this.#timer ??= setTimeout(() => this.#flush(), COLLECT_MS)
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#collected === '') return
    const data = this.#collected
    this.#collected = ''
    report({ type: 'data', id: this.#id, data })
  }
}

/**
 * Linux drops what nobody has read yet when the last process closes its side of a terminal, so one more holds that side
 * open until the end was read.
 */
function holdOpen(pty: IPty): () => void {
  const name: unknown = process.platform === 'linux' ? Reflect.get(pty, '_pty') : undefined
  if (typeof name !== 'string') return () => undefined
  try {
    const descriptor = openSync(name, constants.O_RDWR | constants.O_NOCTTY)
    return () => closeSync(descriptor)
  } catch {
    return () => undefined
  }
}

const terminals = new Map<string, HeldTerminal>()

function create(request: Extract<PtyRequest, { type: 'create' }>): void {
  const { id, file, args, cwd, env, columns, rows } = request
  try {
    const pty = spawn(file, args, { name: 'xterm-256color', cols: columns, rows, cwd, env })
    terminals.set(id, new HeldTerminal(id, pty))
    report({ type: 'created', id, pid: pty.pid })
  } catch (failure) {
    report({ type: 'failed', id, message: failure instanceof Error ? failure.message : String(failure) })
  }
}

function handle(message: unknown): void {
  const parsed = PtyRequest.safeParse(message)
  if (!parsed.success) return
  const request = parsed.data
  if (request.type === 'create') {
    create(request)
    return
  }
  const terminal = terminals.get(request.id)
  try {
    if (request.type === 'write') terminal?.write(request.data)
    else if (request.type === 'resize') terminal?.resize(request.columns, request.rows)
    else if (request.type === 'acknowledge') terminal?.acknowledge(request.characters)
    else terminal?.hangUp()
  } catch {
    // The shell has just ended; its exit is on the way.
  }
}

function end(): void {
  for (const terminal of terminals.values()) {
    try {
      terminal.hangUp()
    } catch {
      // It has ended already.
    }
  }
  process.exit(0)
}

if (port !== undefined) port.on('message', (event) => handle(event.data))
else process.on('message', handle)
process.on('disconnect', end)
process.on('SIGTERM', end)
