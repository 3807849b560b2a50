import { randomBytes } from 'node:crypto'
import type { SessionId } from '../../preload/contract/ids'
import { type Clock, systemClock } from '../platform/clock'
import type { Disposer } from '../platform/disposer'
import { PlumblineError } from '../platform/errors'
import type { Outcome, SupervisedProcess } from './supervised-process'

/** Tasks of one session that live at a time. */
const MAX_LIVE = 32

/** Ended tasks of one session whose output can still be read; older ones are forgotten. */
const MAX_ENDED = 100

export type TaskState = 'registered' | 'running' | 'paused' | 'stopping' | 'completed' | 'failed' | 'stopped'

/** A task as people and models see it. */
export interface TaskView {
  readonly id: string
  readonly session: SessionId
  readonly type: 'shell' | 'manual'
  /** The command, or what was registered. */
  readonly title: string
  readonly state: TaskState
  readonly startedAt: number
  /** Milliseconds it ran, or has run so far. */
  readonly ms: number
  readonly exitCode: number | null
  readonly signal: string | null
  /** The whole output on disk, once it had to be kept. */
  readonly outputPath?: string
  readonly notes: readonly string[]
}

/** What a request to stop came to. It ended for certain only when execution is settled and cleanup reaped. */
export interface KillReceipt {
  readonly taskId: string
  readonly decision: 'cancellation-requested' | 'already-settled'
  readonly execution: {
    readonly kind: 'running' | 'settled'
    readonly state: TaskState
    readonly exitCode?: number
    readonly signal?: string
  }
  readonly cleanup: { readonly kind: 'pending' | 'reaped' }
}

interface Task {
  readonly id: string
  readonly session: SessionId
  readonly type: 'shell' | 'manual'
  readonly title: string
  state: TaskState
  readonly startedAt: number
  endedAt: number | undefined
  readonly process: SupervisedProcess | undefined
  outcome: Outcome | undefined
  decision: KillReceipt['decision'] | undefined
  readonly notes: string[]
}

/**
 * Commands that run on while the conversation goes on (TASK rows, SHELL-22 to SHELL-25). Running and watching are
 * separate: waiting never stops a task. Ids belong to their session; another session's ids are unknown.
 */
export class BackgroundTasks {
  readonly #clock: Clock
  readonly #tasks = new Map<string, Task>()
  readonly #listeners = new Set<(task: TaskView) => void>()

  constructor(options: { clock?: Clock } = {}) {
    this.#clock = options.clock ?? systemClock
  }

  /** Throws `limit_exceeded` where the session has 32 live tasks already. To be asked before something is started. */
  requireRoom(session: SessionId): void {
    const live = this.#of(session).filter((task) => !isOver(task.state)).length
    if (live >= MAX_LIVE) {
      throw new PlumblineError('limit_exceeded', `${MAX_LIVE} background tasks are running already. Stop one first.`)
    }
  }

  /** Takes a running process over: from now on it is the session's task. */
  adopt(session: SessionId, title: string, process: SupervisedProcess): TaskView {
    const task = this.#add(session, 'shell', title, 'running', process)
    void process.finished.then((outcome) => this.#settle(task, outcome))
    return this.#view(task)
  }

  /** An entry without a process, for work that is done elsewhere. */
  register(session: SessionId, title: string): TaskView {
    this.requireRoom(session)
    return this.#view(this.#add(session, 'manual', title, 'registered', undefined))
  }

  list(session: SessionId): TaskView[] {
    return this.#of(session).map((task) => this.#view(task))
  }

  /** Throws `not_found`, naming the id, for what is not this session's task. */
  get(session: SessionId, id: string): TaskView {
    return this.#view(this.#find(session, id))
  }

  /** The last lines of the output so far, and how many lines there are in all. */
  output(session: SessionId, id: string, lines: number): { text: string; total: number } {
    const task = this.#find(session, id)
    const snapshot = task.outcome?.output ?? task.process?.snapshot()
    if (snapshot === undefined) return { text: '', total: 0 }
    const end = (snapshot.complete ? snapshot.head : snapshot.tail).replace(/\n$/, '')
    return { text: end.split('\n').slice(-lines).join('\n'), total: snapshot.lines }
  }

  /** Resolves when the task has ended or the time is over, whichever is first; the task is left alone. */
  async wait(session: SessionId, id: string, ms: number, signal: AbortSignal): Promise<TaskView> {
    const task = this.#find(session, id)
    if (task.process !== undefined && !isOver(task.state)) {
      const enough = new AbortController()
      const both = AbortSignal.any([signal, enough.signal])
      await Promise.race([task.process.finished, this.#clock.sleep(ms, both).catch(() => undefined)])
      enough.abort()
      // The end is noted one step after it came.
      await Promise.resolve()
    }
    if (signal.aborted) throw new PlumblineError('aborted', 'Operation aborted')
    return this.#view(task)
  }

  /**
   * Stops a task with everything it started. A task that had ended keeps its outcome and gets no signal; asking again
   * gives the first decision again (S23).
   */
  async stop(session: SessionId, id: string): Promise<KillReceipt> {
    const task = this.#find(session, id)
    task.decision ??= isOver(task.state) ? 'already-settled' : 'cancellation-requested'
    if (!isOver(task.state)) {
      task.state = 'stopping'
      if (task.process === undefined) this.#end(task, 'stopped')
      else await task.process.stop('stopped').then((outcome) => this.#settle(task, outcome))
    }
    return this.#receipt(task, task.decision)
  }

  /** One step of a task's life by hand. Throws `invalid_arguments`: `Invalid transition FROM → VERB`. */
  async update(
    session: SessionId,
    id: string,
    verb: 'start' | 'pause' | 'resume' | 'complete' | 'fail' | 'kill' | 'notify',
    note?: string,
  ): Promise<TaskView> {
    const task = this.#find(session, id)
    if (note !== undefined) task.notes.push(note)
    if (verb === 'kill') await this.stop(session, id)
    else if (verb !== 'notify') await this.#step(task, verb)
    return this.#view(task)
  }

  /** Called once for each task, when it has ended. */
  onEnd(listener: (task: TaskView) => void): Disposer {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Ends and forgets what a session has; nobody is told. */
  async closeSession(session: SessionId): Promise<void> {
    const tasks = this.#of(session)
    for (const task of tasks) this.#tasks.delete(task.id)
    await Promise.all(tasks.map((task) => task.process?.stop('stopped', CLOSE_GRACE_MS)))
  }

  async dispose(): Promise<void> {
    this.#listeners.clear()
    await Promise.all(
      [...new Set([...this.#tasks.values()].map((task) => task.session))].map((each) => this.closeSession(each)),
    )
  }

  async #step(task: Task, verb: 'start' | 'pause' | 'resume' | 'complete' | 'fail'): Promise<void> {
    const from = STEPS[verb].from
    const own = task.process !== undefined && (verb === 'complete' || verb === 'fail' || verb === 'start')
    if (!from.includes(task.state) || own) {
      throw new PlumblineError('invalid_arguments', `Invalid transition ${task.state} → ${verb}`)
    }
    if ((verb === 'pause' || verb === 'resume') && task.process !== undefined) {
      if (process.platform === 'win32') throw new PlumblineError('not_supported', 'Windows can not pause a process.')
      await task.process.pause(verb === 'pause')
    }
    if (verb === 'complete' || verb === 'fail') this.#end(task, STEPS[verb].to)
    else task.state = STEPS[verb].to
  }

  #add(
    session: SessionId,
    type: Task['type'],
    title: string,
    state: TaskState,
    process: SupervisedProcess | undefined,
  ): Task {
    const task: Task = {
      id: taskId(),
      session,
      type,
      title,
      state,
      startedAt: this.#clock.now(),
      endedAt: undefined,
      process,
      outcome: undefined,
      decision: undefined,
      notes: [],
    }
    this.#tasks.set(task.id, task)
    const ended = this.#of(session).filter((each) => isOver(each.state))
    for (const old of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) this.#tasks.delete(old.id)
    return task
  }

  #settle(task: Task, outcome: Outcome): void {
    if (isOver(task.state)) return
    task.outcome = outcome
    if (outcome.ended === 'stopped' || outcome.ended === 'aborted') this.#end(task, 'stopped')
    else this.#end(task, outcome.ended === 'exited' && outcome.exitCode === 0 ? 'completed' : 'failed')
  }

  #end(task: Task, state: TaskState): void {
    task.state = state
    task.endedAt = this.#clock.now()
    if (!this.#tasks.has(task.id)) return
    for (const listener of this.#listeners) listener(this.#view(task))
  }

  #of(session: SessionId): Task[] {
    return [...this.#tasks.values()].filter((task) => task.session === session)
  }

  #find(session: SessionId, id: string): Task {
    const task = this.#tasks.get(id)
    if (task === undefined || task.session !== session) {
      throw new PlumblineError('not_found', `There is no background task ${id} in this session.`)
    }
    return task
  }

  #receipt(task: Task, decision: KillReceipt['decision']): KillReceipt {
    const over = isOver(task.state)
    return {
      taskId: task.id,
      decision,
      execution: {
        kind: over ? 'settled' : 'running',
        state: task.state,
        ...(task.outcome?.exitCode != null && { exitCode: task.outcome.exitCode }),
        ...(task.outcome?.signal != null && { signal: task.outcome.signal }),
      },
      cleanup: { kind: over ? 'reaped' : 'pending' },
    }
  }

  #view(task: Task): TaskView {
    return {
      id: task.id,
      session: task.session,
      type: task.type,
      title: task.title,
      state: task.state,
      startedAt: task.startedAt,
      ms: (task.endedAt ?? this.#clock.now()) - task.startedAt,
      exitCode: task.outcome?.exitCode ?? null,
      signal: task.outcome?.signal ?? null,
      ...(task.outcome?.kept && { outputPath: task.outcome.kept.path }),
      notes: [...task.notes],
    }
  }
}

/** When a session closes, its tasks have this long between TERM and KILL, in milliseconds. */
const CLOSE_GRACE_MS = 1_000

const STEPS: Readonly<
  Record<'start' | 'pause' | 'resume' | 'complete' | 'fail', { from: readonly TaskState[]; to: TaskState }>
> = {
  start: { from: ['registered'], to: 'running' },
  pause: { from: ['running'], to: 'paused' },
  resume: { from: ['paused'], to: 'running' },
  complete: { from: ['running'], to: 'completed' },
  fail: { from: ['running', 'paused', 'registered'], to: 'failed' },
}

function isOver(state: TaskState): boolean {
  return state === 'completed' || state === 'failed' || state === 'stopped'
}

/** `t_` and eight letters and digits that are not mistaken for one another. */
function taskId(): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
  return `t_${[...randomBytes(8)].map((byte) => alphabet[byte % 32] ?? 'a').join('')}`
}
