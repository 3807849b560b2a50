import type { AssistantPart, Usage } from './content'
import type { ChangedFile } from './effects'
import type { EventOf, SessionEvent } from './events'
import {
  type CallItem,
  type ChangeSpan,
  type Item,
  itemAt,
  LIVE_OUTPUT_CHARACTERS,
  type LiveMessage,
  type NoteItem,
  PAGE_SIZE,
  type SessionState,
} from './session-state'

/**
 * Folds one event into the state. Pure: the window, replay, export and the tests share it. The cost of an event does
 * not depend on the length of the session: one page of `PAGE_SIZE` items and the list of pages are copied at most.
 */
export function reduce(state: SessionState, event: SessionEvent): SessionState {
  const next = apply(state, event)
  return isTransient(event) ? next : { ...next, lastEvent: event.id, lastAt: event.at }
}

function isTransient(event: SessionEvent): boolean {
  return event.type === 'assistant.delta' || event.type === 'call.progress'
}

function apply(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'session.opened':
      return {
        ...state,
        session: event.session,
        cwd: event.cwd,
        toolset: event.toolset,
        mode: event.mode,
        sandbox: event.sandbox,
        model: event.model,
      }
    case 'session.titled':
      return { ...state, title: event.title }
    case 'turn.started':
      return {
        ...state,
        turn: event.turn,
        running: { turn: event.turn, since: event.at },
        live: null,
        announced: {},
        turnChanges: {},
      }
    case 'turn.finished':
      return append(
        { ...state, running: null, live: null, announced: {} },
        {
          kind: 'turn-end',
          ...itemBase(state, event),
          stop: event.stop,
          usage: event.usage,
          cost: event.cost,
          ms: event.ms,
          error: event.error,
        },
      )
    case 'prompt':
      return append(
        { ...state, queue: event.entry ? state.queue.filter((queued) => queued.entry !== event.entry) : state.queue },
        { kind: 'prompt', ...itemBase(state, event), content: event.content, queued: event.queued },
      )
    case 'prompt.queued':
      return {
        ...state,
        queue: [...state.queue, { entry: event.entry, kind: event.kind, content: event.content }],
      }
    case 'prompt.removed':
      return { ...state, queue: state.queue.filter((queued) => queued.entry !== event.entry) }
    case 'assistant.delta':
      return { ...state, live: applyDelta(state.live, event) }
    case 'assistant.message':
      return append(
        {
          ...state,
          live: null,
          announced: announce(event.content),
          usage: addUsage(state.usage, event.usage),
          cost: state.cost + (event.cost ?? 0),
          contextTokens: event.usage.input + event.usage.output,
        },
        {
          kind: 'message',
          ...itemBase(state, event),
          model: event.model,
          content: event.content,
          usage: event.usage,
          cost: event.cost,
          stop: event.stop,
          ms: event.ms,
        },
      )
    case 'call.requested':
      return request(state, event)
    case 'call.prepared':
      return updateCall(state, event.call, (item) => ({
        ...item,
        // A question that is open, or that was answered with no, outlives another preparation.
        state: item.state === 'asking' || item.state === 'denied' ? item.state : 'running',
        touches: event.touches,
        preview: event.preview,
      }))
    case 'call.asked':
      if (own(state.open, event.call) === undefined) return state
      return {
        ...updateCall(state, event.call, (item) => ({ ...item, state: 'asking', ask: event.ask })),
        waiting: [...state.waiting.filter((call) => call !== event.call), event.call],
      }
    case 'call.answered':
      return {
        ...updateCall(state, event.call, (item) => ({
          ...item,
          state: event.answer === 'deny' ? 'denied' : 'running',
          answer: event.answer,
          answeredBy: event.by,
          note: event.note,
        })),
        waiting: state.waiting.filter((call) => call !== event.call),
      }
    case 'call.progress':
      return updateCall(state, event.call, (item) => ({
        ...item,
        output: (item.output + event.text).slice(-LIVE_OUTPUT_CHARACTERS),
      }))
    case 'call.finished':
      return settle(state, event)
    case 'files.changed':
      return {
        ...(event.call === null
          ? state
          : updateCall(state, event.call, (item) => ({ ...item, files: [...(item.files ?? []), ...event.files] }))),
        turnChanges: mergeChanges(state.turnChanges, event.files),
        sessionChanges: mergeChanges(state.sessionChanges, event.files),
      }
    case 'files.restored':
      return appendNote(
        {
          ...state,
          turnChanges: mergeChanges(state.turnChanges, event.files),
          sessionChanges: mergeChanges(state.sessionChanges, event.files),
        },
        event,
        'info',
        'restored',
        `Restored ${event.files.map((file) => file.path).join(', ')}`,
      )
    case 'mode.changed':
      return appendNote({ ...state, mode: event.mode }, event, 'info', 'setting', `Mode is now ${event.mode}`)
    case 'toolset.changed':
      return appendNote(
        { ...state, toolset: event.toolset },
        event,
        'info',
        'setting',
        `Toolset is now ${event.toolset}`,
      )
    case 'model.changed':
      return appendNote({ ...state, model: event.model }, event, 'info', 'setting', `Model is now ${event.model}`)
    case 'provider.retried':
      return appendNote(
        state,
        event,
        'warn',
        'retry',
        `${event.error.message} Try ${event.attempt} of ${event.of} in ${Math.round(event.delayMs / 100) / 10} s.`,
      )
    case 'compacted':
      return appendNote(state, event, 'info', 'compacted', event.summary)
    case 'reminder.injected':
      return appendNote(state, event, 'info', 'reminder', event.text)
    case 'notice':
      return appendNote(state, event, event.level, 'notice', event.text)
    case 'failed':
      return interrupt(state, event)
  }
}

function itemBase(state: SessionState, event: SessionEvent): { id: string; at: number; turn: number } {
  return { id: event.id, at: event.at, turn: state.turn }
}

function append(state: SessionState, item: Item): SessionState {
  const index = Math.floor(state.length / PAGE_SIZE)
  const pages = state.pages.slice()
  pages[index] = [...(pages[index] ?? []), item]
  return { ...state, pages, length: state.length + 1 }
}

function appendNote(
  state: SessionState,
  event: SessionEvent,
  level: NoteItem['level'],
  source: NoteItem['source'],
  text: string,
): SessionState {
  return append(state, { kind: 'note', ...itemBase(state, event), level, source, text })
}

/** A call may be named like a member of every object. */
function own<Value>(record: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined
}

function announce(content: readonly AssistantPart[]): NonNullable<SessionState['announced']> {
  return Object.fromEntries(
    content.flatMap((part) => (part.type === 'call' ? [[part.call, { args: part.args, blob: part.blob }]] : [])),
  )
}

function request(state: SessionState, event: EventOf<'call.requested'>): SessionState {
  const { [event.call]: _requested, ...announced } = state.announced ?? {}
  const said = event.args === '' && event.blob === undefined ? own(state.announced, event.call) : undefined
  return append(
    { ...state, announced, open: { ...state.open, [event.call]: state.length } },
    {
      kind: 'call',
      ...itemBase(state, event),
      call: event.call,
      parentCall: event.parentCall,
      tool: event.tool,
      title: event.title,
      subject: event.subject,
      args: said?.args ?? event.args,
      blob: said?.blob ?? event.blob,
      state: 'requested',
      output: '',
    },
  )
}

function updateCall(state: SessionState, call: string, change: (item: CallItem) => CallItem): SessionState {
  const at = own(state.open, call)
  if (at === undefined) return state
  const item = itemAt(state, at)
  if (item?.kind !== 'call') return state
  const pages = state.pages.slice()
  const index = Math.floor(at / PAGE_SIZE)
  const page = (pages[index] ?? []).slice()
  page[at % PAGE_SIZE] = change(item)
  pages[index] = page
  return { ...state, pages }
}

function close(state: SessionState, call: string): SessionState {
  const { [call]: _closed, ...open } = state.open
  return { ...state, open, waiting: state.waiting.filter((waiting) => waiting !== call) }
}

function settle(state: SessionState, event: EventOf<'call.finished'>): SessionState {
  const settled = updateCall(state, event.call, (item) => ({
    ...item,
    state: item.state === 'denied' ? 'denied' : event.ok ? 'done' : 'failed',
    output: '',
    content: event.content,
    details: event.details,
    error: event.error,
    ms: event.ms,
    kept: event.kept,
  }))
  return close(settled, event.call)
}

function interrupt(state: SessionState, event: EventOf<'failed'>): SessionState {
  if (event.what === 'call' && event.call !== undefined) {
    const settled = updateCall(state, event.call, (item) => ({ ...item, state: 'interrupted', error: event.error }))
    return close(settled, event.call)
  }
  return appendNote({ ...state, running: null, live: null }, event, 'error', 'interrupted', event.error.message)
}

function applyDelta(live: LiveMessage | null, delta: EventOf<'assistant.delta'>): LiveMessage {
  const before: LiveMessage = live === null || delta.restart ? { text: '', reasoning: '', calls: [] } : live
  return {
    text: delta.text === undefined ? before.text : before.text + delta.text,
    reasoning: delta.reasoning === undefined ? before.reasoning : before.reasoning + delta.reasoning,
    calls: delta.call === undefined ? before.calls : growCall(before.calls, delta.call),
  }
}

function growCall(calls: LiveMessage['calls'], piece: LiveMessage['calls'][number]): LiveMessage['calls'] {
  const known = calls.some((call) => call.call === piece.call)
  if (!known) return [...calls, piece]
  return calls.map((call) => (call.call === piece.call ? { ...call, args: call.args + piece.args } : call))
}

/** Adds two counts of tokens. */
export function addUsage(left: Usage, right: Usage): Usage {
  return {
    input: left.input + right.input,
    output: left.output + right.output,
    cachedInput: (left.cachedInput ?? 0) + (right.cachedInput ?? 0),
    reasoning: (left.reasoning ?? 0) + (right.reasoning ?? 0),
  }
}

function mergeChanges(span: ChangeSpan, files: readonly ChangedFile[]): ChangeSpan {
  // A map, since a file may be named like a member of every object.
  const merged = new Map(Object.entries(span))
  for (const file of files) {
    const origin = file.from !== undefined && merged.has(file.from) ? file.from : file.path
    const first = merged.get(origin)
    if (origin !== file.path) merged.delete(origin)
    const before = first === undefined ? file.before : first.before
    if (before === null && file.after === null) merged.delete(file.path)
    else if (before !== null && before.id === file.after?.id && file.kind !== 'renamed') merged.delete(file.path)
    else merged.set(file.path, combine(first, file, before))
  }
  return Object.fromEntries(merged)
}

function combine(first: ChangedFile | undefined, file: ChangedFile, before: ChangedFile['before']): ChangedFile {
  if (first === undefined) return file
  const kind =
    before === null ? 'added' : file.after === null ? 'deleted' : file.kind === 'added' ? 'modified' : file.kind
  // Line counts of several changes of one file are summed until the diff itself is computed for display.
  return { ...file, kind, before, added: first.added + file.added, removed: first.removed + file.removed }
}
