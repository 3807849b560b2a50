import { z } from 'zod'
import type { RegisteredTool } from '../define'
import { commandArgument } from '../shell-arguments'
import { type ShellEngines, shellTool } from '../shell-tool'

const DEFAULT_SECONDS = 30

/** SHELL rows of magi: a needed, nonblank intent, 1 to 300 seconds, aliases `shell` and `cmd`. */
export function magiBashTool(engines: ShellEngines): RegisteredTool {
  return shellTool(engines, {
    name: 'bash',
    aliases: ['shell', 'cmd'],
    description:
      'Runs a non-interactive command in the working directory. `intent` is required and says briefly why. ' +
      `\`timeout\` is 1 to 300 seconds, default ${DEFAULT_SECONDS}. Output is bounded.`,
    args: z.strictObject({
      command: commandArgument,
      intent: z
        .string()
        .max(2_000)
        .refine((intent) => intent.trim() !== '', 'must not be blank'),
      timeout: z.number().int().min(1).max(300).nullish(),
    }),
    request: (args) => ({
      command: args.command,
      timeoutMs: (args.timeout ?? DEFAULT_SECONDS) * 1000,
      requestedTimeout: args.timeout ?? undefined,
      intent: args.intent,
    }),
    shown: { keep: 'ends', characters: 64 * 1024, ends: 32 * 1024 },
    fullOutput: (path) => `Full output: ${path}`,
  })
}
