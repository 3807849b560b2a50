import type { SandboxTier } from '../../preload/contract/ids'
import { PlumblineError } from '../platform/errors'
import { childEnvironment, type EnvironmentOptions } from './environment'
import type { Enforcement, Sandbox } from './sandbox'
import { findShell, type Shell, shellArguments } from './shells'
import type { Outcome, SupervisedProcess } from './supervised-process'
import type { Supervisor } from './supervisor'

export interface ShellCommand {
  readonly command: string
  /** Absolute real path of an existing folder. */
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Milliseconds; null for no limit. */
  readonly timeoutMs: number | null
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((text: string) => void) | undefined
  /** Output over this goes to a file as a whole. */
  readonly spill?: { folder: string; name: string; afterBytes: number; afterLines?: number } | undefined
  /** Learn the folder that the command ended in. */
  readonly reportFolder?: boolean
  readonly tier: SandboxTier
  readonly roots: readonly string[]
  readonly temporaryFolder: string
}

export interface RunningShell {
  readonly process: SupervisedProcess
  readonly enforcement: Enforcement
}

export interface ShellOutcome extends Outcome {
  readonly enforcement: Enforcement
  /** Where the command ended, when that was asked for and could be learnt. */
  readonly folder: string | undefined
}

/** Runs shell commands: the shell, its environment and its sandbox put together. Processes belong to the supervisor. */
export class ShellRunner {
  readonly sandbox: Sandbox
  readonly #supervisor: Supervisor
  readonly #environment: EnvironmentOptions
  #shell: Promise<Shell | undefined> | undefined

  constructor(options: { supervisor: Supervisor; sandbox: Sandbox; environment?: EnvironmentOptions; shell?: Shell }) {
    this.#supervisor = options.supervisor
    this.sandbox = options.sandbox
    this.#environment = options.environment ?? {}
    if (options.shell !== undefined) this.#shell = Promise.resolve(options.shell)
  }

  /**
   * Starts a command. Throws `sandbox_unavailable` where its tier can't be enforced, `not_supported` where there is no
   * shell; then nothing was started.
   */
  async start(command: ShellCommand): Promise<RunningShell> {
    this.#shell ??= findShell()
    const shell = await this.#shell
    if (shell === undefined) {
      throw new PlumblineError(
        'not_supported',
        'There is no bash on this machine. Install Git for Windows, which brings it.',
      )
    }
    const args = shellArguments(shell, command.command, command.reportFolder)
    const env = childEnvironment(command.env, this.#environment)
    const wrapped = await this.sandbox.wrap({ file: shell.file, args, env, cwd: command.cwd }, command)
    const process = this.#supervisor.start({
      file: wrapped.file,
      args: wrapped.args,
      env: wrapped.env,
      namespaced: wrapped.namespaced,
      cwd: command.cwd,
      timeoutMs: command.timeoutMs,
      signal: command.signal,
      onProgress: command.onProgress,
      spill: command.spill,
      sidePipe: command.reportFolder === true,
    })
    void process.finished.then(() => wrapped.release())
    return { process, enforcement: wrapped.enforcement }
  }

  /** Starts and waits. Throws as `start`, and `io` where the system refused to start the shell. */
  async run(command: ShellCommand): Promise<ShellOutcome> {
    const { process, enforcement } = await this.start(command)
    const outcome = await process.finished
    if (outcome.ended === 'not-started') {
      throw new PlumblineError('io', `The shell could not be started: ${outcome.problem ?? 'unknown reason'}`)
    }
    const folder = outcome.side.trimEnd().split('\n').at(-1)
    return { ...outcome, enforcement, folder: folder === undefined || folder === '' ? undefined : folder }
  }
}
