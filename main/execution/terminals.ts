import { randomBytes } from 'node:crypto'
import { constants } from 'node:os'
import path from 'node:path'
import type { SessionId } from '../../preload/contract/ids'
import type { TerminalInfo, TerminalOutput } from '../../preload/contract/terminal'
import type { Disposer } from '../platform/disposer'
import { PlumblineError } from '../platform/errors'
import { newId } from '../platform/ids'
import type { HostChannel, ProcessHost } from '../platform/process-host'
import { type ProcessSystem, signalTree, systemProcesses } from '../platform/process-tree'
import { terminalEnvironment } from './environment'
import type { Guardian } from './guardian'
import { PtyReport, type PtyRequest } from './pty-protocol'
import { Scrollback } from './scrollback'
import { personShell } from './shells'

/** UTF-16 units of output that are kept of each terminal, for a window that opens later. */
const SCROLLBACK_CHARACTERS = 1_000_000

/** Terminals of all sessions together. */
const MAX_TERMINALS = 64

/** Longest time a shell may take to start, in milliseconds. */
const START_TIMEOUT_MS = 10_000

/** Between hanging up and KILL, in milliseconds. */
const HANG_UP_MS = 500

interface OpenTerminal {
  info: TerminalInfo
  readonly kept: Scrollback
  readonly listeners: Set<(output: TerminalOutput) => void>
  readonly marker: string
  pid: number | undefined
  exit: Extract<TerminalOutput, { type: 'exit' }> | undefined
  /** Characters from the host that nobody has used yet. */
  unused: number
  /** Characters of kept output on their way to a listener: their use is not the host's business. */
  replayed: number
  started(problem?: string): void
}

export interface TerminalsOptions {
  readonly host: ProcessHost
  /** Absolute path of the built `pty.host.js`. */
  readonly hostModule: string
  readonly guardian?: Guardian
  readonly system?: ProcessSystem
  /** The program a terminal starts; the person's shell by default. */
  readonly shell?: { file: string; args: readonly string[] }
}

/** The person's terminals: several a session, in one helper process, with the window's pace as theirs. */
export class Terminals {
  readonly #options: TerminalsOptions
  readonly #terminals = new Map<string, OpenTerminal>()
  #channel: HostChannel | undefined
  #disposed = false

  constructor(options: TerminalsOptions) {
    this.#options = options
  }

  /** Starts the person's shell. Throws `limit_exceeded`, or `io` where no shell could be started. */
  async create(options: {
    session: SessionId
    cwd: string
    columns: number
    rows: number
    env?: Readonly<Record<string, string>>
  }): Promise<TerminalInfo> {
    if (this.#disposed) throw new PlumblineError('aborted', 'The program is ending.')
    if (this.#terminals.size >= MAX_TERMINALS) {
      throw new PlumblineError('limit_exceeded', `${MAX_TERMINALS} terminals are open already. Close one first.`)
    }
    const shell = this.#options.shell ?? { file: personShell(), args: process.platform === 'darwin' ? ['-l'] : [] }
    const id = newId('t')
    const title = path.basename(shell.file)
    const marker = `PLUMBLINE_CALL=${randomBytes(12).toString('base64url')}`
    const started = new Promise<string | undefined>((resolve) => {
      this.#terminals.set(id, {
        info: { id, session: options.session, title, alive: true },
        kept: new Scrollback(SCROLLBACK_CHARACTERS),
        listeners: new Set(),
        marker,
        pid: undefined,
        exit: undefined,
        unused: 0,
        replayed: 0,
        started: resolve,
      })
    })
    const env = {
      ...terminalEnvironment(),
      ...options.env,
      ...variable(marker),
      ...variable(this.#options.guardian?.marker),
    }
    this.#send({ type: 'create', id, ...shell, args: [...shell.args], cwd: options.cwd, env, ...bounded(options) })
    const problem = await inTime(started)
    const terminal = this.#terminals.get(id)
    if (problem !== undefined || terminal === undefined) {
      this.#terminals.delete(id)
      this.#send({ type: 'hang-up', id })
      throw new PlumblineError('io', `The terminal could not be started: ${problem ?? 'it was closed'}`)
    }
    return terminal.info
  }

  list(session: SessionId): TerminalInfo[] {
    return [...this.#terminals.values()].filter(({ info }) => info.session === session).map(({ info }) => info)
  }

  /**
   * Calls the listener with what the terminal has kept, then with what comes, at last with its exit. Throws
   * `not_found`. The process is held up while 100,000 characters are handed out and not acknowledged; without a
   * listener it runs freely and its newest output is kept.
   */
  attach(id: string, listener: (output: TerminalOutput) => void): Disposer {
    const terminal = this.#get(id)
    const kept = terminal.kept.text()
    terminal.listeners.add(listener)
    if (kept !== '') {
      terminal.replayed += kept.length
      listener({ type: 'data', data: kept })
    }
    if (terminal.exit !== undefined) listener(terminal.exit)
    return () => {
      terminal.listeners.delete(listener)
      if (terminal.listeners.size > 0) return
      terminal.replayed = 0
      this.#use(id, terminal, terminal.unused)
    }
  }

  /** The window has drawn this many characters of what it was handed. An unknown terminal is ignored. */
  acknowledge(id: string, characters: number): void {
    const terminal = this.#terminals.get(id)
    if (terminal === undefined || !(characters > 0)) return
    const ofKept = Math.min(terminal.replayed, characters)
    terminal.replayed -= ofKept
    this.#use(id, terminal, characters - ofKept)
  }

  /** Sends what the person typed. Throws `not_found`. */
  write(id: string, data: string): void {
    this.#get(id)
    this.#send({ type: 'write', id, data })
  }

  /** Sizes that are no sizes (a hidden window has some) are ignored (S40). Throws `not_found`. */
  resize(id: string, columns: number, rows: number): void {
    this.#get(id)
    if (Number.isFinite(columns) && Number.isFinite(rows) && columns >= 2 && rows >= 1) {
      this.#send({ type: 'resize', id, ...bounded({ columns, rows }) })
    }
  }

  /** Hangs up, ends whatever stayed, and forgets the terminal. An unknown terminal is ignored. */
  async close(id: string): Promise<void> {
    const terminal = this.#terminals.get(id)
    if (terminal === undefined) return
    if (terminal.exit === undefined) {
      const ended = new Promise<void>((resolve) => {
        terminal.listeners.add((output) => {
          if (output.type === 'exit') resolve()
        })
      })
      this.#send({ type: 'hang-up', id })
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, HANG_UP_MS))])
    }
    if (terminal.pid !== undefined) {
      await signalTree(
        { pid: terminal.pid, marker: terminal.marker },
        'SIGKILL',
        this.#options.system ?? systemProcesses,
      )
      this.#options.guardian?.release(terminal.pid)
    }
    this.#ended(terminal, null, 'SIGKILL')
    this.#terminals.delete(id)
  }

  /** Closes all terminals and their helper process. */
  async dispose(): Promise<void> {
    this.#disposed = true
    await Promise.all([...this.#terminals.keys()].map((id) => this.close(id)))
    this.#channel?.kill()
    this.#channel = undefined
  }

  #get(id: string): OpenTerminal {
    const terminal = this.#terminals.get(id)
    if (terminal === undefined) throw new PlumblineError('not_found', `There is no terminal ${id}.`)
    return terminal
  }

  #send(request: PtyRequest): void {
    if (this.#channel === undefined) {
      const channel = this.#options.host.start(this.#options.hostModule, { name: 'Plumbline terminals' })
      this.#channel = channel
      channel.onMessage((message) => this.#receive(message))
      channel.onExit(() => this.#hostEnded(channel))
    }
    this.#channel.send(request)
  }

  #receive(message: unknown): void {
    const parsed = PtyReport.safeParse(message)
    const terminal = parsed.success ? this.#terminals.get(parsed.data.id) : undefined
    if (!parsed.success || terminal === undefined) return
    const report = parsed.data
    switch (report.type) {
      case 'created':
        terminal.pid = report.pid
        this.#options.guardian?.guard(report.pid)
        terminal.started()
        break
      case 'failed':
        terminal.started(report.message)
        break
      case 'data':
        this.#handOut(report.id, terminal, report.data)
        break
      case 'exit':
        this.#ended(terminal, report.exitCode, report.signal === null ? null : nameOf(report.signal))
        break
    }
  }

  #handOut(id: string, terminal: OpenTerminal, data: string): void {
    terminal.kept.push(data)
    terminal.unused += data.length
    for (const listener of terminal.listeners) listener({ type: 'data', data })
    if (terminal.listeners.size === 0) this.#use(id, terminal, data.length)
  }

  #use(id: string, terminal: OpenTerminal, characters: number): void {
    const used = Math.min(characters, terminal.unused)
    if (used === 0) return
    terminal.unused -= used
    this.#send({ type: 'acknowledge', id, characters: used })
  }

  #ended(terminal: OpenTerminal, exitCode: number | null, signal: string | null): void {
    if (terminal.exit !== undefined) return
    terminal.exit = { type: 'exit', exitCode, signal }
    terminal.info = { ...terminal.info, alive: false }
    terminal.started('it ended at once')
    for (const listener of terminal.listeners) listener(terminal.exit)
  }

  /** The helper broke: its terminals are over, and the next one gets a new helper. */
  #hostEnded(channel: HostChannel): void {
    if (this.#channel === channel) this.#channel = undefined
    for (const terminal of this.#terminals.values()) {
      terminal.started('the helper process ended')
      this.#ended(terminal, null, null)
    }
  }
}

function bounded({ columns, rows }: { columns: number; rows: number }): { columns: number; rows: number } {
  const within = (value: number, least: number) => Math.min(1000, Math.max(least, Math.floor(value) || least))
  return { columns: within(columns, 2), rows: within(rows, 1) }
}

function variable(marker: string | undefined): Record<string, string> {
  const [name, value] = marker?.split('=') ?? []
  return name === undefined || value === undefined ? {} : { [name]: value }
}

function nameOf(signal: number): string {
  return Object.entries(constants.signals).find(([, number]) => number === signal)?.[0] ?? `signal ${signal}`
}

async function inTime(started: Promise<string | undefined>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('it did not start in time'), START_TIMEOUT_MS)
  })
  try {
    return await Promise.race([started, late])
  } finally {
    clearTimeout(timer)
  }
}
