import { stat } from 'node:fs/promises'
import type { z } from 'zod'
import type { Touch } from '../../preload/contract/effects'
import type { Failure } from '../../preload/contract/errors'
import type { BackgroundTasks } from '../execution/background-tasks'
import type { Enforcement } from '../execution/sandbox'
import type { ShellCommand, ShellOutcome, ShellRunner } from '../execution/shell-runner'
import { type ShownLimit, showOutput } from '../execution/shown-output'
import type { LossProbe } from '../permissions/loss-probe'
import { findLosses } from '../permissions/losses'
import { PlumblineError } from '../platform/errors'
import { type PathAuthority, touch } from '../workspace/path-authority'
import { type CallContext, defineTool, type Prepared, type RegisteredTool, type ToolResult } from './define'

/** What the shell tools of all toolsets are made of. */
export interface ShellEngines {
  readonly shells: ShellRunner
  readonly paths: PathAuthority
  readonly losses: LossProbe
  readonly home: string
  /** Without it nothing is started in the background. */
  readonly tasks?: BackgroundTasks
}

/** A call of any toolset in the terms of the engine. */
export interface ShellRequest {
  readonly command: string
  /** As given: relative to the session's folder, absolute or `~/`. */
  readonly cwd?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly timeoutMs: number | null
  /** As the model gave it, in the tool's unit. */
  readonly requestedTimeout?: number | undefined
  /** Why the model wants it. */
  readonly intent?: string | undefined
  /** Started as a task of its own; the call returns at once. */
  readonly background?: boolean | undefined
  /** A terminal was asked for. */
  readonly pty?: boolean | undefined
}

/** How a toolset's shell tool differs from the others. */
export interface ShellContract<Args> {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly description: string
  readonly args: z.ZodType<Args>
  request(args: Args): ShellRequest
  readonly shown: ShownLimit
  /** The folder a command ends in is where the next one starts (SHELL-06). */
  readonly carriesFolder?: boolean
  /** The line that names the file with the whole output (PERSIST-01). */
  fullOutput(path: string): string
}

/** What the window shows of a command (SHELL-10). */
export interface ShellDetails {
  readonly command: string
  readonly cwd: string
  readonly intent?: string
  readonly exitCode: number | null
  readonly signal: string | null
  readonly ended: string
  /** The limit that held; null is none. */
  readonly timeoutSeconds: number | null
  readonly requestedTimeoutSeconds?: number
  readonly wallTimeMs: number
  readonly sandbox: Enforcement
  /** `pipes` where a terminal was asked for and plain pipes were used. */
  readonly pty?: 'pipes'
  readonly output: { characters: number; bytes: number; lines: number; truncated: boolean }
  readonly fullOutputPath?: string
  /** Where the next command starts, when it moved. */
  readonly nextFolder?: string
}

interface Effect {
  readonly request: ShellRequest
  readonly cwd: string
}

/** A shell tool over the one runner: asks every time, shows the command with its folder, tier and losses. */
export function shellTool<Args>(engines: ShellEngines, contract: ShellContract<Args>): RegisteredTool {
  return defineTool<Args, Effect, ShellDetails | TaskDetails>({
    name: contract.name,
    aliases: contract.aliases ?? [],
    title: 'Run',
    description: contract.description,
    args: contract.args,
    approval: 'always',
    limitMs: null,
    // The contract's own limit and its notes come first.
    outputCharacters: 200_000,
    subject: (args) => contract.request(args).command,
    targets: (args, call) => targets(engines, contract.request(args), call),
    prepare: (args, call) => prepare(engines, contract.request(args), call),
    act: (effect, call) => act(engines, contract, effect, call),
  })
}

async function targets(engines: ShellEngines, request: ShellRequest, call: CallContext): Promise<Touch[]> {
  const run: Touch = { kind: 'run', target: request.command }
  if (request.cwd === undefined) return [run]
  const folder = await engines.paths.resolve(request.cwd, call.session)
  return folder.outside ? [run, touch('read', folder)] : [run]
}

async function prepare(engines: ShellEngines, request: ShellRequest, call: CallContext): Promise<Prepared<Effect>> {
  const { session } = call
  const cwd = await workingFolder(engines, request, call)
  const enforced = await engines.shells.sandbox.enforces(session.sandbox)
  const places = { cwd, roots: session.roots, home: engines.home, temporaryFolder: session.temporaryFolder }
  const losses = await findLosses(request.command, places, engines.losses)
  if (losses.refuse !== undefined) throw new PlumblineError('destructive_refused', losses.refuse)
  return {
    effect: { request, cwd },
    loses: losses.loses,
    preview: {
      kind: 'command',
      line: request.command,
      cwd,
      tier: session.sandbox,
      ...(request.intent !== undefined && { intent: request.intent }),
      ...(!enforced && { unsandboxed: true }),
      ...(losses.total > 0 && { loses: losses.loses.map(({ target }) => target), losesTotal: losses.total }),
    },
  }
}

async function workingFolder(engines: ShellEngines, request: ShellRequest, call: CallContext): Promise<string> {
  const given = request.cwd ?? call.session.cwd
  const folder = request.cwd === undefined ? given : (await engines.paths.resolve(given, call.session)).real
  const found = await stat(folder).catch(() => undefined)
  if (found === undefined) throw new PlumblineError('not_found', `The working folder ${given} does not exist.`)
  if (!found.isDirectory()) throw new PlumblineError('not_a_directory', `The working folder ${given} is not a folder.`)
  return folder
}

async function act<Args>(
  engines: ShellEngines,
  contract: ShellContract<Args>,
  { request, cwd }: Effect,
  call: CallContext,
): Promise<ToolResult<ShellDetails | TaskDetails>> {
  const command = shellCommand(contract, { request, cwd }, call)
  if (request.background === true) return startTask(engines, command, request, call)
  const outcome = await engines.shells.run(command)
  const nextFolder = contract.carriesFolder ? await carryFolder(engines, outcome, call) : undefined
  return resultOf(contract, request, cwd, outcome, nextFolder)
}

function shellCommand<Args>(contract: ShellContract<Args>, { request, cwd }: Effect, call: CallContext): ShellCommand {
  const { session } = call
  const common = {
    command: request.command,
    cwd,
    env: request.env,
    timeoutMs: request.timeoutMs,
    spill: {
      folder: session.toolResultsFolder,
      name: `${call.callId.replaceAll(/[^A-Za-z0-9_.-]/g, '_').slice(0, 80)}-${contract.name}.txt`,
      ...spillAfter(contract.shown),
    },
    tier: session.sandbox,
    roots: session.roots,
    temporaryFolder: session.temporaryFolder,
  }
  // A task outlives its call: it is neither stopped with it nor reported through it.
  if (request.background === true) return common
  const reportFolder = contract.carriesFolder === true
  return { ...common, signal: call.signal, onProgress: (text) => call.progress(text), reportFolder }
}

/** What the window shows of a command that was started as a task (SHELL-22). */
export interface TaskDetails {
  readonly command: string
  readonly taskId: string
  readonly sandbox: Enforcement
}

async function startTask(
  engines: ShellEngines,
  command: ShellCommand,
  request: ShellRequest,
  call: CallContext,
): Promise<ToolResult<TaskDetails>> {
  if (engines.tasks === undefined) throw new PlumblineError('not_supported', 'Background tasks are not available here.')
  engines.tasks.requireRoom(call.session.id)
  const { process, enforcement } = await engines.shells.start(command)
  const task = engines.tasks.adopt(call.session.id, request.command, process)
  return {
    content: [{ type: 'text', text: `Started in the background as task ${task.id}.` }],
    details: { command: request.command, taskId: task.id, sandbox: enforcement },
  }
}

/** The limit, so that whatever is cut is kept: bytes are never fewer than characters. */
function spillAfter(shown: ShownLimit): { afterBytes: number; afterLines?: number } {
  return shown.keep === 'ends' ? { afterBytes: shown.characters } : { afterBytes: shown.bytes, afterLines: shown.lines }
}

/** Moves the session's folder where the command ended, if the session may be there; answers with it when it moved. */
async function carryFolder(
  engines: ShellEngines,
  outcome: ShellOutcome,
  call: CallContext,
): Promise<string | undefined> {
  const { session } = call
  if (outcome.folder === undefined || outcome.folder === session.cwd) return undefined
  const found = await engines.paths.inspect(outcome.folder, session).catch(() => undefined)
  // Inside a sandbox `/tmp` is another folder than outside.
  const elsewhere = outcome.enforcement.files === 'enforced' && found?.insideRoots === false
  if (found === undefined || found.outside || found.credential || found.kind !== 'directory' || elsewhere)
    return undefined
  session.cwd = found.real
  return found.real
}

function resultOf<Args>(
  contract: ShellContract<Args>,
  request: ShellRequest,
  cwd: string,
  outcome: ShellOutcome,
  nextFolder: string | undefined,
): ToolResult<ShellDetails> {
  const shown = showOutput(outcome.output, contract.shown)
  const status = statusOf(outcome, request)
  const lines = [
    shown.text.replace(/\n$/, '') || (status === undefined ? '(no output)' : ''),
    status?.line ?? '',
    shown.truncated && outcome.kept ? contract.fullOutput(outcome.kept.path) : '',
  ]
  const { characters, bytes, lines: lineCount } = outcome.output
  return {
    content: [{ type: 'text', text: lines.filter((line) => line !== '').join('\n') }],
    details: {
      command: request.command,
      cwd,
      ...(request.intent !== undefined && { intent: request.intent }),
      exitCode: outcome.exitCode,
      signal: outcome.signal,
      ended: outcome.ended,
      timeoutSeconds: request.timeoutMs === null ? null : request.timeoutMs / 1000,
      ...(request.requestedTimeout !== undefined && { requestedTimeoutSeconds: request.requestedTimeout }),
      wallTimeMs: outcome.wallTimeMs,
      sandbox: outcome.enforcement,
      ...(request.pty && { pty: 'pipes' as const }),
      output: { characters, bytes, lines: lineCount, truncated: shown.truncated },
      ...(outcome.kept && { fullOutputPath: outcome.kept.path }),
      ...(nextFolder !== undefined && { nextFolder }),
    },
    ...(status && { failure: status.failure }),
    ...(outcome.kept && { kept: outcome.kept }),
  }
}

/** The line after the output and the failure; nothing for a command that ended well. */
function statusOf(outcome: ShellOutcome, request: ShellRequest): { line: string; failure: Failure } | undefined {
  if (outcome.ended === 'timeout') {
    const seconds = (request.timeoutMs ?? 0) / 1000
    return {
      line: `[stopped at the time limit of ${seconds} s]`,
      failure: { code: 'timeout', message: `The command was stopped at its time limit of ${seconds} s.` },
    }
  }
  if (outcome.ended !== 'exited') {
    return { line: '[stopped]', failure: { code: 'aborted', message: 'The command was stopped.' } }
  }
  if (outcome.exitCode === 0) return undefined
  const code = outcome.exitCode === null ? '' : `exit ${outcome.exitCode}`
  const what = [code, outcome.signal ?? ''].filter((part) => part !== '').join(', ')
  return { line: `[${what}]`, failure: { code: 'command_failed', message: `The command failed: ${what}.` } }
}
