import { z } from 'zod'
import type { RegisteredTool } from '../define'
import { commandArgument, environmentArgument, secondsArgument, wholeSecondsMs } from '../shell-arguments'
import { type ShellEngines, shellTool } from '../shell-tool'

const DEFAULT_SECONDS = 300

/** SHELL rows of atomic: `cwd`, `env`, 300 to 3,600 seconds, the end of the output, the rest at `fullOutputPath`. */
export function atomicBashTool(engines: ShellEngines): RegisteredTool {
  return shellTool(engines, {
    name: 'bash',
    description:
      'Runs a shell command in the session workspace. `cwd` and `env` set its folder and variables. ' +
      `\`timeout\` is in seconds, default ${DEFAULT_SECONDS}, at most 3600. The end of a long output is shown, the whole is saved.`,
    args: z.strictObject({
      command: commandArgument,
      cwd: z.string().optional(),
      env: environmentArgument.optional(),
      timeout: secondsArgument.optional(),
      pty: z.boolean().optional(),
    }),
    request: (args) => ({
      command: args.command,
      cwd: args.cwd,
      env: args.env,
      timeoutMs: wholeSecondsMs(args.timeout ?? DEFAULT_SECONDS),
      requestedTimeout: args.timeout,
      pty: args.pty,
    }),
    shown: { keep: 'tail', lines: 3_000, bytes: 50 * 1024 },
    fullOutput: (path) => `Full output: ${path}`,
  })
}
