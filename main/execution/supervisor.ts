import { randomBytes } from 'node:crypto'
import { type ProcessSystem, systemProcesses } from '../platform/process-tree'
import { Guardian } from './guardian'
import { type Launch, type Outcome, SupervisedProcess } from './supervised-process'

export type { Launch, Outcome } from './supervised-process'

/** How many processes one program runs at a time; more is a fault of the caller. */
const MAX_PROCESSES = 512

/**
 * Owns every child process (SHELL-01): each gets its own group and session, a time limit, bounded output, and an end
 * together with everything it started. Nothing survives `dispose`, a crash or `kill -9` of this program.
 */
export class Supervisor {
  readonly guardian: Guardian
  readonly #system: ProcessSystem
  readonly #running = new Set<SupervisedProcess>()
  #disposed = false

  constructor(options: { system?: ProcessSystem; guardian?: Guardian } = {}) {
    this.#system = options.system ?? systemProcesses
    this.guardian = options.guardian ?? new Guardian(this.#system.platform)
  }

  /**
   * Starts a process and returns at once. Watching it (`finished`, `snapshot`) and running it are separate: nobody
   * needs to wait. `finished` never rejects; a process that could not be started ends as `not-started`.
   */
  start(launch: Launch): SupervisedProcess {
    const refusal = this.#disposed
      ? 'The program is ending.'
      : this.#running.size >= MAX_PROCESSES
        ? `${MAX_PROCESSES} processes are running already.`
        : undefined
    const started = new SupervisedProcess(launch, {
      system: this.#system,
      guardian: this.guardian,
      callMarker: `PLUMBLINE_CALL=${randomBytes(12).toString('base64url')}`,
      refusal,
    })
    this.#running.add(started)
    void started.finished.then(() => this.#running.delete(started))
    return started
  }

  /** Starts and waits. */
  run(launch: Launch): Promise<Outcome> {
    return this.start(launch).finished
  }

  get running(): number {
    return this.#running.size
  }

  /** Ends everything, with a short time for a polite end, and lets the guardian sweep. */
  async dispose(): Promise<void> {
    this.#disposed = true
    await Promise.all([...this.#running].map((process) => process.stop('stopped', DISPOSE_GRACE_MS)))
    await this.guardian.dispose()
  }
}

/** On quitting, a process has this long between TERM and KILL, in milliseconds: less than anybody waits. */
const DISPOSE_GRACE_MS = 1_000
