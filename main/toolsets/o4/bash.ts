import { z } from 'zod'
import type { RegisteredTool } from '../define'
import { commandArgument } from '../shell-arguments'
import { type ShellEngines, shellTool } from '../shell-tool'

const DEFAULT_MS = 600_000
const MAX_MS = 1_800_000

/** SHELL rows of o4: milliseconds with 0 for no limit, a working directory that carries over, 100,000 characters. */
export function o4BashTool(engines: ShellEngines): RegisteredTool {
  return shellTool(engines, {
    name: 'bash',
    description:
      'Runs a shell command and returns its output. The working directory carries over between calls, other shell state does not. ' +
      '`timeout` is in milliseconds: default 600000, maximum 1800000, 0 turns it off. `run_in_background` returns a task id at once. `justification` is shown to the person who approves.',
    args: z.strictObject({
      command: commandArgument,
      timeout: z.number().int().min(0).max(MAX_MS).optional(),
      working_directory: z.string().optional(),
      run_in_background: z.boolean().optional(),
      justification: z.string().max(2_000).optional(),
    }),
    request: (args) => ({
      command: args.command,
      cwd: args.working_directory,
      timeoutMs: limitOf(args),
      background: args.run_in_background,
      requestedTimeout: args.timeout === undefined ? undefined : args.timeout / 1000,
      intent: args.justification,
    }),
    shown: { keep: 'ends', characters: 100_000, ends: 10_000 },
    carriesFolder: true,
    fullOutput: (path) => `Full output saved to: ${path}`,
  })
}

/** A background command has the limit it was given, else none. */
function limitOf(args: { timeout?: number | undefined; run_in_background?: boolean | undefined }): number | null {
  if (args.timeout === 0 || (args.run_in_background === true && args.timeout === undefined)) return null
  return args.timeout ?? DEFAULT_MS
}
