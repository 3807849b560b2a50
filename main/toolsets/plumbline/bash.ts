import { z } from 'zod'
import type { RegisteredTool } from '../define'
import { commandArgument, environmentArgument, secondsArgument, wholeSecondsMs } from '../shell-arguments'
import { type ShellEngines, shellTool } from '../shell-tool'

const DEFAULT_SECONDS = 120

/** SHELL rows in the default toolset: a command with a time limit, bounded output, and an end with all its children. */
export function bashTool(engines: ShellEngines): RegisteredTool {
  return shellTool(engines, {
    name: 'bash',
    description:
      'Runs a shell command in the project and returns its output and exit code. Input is empty, pagers and editors are off. ' +
      `\`timeout\` is in seconds (default ${DEFAULT_SECONDS}, at most 3600). Whatever the command leaves running ends with it, so start servers and watchers with \`background\`: that returns a task id at once. ` +
      'Say in `intent` why it is needed. Example: {"command": "npm test", "intent": "See whether the fix works"}',
    args: z
      .strictObject({
        command: commandArgument,
        intent: z.string().max(2_000).optional(),
        justification: z.string().max(2_000).optional(),
        timeout: secondsArgument.or(z.literal(0)).optional(),
        cwd: z.string().optional(),
        env: environmentArgument.optional(),
        pty: z.boolean().optional(),
        background: z.boolean().optional(),
      })
      .refine(
        (args) => args.timeout !== 0 || args.background === true,
        'timeout 0 (no limit) is for background commands only',
      ),
    request: (args) => ({
      command: args.command,
      cwd: args.cwd,
      env: args.env,
      timeoutMs: limitOf(args),
      background: args.background,
      requestedTimeout: args.timeout,
      intent: args.intent ?? args.justification,
      pty: args.pty,
    }),
    shown: { keep: 'ends', characters: 100_000, ends: 10_000 },
    fullOutput: (path) => `Full output: ${path}`,
  })
}

/** A background command has the limit it was given, else none. */
function limitOf(args: { timeout?: number | undefined; background?: boolean | undefined }): number | null {
  if (args.timeout === 0 || (args.background === true && args.timeout === undefined)) return null
  return wholeSecondsMs(args.timeout ?? DEFAULT_SECONDS)
}
