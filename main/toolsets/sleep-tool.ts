import { z } from 'zod'
import type { Clock } from '../platform/clock'
import { defineTool, type RegisteredTool } from './define'

/** SHELL-32: waits 0.1 to 300 seconds; a stop ends the wait at once. The same in every toolset that has it. */
export function sleepTool(engines: { clock: Clock }): RegisteredTool {
  return defineTool({
    name: 'sleep',
    title: 'Wait',
    description: 'Waits for `seconds`, from 0.1 to 300. Example: {"seconds": 2}',
    args: z.strictObject({ seconds: z.number().min(0.1).max(300) }),
    approval: 'never',
    subject: (args) => `${args.seconds} s`,
    targets: async () => [],
    prepare: async (args) => ({ effect: args }),
    act: async ({ seconds }, call) => {
      await engines.clock.sleep(seconds * 1000, call.signal)
      return { content: [{ type: 'text', text: `Waited ${seconds} s.` }], details: { seconds } }
    },
  })
}
