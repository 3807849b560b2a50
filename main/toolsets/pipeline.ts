import { performance } from 'node:perf_hooks'
import type { Ask, Touch } from '../../preload/contract/effects'
import type { Failure } from '../../preload/contract/errors'
import { type Clock, type Deadline, deadlineIn } from '../platform/clock'
import { isAbort, PlumblineError, toFailure } from '../platform/errors'
import type { Approver, EmitEvent } from './abilities'
import type { CallOutcome, CallRequest, EffectiveCall, JudgedCall, Stage } from './calls'
import { capOutput } from './cap-output'
import {
  type BoundCall,
  type CallContext,
  type PreparedCall,
  type RegisteredTool,
  type SessionScope,
  type ToolResult,
  WorldMoved,
} from './define'
import type { SessionGrants } from './grants'
import type { Hooks } from './hooks'
import { journalContent, journalDetails } from './journal-result'
import { groupByKeys } from './merge-calls'
import { parseArguments } from './parse-arguments'

/** How often a call is prepared again because the world moved between its preparation and its act. */
const PREPARE_ATTEMPTS = 3

/** Time limit of a call whose tool keeps its own: far beyond any contract's maximum. */
const UNLIMITED_MS = 24 * 60 * 60 * 1000

/** Everything a session's calls go through; one object a session. */
export interface PipelineParts {
  scope: SessionScope
  /** The tool of this name that may be called now, or why there is none. */
  find(name: string): { tool: RegisteredTool } | { refusal: string }
  /** Judge targets before anything is read: hard denials and deny rules. */
  targetStages: readonly Stage<JudgedCall>[]
  /** Judge the exact effect: destructive check, sandbox, ask rules, allow rules, grants, mode. */
  effectStages: readonly Stage<EffectiveCall>[]
  hooks: Hooks
  grants: SessionGrants
  approver: Approver
  /** Stores the rule that "always" adds. */
  addRule(rule: string): Promise<void>
  emit: EmitEvent
  clock: Clock
}

/** A call that ended before or instead of its act. */
class CallStopped extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message)
  }
}

interface Group {
  requests: CallRequest[]
  tool: RegisteredTool
  bound: BoundCall
}

/**
 * The one way from a call to its effect: offered? ► schema ► resolve targets ► hard denials ► deny rules ► hooks ►
 * prepare ► destructive check ► sandbox ► ask rules ► allow rules ► grants ► mode ► [ask] ► act ► cap ► journal.
 */
export class CallPipeline {
  readonly #parts: PipelineParts

  constructor(parts: PipelineParts) {
    this.#parts = parts
  }

  /**
   * Runs calls side by side and answers in their order. Calls that their tool merges (parallel edits of one snapshot)
   * are prepared, asked and done as one, and answered each.
   */
  async run(requests: readonly CallRequest[], signal: AbortSignal): Promise<CallOutcome[]> {
    const outcomes = new Map<CallRequest, CallOutcome>()
    const singles: Group[] = []
    for (const request of requests) {
      const opened = this.#open(request)
      if ('failure' in opened) outcomes.set(request, this.#finishFailed(request, opened.failure, 0))
      else singles.push({ requests: [request], ...opened })
    }
    const groups = groupByKeys(singles, (group) =>
      group.bound.mergeKeys(this.#context(group, signal)).map((key) => `${group.tool.name} ${key}`),
    ).map(mergeGroup)
    await Promise.all(
      groups.map(async (group) => {
        for (const [request, outcome] of await this.#runGroup(group, signal)) outcomes.set(request, outcome)
      }),
    )
    return requests.flatMap((request) => outcomes.get(request) ?? [])
  }

  #open(request: CallRequest): { tool: RegisteredTool; bound: BoundCall } | { failure: Failure } {
    const { emit, find } = this.#parts
    const found = find(request.tool)
    const args = 'text' in request.args ? request.args.text : JSON.stringify(request.args.value ?? null)
    const requested = (title: string, subject: string) =>
      emit({
        type: 'call.requested',
        call: request.id,
        tool: request.tool,
        title,
        subject,
        args,
        parentCall: request.parent,
      })
    if ('refusal' in found) {
      requested(request.tool, '')
      return { failure: { code: 'not_offered', message: found.refusal } }
    }
    const parsed = parseArguments(found.tool, request)
    requested(found.tool.title, parsed.ok ? parsed.bound.subject : '')
    if (!parsed.ok) return { failure: { code: 'invalid_arguments', message: parsed.message } }
    return { tool: found.tool, bound: parsed.bound }
  }

  async #runGroup(group: Group, signal: AbortSignal): Promise<[CallRequest, CallOutcome][]> {
    const started = performance.now()
    const context = this.#context(group, signal)
    const settle = (finish: (request: CallRequest, first: boolean) => CallOutcome): [CallRequest, CallOutcome][] =>
      group.requests.map((request, index) => [request, finish(request, index === 0)])
    try {
      const result = await this.#through(group, context)
      const ms = Math.round(performance.now() - started)
      const content = await journalContent(result.content, this.#parts.scope.blobs)
      return settle((request, first) => this.#finish(request, result, content, ms, first))
    } catch (thrown) {
      const failure = thrown instanceof CallStopped ? thrown.failure : toFailure(thrown)
      const ms = Math.round(performance.now() - started)
      const details = thrown instanceof PlumblineError ? thrown.context : undefined
      return settle((request) => this.#finishFailed(request, failure, ms, details))
    }
  }

  async #through(group: Group, context: CallContext): Promise<ToolResult> {
    let judged = await this.#judgeTargets(group, context)
    const hooked = await this.#parts.hooks.before(judged, context.signal)
    if ('deny' in hooked) throw new CallStopped({ code: 'hook_denied', message: hooked.deny })
    if (hooked.args !== undefined) {
      const changed = judged.tool.bind(hooked.args)
      if (!changed.ok)
        throw new CallStopped({
          code: 'invalid_arguments',
          message: `A hook changed the arguments. ${changed.message}`,
        })
      judged = await this.#judgeTargets({ ...group, bound: changed.call }, context)
    }
    const result = await this.#prepareAndAct(judged, hooked)
    await this.#parts.hooks.after(judged, result, context.signal)
    return capOutput(result, judged.tool.outputCharacters, this.#parts.scope, context.callId)
  }

  async #judgeTargets(group: Group, context: CallContext): Promise<JudgedCall> {
    const [request] = group.requests
    if (request === undefined) throw new PlumblineError('internal', 'A group without a call')
    const touches = await group.bound.targets(context)
    const judged = { request, context, tool: group.tool, bound: group.bound, touches }
    for (const stage of this.#parts.targetStages) {
      const verdict = await stage.check(judged)
      if ('stop' in verdict) throw new CallStopped(verdict.stop)
    }
    return judged
  }

  async #prepareAndAct(judged: JudgedCall, hooked: { allow?: boolean; ask?: string }): Promise<ToolResult> {
    let approved: string | undefined
    for (let attempt = 1; ; attempt += 1) {
      throwIfAborted(judged.context.signal)
      const prepared = await judged.bound.prepare(judged.context)
      const effective = { ...judged, prepared, hookAllows: hooked.allow === true, hookAsks: hooked.ask }
      const { touches } = judged
      this.#emitEach(judged, (call) => ({
        type: 'call.prepared',
        call,
        touches: [...touches],
        preview: prepared.preview,
      }))
      const effect = fingerprint(prepared)
      if (approved === undefined || approved !== effect) await this.#approve(effective)
      approved = effect
      throwIfAborted(judged.context.signal)
      try {
        return await withDeadline(prepared, judged.context)
      } catch (thrown) {
        if (!(thrown instanceof WorldMoved)) throw thrown
        if (attempt === PREPARE_ATTEMPTS) throw new PlumblineError('conflict', thrown.message, { cause: thrown })
      }
    }
  }

  async #approve(call: EffectiveCall): Promise<void> {
    for (const stage of this.#parts.effectStages) {
      const verdict = await stage.check(call)
      if ('stop' in verdict) throw new CallStopped(verdict.stop)
      if ('allow' in verdict) return
      if ('ask' in verdict) {
        await this.#ask(call, verdict.ask)
        return
      }
    }
  }

  async #ask(call: EffectiveCall, ask: Ask): Promise<void> {
    const { approver, grants, emit, addRule } = this.#parts
    const id = call.context.callId
    emit({ type: 'call.asked', call: id, ask })
    const reply = await approver.ask({ call: id, ask }, call.context.signal)
    emit({ type: 'call.answered', call: id, answer: reply.answer, by: reply.by, rule: reply.rule, note: reply.note })
    if (reply.answer === 'deny')
      throw new CallStopped({ code: 'permission_denied', message: denialMessage(ask, reply) })
    if (reply.answer === 'session' && ask.grant && ask.scopes.includes('session')) {
      for (const key of ask.grant.key.split('\n')) grants.add(key, ask.grant.label)
    }
    if (reply.answer === 'always' && ask.scopes.includes('always'))
      await addRule(reply.rule ?? ask.rule ?? call.tool.name)
  }

  #finish(
    request: CallRequest,
    result: ToolResult,
    content: Awaited<ReturnType<typeof journalContent>>,
    ms: number,
    first: boolean,
  ): CallOutcome {
    const { emit } = this.#parts
    if (first && result.changed && result.changed.files.length > 0) {
      emit({ type: 'files.changed', call: request.id, entry: result.changed.entry, files: result.changed.files })
    }
    emit({
      type: 'call.finished',
      call: request.id,
      ok: result.failure === undefined,
      content,
      details: journalDetails(result.details),
      error: result.failure,
      ms,
      kept: result.kept,
    })
    return {
      id: request.id,
      tool: request.tool,
      ok: result.failure === undefined,
      content: result.content,
      details: result.details,
      ...(result.failure && { error: result.failure }),
    }
  }

  #finishFailed(request: CallRequest, failure: Failure, ms: number, details: unknown = {}): CallOutcome {
    const content = [{ type: 'text' as const, text: failure.message }]
    this.#parts.emit({
      type: 'call.finished',
      call: request.id,
      ok: false,
      content,
      details: journalDetails(details),
      error: failure,
      ms,
    })
    return { id: request.id, tool: request.tool, ok: false, content, details, error: failure }
  }

  #emitEach(judged: JudgedCall, body: (call: string) => Parameters<EmitEvent>[0]): void {
    this.#parts.emit(body(judged.context.callId))
  }

  #context(group: Group, signal: AbortSignal): CallContext {
    const { scope, emit, clock } = this.#parts
    const [first] = group.requests
    const callId = first?.id ?? ''
    const deadline: Deadline = deadlineIn(group.tool.limitMs ?? UNLIMITED_MS, clock)
    return {
      session: scope,
      callId,
      parent: first?.parent,
      signal,
      deadline,
      merged: group.requests.length,
      progress: (text) => emit({ type: 'call.progress', call: callId, text }),
    }
  }
}

function mergeGroup(members: readonly Group[]): Group {
  const [first] = members
  if (first === undefined) throw new PlumblineError('internal', 'A group without a call')
  if (members.length === 1 || first.tool.merge === undefined) return first
  return {
    requests: members.flatMap((member) => member.requests),
    tool: first.tool,
    bound: first.tool.merge(members.map((member) => member.bound)),
  }
}

/** What the person said yes to, as text: a second preparation with the same text needs no second question. */
function fingerprint(prepared: PreparedCall): string {
  return JSON.stringify([prepared.preview ?? null, prepared.loses satisfies readonly Touch[]])
}

async function withDeadline(prepared: PreparedCall, context: CallContext): Promise<ToolResult> {
  const limit = AbortSignal.timeout(Math.min(context.deadline.remaining(), 2 ** 31 - 1))
  const signal = AbortSignal.any([context.signal, limit])
  try {
    return await prepared.act({ ...context, signal })
  } catch (thrown) {
    if (
      limit.aborted &&
      !context.signal.aborted &&
      (isAbort(thrown) || (thrown instanceof Error && thrown.name === 'TimeoutError'))
    )
      throw new PlumblineError('timeout', 'The call was stopped at its time limit.')
    throw thrown
  }
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new PlumblineError('aborted', 'Operation aborted')
}

function denialMessage(ask: Ask, reply: { by: string; note?: string }): string {
  const who =
    reply.by === 'nobody'
      ? 'This needs approval, and nobody is there to give it. Nothing was done.'
      : 'The person denied this. Nothing was done.'
  const note = reply.note ? `\nThe person says: ${reply.note}` : ''
  return `${who} (${ask.reason})${note}`
}
