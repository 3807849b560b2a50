import type { z } from 'zod'
import { FileMoved } from '../editing/mutation'
import type { WriteEngine, WriteOutcome, WritePlan, WritePolicy } from '../editing/write-engine'
import { defineTool, type RegisteredTool, WorldMoved } from './define'

/** For the window: what was written, never the body. */
export interface WriteDetails {
  readonly path: string
  readonly bytes: number
  readonly lines: number
  readonly created: boolean
  readonly madeExecutable: boolean
  readonly tag?: string
  readonly warnings: readonly string[]
}

/** The write of a toolset: same engine, its own arguments, words and policy. */
export function wholeFileTool<Args>(
  engine: WriteEngine,
  contract: {
    title: string
    description: string
    policy: WritePolicy
    args: z.ZodType<Args>
    of(args: Args): { path: string; content: string }
    text(outcome: WriteOutcome, path: string): string
  },
): RegisteredTool {
  const { policy } = contract
  return defineTool<Args, { plan: WritePlan; path: string }, WriteDetails>({
    name: 'write',
    title: contract.title,
    description: contract.description,
    args: contract.args,
    approval: 'once',
    grantKey: { kind: 'file', of: (_args, touches) => touches.map((touch) => touch.target).join('\n') },
    subject: (args) => contract.of(args).path,
    targets: (args, call) => engine.targets(contract.of(args).path, policy, call.session),
    prepare: async (args, call) => {
      const { path, content } = contract.of(args)
      const plan = await engine.prepare(path, content, policy, call.session)
      const warnings = plan.warnings.length > 0 ? { warnings: [...plan.warnings] } : {}
      const asks = plan.asks === undefined ? {} : { asks: plan.asks }
      return { effect: { plan, path }, ...asks, preview: { kind: 'diff', files: [...plan.files], ...warnings } }
    },
    act: async ({ plan, path }, call) => {
      const outcome = await engine.commit(plan, policy, call.session).catch((failure: unknown) => {
        throw failure instanceof FileMoved
          ? new WorldMoved(`${plan.resolved.display} changed before it was written.`, { cause: failure })
          : failure
      })
      const { display, bytes, lines, created, madeExecutable, tag, warnings, changed } = outcome
      return {
        content: [{ type: 'text', text: contract.text(outcome, path) }],
        details: { path: display, bytes, lines, created, madeExecutable, ...(tag !== undefined && { tag }), warnings },
        ...(changed && { changed }),
      }
    },
  })
}

/** Header, confirmation and notes: the compact answer that never repeats the file (WRITE-16). */
export function headedWriteText(outcome: WriteOutcome, path: string): string {
  const header = outcome.tag === undefined ? [] : [`[${outcome.display}#${outcome.tag}]`]
  return [...header, `Successfully wrote to ${path}`, ...writeNotes(outcome)].join('\n')
}

/** What else the model should know of a write. */
export function writeNotes(outcome: WriteOutcome): string[] {
  return [
    ...outcome.warnings,
    ...(outcome.madeExecutable
      ? ['Made the file executable (madeExecutable: true), since it starts with a shebang.']
      : []),
    ...(outcome.durable ? [] : ['The file is written, but its folder could not be flushed to disk.']),
  ]
}
