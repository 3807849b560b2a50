import type { Touch } from '../../preload/contract/effects'
import { canonicalOf, kindOf } from '../permissions/canonical'
import type { Losses, LossPlaces } from '../permissions/losses'
import { modeDefault } from '../permissions/modes'
import { judgeRules } from '../permissions/rules'
import type { Judgement, ModeCall, RuleCall, RuleSet } from '../permissions/types'
import { type EffectiveCall, GO, type JudgedCall, type Stage } from './calls'
import type { SessionGrants } from './grants'
import { grantOf, questionAbout } from './questions'

/** What the stages judge by. */
export interface StageParts {
  /** The rules that count now; settings may change while a session lives. */
  rules(): Promise<RuleSet>
  grants: SessionGrants
  home: string
  /** What a command line would destroy, resolved on disk. */
  findLosses(commandLine: string, places: LossPlaces): Promise<Losses>
}

/** The stages before anything is read: hard denials, then deny rules. */
export function targetStages(parts: StageParts): Stage<JudgedCall>[] {
  return [
    { name: 'hard denials', check: (call) => hardDenials(parts, call) },
    {
      name: 'deny rules',
      check: async (call) => {
        const { deny } = await judge(parts, call)
        return deny === undefined
          ? GO
          : {
              stop: {
                code: 'permission_denied',
                message: `Denied by the rule ${deny.text} (${deny.source}). Nothing was done.`,
              },
            }
      },
    },
  ]
}

/** The stages that judge the exact effect: no effect at all, destructive check, ask rules, allow rules, session grants, mode. */
export function effectStages(parts: StageParts): Stage<EffectiveCall>[] {
  return [
    { name: 'no effect', check: noEffect },
    { name: 'destructive', check: (call) => destructive(parts, call) },
    {
      name: 'ask rules',
      check: async (call) => {
        if (call.context.session.mode === 'bypass') return GO
        const { ask } = await judge(parts, call)
        const reason =
          ask === undefined ? (call.hookAsks ?? call.prepared.asks) : `ask rule ${ask.text} (${ask.source})`
        return reason === undefined
          ? GO
          : { ask: questionAbout(call, { stage: 'ask rules', reason, scopes: ['once', 'deny'] }) }
      },
    },
    {
      name: 'allow rules',
      check: async (call) => ((await judge(parts, call)).allow === undefined ? GO : { allow: true }),
    },
    {
      name: 'session grants',
      check: (call) => {
        const { keys } = grantOf(call)
        return keys.length > 0 && keys.every((key) => parts.grants.has(key)) ? { allow: true } : GO
      },
    },
    { name: 'outside', check: outside },
    { name: 'mode', check: mode },
  ]
}

function hardDenials(parts: StageParts, call: JudgedCall): ReturnType<Stage<JudgedCall>['check']> {
  const { session } = call.context
  const secret = call.touches.find((touch) => touch.kind === 'secret')
  if (secret !== undefined) {
    return { stop: { code: 'credential_path', message: `${secret.target} holds credentials. No tool may touch it.` } }
  }
  const changed = call.touches.find((touch) => touch.kind === 'write' || touch.kind === 'delete')
  if (session.sandbox === 'read-only' && changed !== undefined) {
    return {
      stop: {
        code: 'permission_denied',
        message: 'The sandbox tier read-only refuses every write. Nothing was written.',
      },
    }
  }
  const line = commandLineOf(call)
  if (line === undefined) return GO
  return refuseLosses(parts, call, line)
}

/** Nothing would change, as with an edit that is one already: there is nothing to ask about. */
function noEffect(call: EffectiveCall): Awaited<ReturnType<Stage<EffectiveCall>['check']>> {
  const { preview, loses } = call.prepared
  return preview?.kind === 'diff' && preview.files.length === 0 && loses.length === 0 ? { allow: true } : GO
}

async function refuseLosses(
  parts: StageParts,
  call: JudgedCall,
  line: string,
): Promise<Awaited<ReturnType<Stage<JudgedCall>['check']>>> {
  const { refuse } = await parts.findLosses(line, placesOf(parts, call))
  return refuse === undefined ? GO : { stop: { code: 'destructive_refused', message: refuse } }
}

async function destructive(
  parts: StageParts,
  call: EffectiveCall,
): Promise<Awaited<ReturnType<Stage<EffectiveCall>['check']>>> {
  if (call.context.session.mode === 'bypass') return GO
  const line = commandLineOf(call)
  const losses =
    line === undefined
      ? { loses: call.prepared.loses, total: call.prepared.loses.length }
      : await parts.findLosses(line, placesOf(parts, call))
  if (losses.total === 0) return GO
  return {
    ask: questionAbout(call, {
      stage: 'destructive',
      reason: lossReason(losses),
      scopes: ['once', 'deny'],
      harm: true,
    }),
  }
}

function outside(call: EffectiveCall): Awaited<ReturnType<Stage<EffectiveCall>['check']>> {
  if (call.context.session.mode === 'bypass' || call.hookAllows) return GO
  const beyond = call.touches.filter((touch) => touch.outside)
  if (beyond.length === 0) return GO
  const reason = `${beyond.map((touch) => touch.target).join(', ')} lies outside the project`
  return { ask: questionAbout(call, { stage: 'outside', reason, scopes: ['once', 'session', 'always', 'deny'] }) }
}

function mode(call: EffectiveCall): Awaited<ReturnType<Stage<EffectiveCall>['check']>> {
  const { mode: current } = call.context.session
  const verdict = modeDefault(current, call.tool.approval, modeCallOf(call))
  if (verdict === 'go') return GO
  if (typeof verdict === 'object') return { stop: { code: 'permission_denied', message: verdict.refuse } }
  if (call.hookAllows) return GO
  const scopes =
    call.tool.approval === 'once'
      ? (['once', 'session', 'always', 'deny'] as const)
      : (['once', 'always', 'deny'] as const)
  return { ask: questionAbout(call, { stage: 'mode', reason: `mode ${current}`, scopes: [...scopes] }) }
}

async function judge(parts: StageParts, call: JudgedCall): Promise<Judgement> {
  return judgeRules(await parts.rules(), ruleCallOf(parts, call))
}

function ruleCallOf(parts: StageParts, call: JudgedCall): RuleCall {
  const { session } = call.context
  return {
    toolset: session.toolset,
    tool: call.tool.name,
    canonical: canonicalOf(session.toolset, call.tool.name),
    args: call.bound.args,
    touches: call.touches,
    commandLine: commandLineOf(call),
    roots: session.roots,
    home: parts.home,
  }
}

function modeCallOf(call: EffectiveCall): ModeCall {
  const { session } = call.context
  const preview = call.prepared.preview
  return {
    toolset: session.toolset,
    tool: call.tool.name,
    canonicalKind: kindOf(canonicalOf(session.toolset, call.tool.name)),
    touches: call.touches,
    roots: session.roots,
    attended: session.attended,
    tier: session.sandbox,
    commandLine: commandLineOf(call),
    unsandboxed: preview?.kind === 'command' && preview.unsandboxed === true,
  }
}

function commandLineOf(call: JudgedCall): string | undefined {
  return call.touches.find((touch) => touch.kind === 'run')?.target
}

function placesOf(parts: StageParts, call: JudgedCall | EffectiveCall): LossPlaces {
  const { roots, temporaryFolder } = call.context.session
  return { cwd: workingFolder(call), roots, home: parts.home, temporaryFolder }
}

/** Where a command would run; before it is prepared, the session's folder. */
function workingFolder(call: JudgedCall | EffectiveCall): string {
  if ('prepared' in call && call.prepared.preview?.kind === 'command') return call.prepared.preview.cwd
  return call.context.session.cwd
}

/** Targets that a question names; the rest is a number. */
const NAMED_LOSSES = 5

function lossReason(losses: { loses: readonly Touch[]; total: number }): string {
  const named = losses.loses.slice(0, NAMED_LOSSES).map((touch) => touch.target)
  const more = losses.total - named.length
  return `destructive: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
