import { z } from 'zod'
import { type EditEngine, type EditPlan, type EditPolicy, movedMessage } from '../editing/edit-engine'
import type { EditDetails } from '../editing/edit-response'
import { FileMoved } from '../editing/mutation'
import { EMPTY_INPUT } from '../editing/patch-messages'
import { parsePatch, withoutEnvelope } from '../editing/patch-parser'
import { defineTool, type RegisteredTool, WorldMoved } from './define'

const EditArgs = z.object({ input: z.string().describe('Hashline sections, each headed [PATH#TAG]') })

/** The anchored edit of a toolset: same engine, its own name, words and policy. */
export function anchoredEditTool(
  engine: EditEngine,
  contract: { name: string; title: string; description: string; policy: EditPolicy },
): RegisteredTool {
  const { policy } = contract
  return defineTool<z.infer<typeof EditArgs>, EditPlan, EditDetails>({
    name: contract.name,
    title: contract.title,
    description: contract.description,
    args: EditArgs,
    explainArguments: () => EMPTY_INPUT,
    approval: 'once',
    grantKey: { kind: 'file', of: (_args, touches) => touches.map((touch) => touch.target).join('\n') },
    subject: (args) =>
      sectionsOf(args.input, policy)
        .map((section) => section.path)
        .join(', '),
    targets: (args, call) => engine.targets(args.input, policy, call.session),
    prepare: async (args, call) => {
      const plan = await engine.prepare(args.input, policy, call.session, { merged: call.merged, signal: call.signal })
      const warnings = plan.warnings.length > 0 ? { warnings: [...plan.warnings] } : {}
      return { effect: plan, preview: { kind: 'diff', files: [...plan.files], ...warnings } }
    },
    act: async (plan, call) => {
      const outcome = await engine.commit(plan, policy, call.session).catch((failure: unknown) => {
        throw failure instanceof FileMoved ? new WorldMoved(movedMessage(plan, failure), { cause: failure }) : failure
      })
      const { text, details, changed, failure } = outcome
      return { content: [{ type: 'text', text }], details, ...(changed && { changed }), ...(failure && { failure }) }
    },
    merge: {
      keys: (args) => sectionsOf(args.input, policy).map((section) => `${section.path}#${section.tag}`),
      merge: (all) => ({ input: all.map((args) => withoutEnvelope(args.input)).join('\n') }),
    },
  })
}

/** Sections of a patch for naming and merging; none where it can't be parsed, which `prepare` will say. */
function sectionsOf(input: string, policy: EditPolicy): { path: string; tag: string }[] {
  try {
    return parsePatch(input, policy)
  } catch {
    return []
  }
}
