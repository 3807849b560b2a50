import type { EventBody, SessionEvent } from '../../preload/contract/events'
import { reduce } from '../../preload/contract/reduce'
import { emptySessionState, type SessionState } from '../../preload/contract/session-state'

const blob = (letter: string) => ({ id: letter.repeat(64), bytes: 1200 })
let eventCount = 0
let parent: string | null = null

/** Gives a body its id, parent and time, as a session does. */
export function eventAt(at: number, body: EventBody): SessionEvent {
  eventCount += 1
  const id = `e_${eventCount.toString(36).padStart(8, '0')}`
  const event = { ...body, id, parent, at } as SessionEvent
  parent = id
  return event
}

/** Folds bodies, one second apart, ending at `until`. */
export function foldBodies(bodies: readonly EventBody[], until: number): SessionState {
  const from = until - bodies.length * 1000
  return bodies.reduce((state, body, index) => reduce(state, eventAt(from + index * 1000, body)), emptySessionState)
}

export const opened = (session: string): EventBody => ({
  type: 'session.opened',
  version: 1,
  session,
  cwd: '/home/ada/code/harbor',
  toolset: 'plumbline',
  mode: 'ask',
  sandbox: 'guarded',
  model: 'work:coder-large',
})

const text = (value: string) => [{ type: 'text' as const, text: value }]

export const promptOf = (value: string): EventBody => ({ type: 'prompt', content: text(value) })

export const messageOf = (value: string, reasoning?: string): EventBody => ({
  type: 'assistant.message',
  model: 'work:coder-large',
  content: [...(reasoning === undefined ? [] : [{ type: 'reasoning' as const, text: reasoning }]), ...text(value)],
  usage: { input: 31_000, output: 412, cachedInput: 22_000 },
  cost: 0.034,
  stop: 'calls',
  ms: 6100,
})

/** A call from its request to its end. */
export function callOf(
  call: string,
  tool: string,
  title: string,
  subject: string,
  answer: string,
  extra: { ok?: boolean; details?: { exitCode: number }; code?: 'command_failed' | 'stale_tag'; ms?: number } = {},
): EventBody[] {
  const ok = extra.ok ?? true
  return [
    { type: 'call.requested', call, tool, title, subject, args: JSON.stringify({ subject }) },
    { type: 'call.prepared', call, touches: [] },
    {
      type: 'call.finished',
      call,
      ok,
      content: text(answer),
      ms: extra.ms ?? 19,
      ...(extra.details === undefined ? {} : { details: extra.details }),
      ...(ok ? {} : { error: { code: extra.code ?? ('command_failed' as const), message: `${title} failed` } }),
    },
  ]
}

const failedTest = `\u001b[31m✗\u001b[0m retry › caps total wait at 60 s
  \u001b[31mAssertionError: expected 64000 to be ≤ 60000\u001b[0m
   \u001b[90mat test/retry.test.ts:58:24\u001b[0m`

const answerText = `The queue now takes the larger of the header and its own back-off, and gives up once the sum would pass 60 s:

- \`delayFor\` parses both forms of Retry-After, seconds and HTTP date.
- The cap counts time already slept, which is what the failing test caught: 64 s was the sum.

\`\`\`ts
export function delayFor(res: Response, slept: number): number {
  const header = res.headers.get('retry-after') // seconds or a date
  const asked = header === null ? 0 : parseRetryAfter(header)
  return Math.min(Math.max(asked, BACKOFF), CAP_MS - slept)
}
\`\`\`

| case | before | after |
| --- | --- | --- |
| 429 with header | 250 ms | header |
| 429 without | 250 ms | back-off |

See [RFC 9110](https://www.rfc-editor.org/rfc/rfc9110#field.retry-after) for both forms.`

/** A turn in the middle of its work: every kind of call, two requests, a running command. */
export function busyBodies(session: string): EventBody[] {
  return [
    opened(session),
    { type: 'session.titled', title: 'Honour Retry-After in the queue', by: 'app' },
    { type: 'turn.started', turn: 6, model: 'work:coder-large' },
    promptOf(
      'Retries hammer the API after a 429. Honour Retry-After, cap the total wait at 60 s, and cover it with tests.',
    ),
    messageOf(
      'The spike lines up with `runJob` retrying on a fixed delay. I’ll read the queue first, then look for other callers.',
      'Let me look at the queue. The retry is on a fixed delay.',
    ),
    ...callOf('c1', 'read', 'Read', 'src/queue/retry.ts, src/queue/backoff.ts', 'line\n'.repeat(212), { ms: 8 }),
    ...callOf(
      'c2',
      'grep',
      'Grep',
      'retryAfter|Retry-After',
      'src/http/client.ts:88: const ra = res.headers.get("retry-after")\nsrc/queue/retry.ts:31: // honour Retry-After',
    ),
    { type: 'call.requested', call: 'c3', tool: 'edit', title: 'Edit', subject: 'src/queue/backoff.ts', args: '{}' },
    { type: 'call.prepared', call: 'c3', touches: [] },
    {
      type: 'files.changed',
      call: 'c3',
      entry: 'u1',
      files: [
        { path: 'src/queue/backoff.ts', kind: 'modified', before: blob('a'), after: blob('b'), added: 2, removed: 1 },
      ],
    },
    { type: 'call.finished', call: 'c3', ok: true, content: text('Edited'), ms: 11 },
    ...callOf('c4', 'bash', 'Bash', 'npm test -- retry', failedTest, { ok: false, details: { exitCode: 1 }, ms: 3400 }),
    {
      type: 'call.requested',
      call: 'c5',
      tool: 'fetch',
      title: 'Fetch',
      subject: 'status.example.net/history',
      args: '{}',
    },
    {
      type: 'call.asked',
      call: 'c5',
      ask: { question: 'Fetch status.example.net?', reason: 'mode ask', stage: 'mode', scopes: ['once', 'deny'] },
    },
    {
      type: 'call.answered',
      call: 'c5',
      answer: 'deny',
      by: 'person',
      note: 'the outage page is not needed, the graph is enough.',
    },
    {
      type: 'call.finished',
      call: 'c5',
      ok: false,
      content: text('Denied'),
      error: { code: 'permission_denied', message: 'Denied by the person' },
      ms: 4000,
    },
    {
      type: 'call.requested',
      call: 'c6',
      tool: 'bash',
      title: 'Bash',
      subject: 'npm run bench -- queue --watch',
      args: '{"command":"npm run bench"}',
    },
    { type: 'call.prepared', call: 'c6', touches: [] },
    {
      type: 'call.progress',
      call: 'c6',
      text: '\u001b[90mwarm-up\u001b[0m  200 jobs   \u001b[32mok\u001b[0m\n\u001b[90mround 3\u001b[0m  5,000 jobs \u001b[32mp50 1.9 ms\u001b[0m  p95 4.2 ms\n',
    },
    { type: 'call.requested', call: 'c7', tool: 'edit', title: 'Edit', subject: 'test/retry.test.ts', args: '{}' },
    {
      type: 'call.prepared',
      call: 'c7',
      touches: [],
      preview: {
        kind: 'diff',
        files: [
          { path: 'test/retry.test.ts', kind: 'modified', before: blob('c'), after: blob('d'), added: 3, removed: 1 },
        ],
      },
    },
    {
      type: 'call.asked',
      call: 'c7',
      ask: {
        question: 'Edit test/retry.test.ts? +3 −1',
        reason: 'mode ask',
        stage: 'mode',
        scopes: ['once', 'session', 'always', 'deny'],
        grant: { key: 'edit:test/retry.test.ts', label: 'For this file, this session' },
        rule: 'edit(test/**)',
      },
    },
    { type: 'call.requested', call: 'c8', tool: 'bash', title: 'Bash', subject: 'rm -rf dist .cache/tsc', args: '{}' },
    {
      type: 'call.prepared',
      call: 'c8',
      touches: [],
      preview: {
        kind: 'command',
        line: 'rm -rf dist .cache/tsc',
        cwd: '/home/ada/code/harbor',
        tier: 'guarded',
        loses: ['dist/notes.md', 'dist/', '.cache/tsc/'],
        losesTotal: 214,
      },
    },
    {
      type: 'call.asked',
      call: 'c8',
      ask: {
        question: 'Delete 2 folders, 214 files (6.1 MB)?',
        reason: 'destructive',
        stage: 'destructive',
        scopes: ['once', 'deny'],
        harm: true,
      },
    },
    {
      type: 'prompt.queued',
      entry: 'q1',
      kind: 'steer',
      content: text('Keep the public signature of runJob as it is'),
    },
    {
      type: 'prompt.queued',
      entry: 'q2',
      kind: 'follow-up',
      content: text('Then add a line to CHANGELOG.md under Unreleased'),
    },
  ]
}

/** A finished turn with Markdown of every kind. */
export function doneBodies(session: string): EventBody[] {
  return [
    opened(session),
    { type: 'session.titled', title: 'Why is cold start 900 ms?', by: 'app' },
    { type: 'turn.started', turn: 1, model: 'work:coder-large' },
    promptOf('Why do retries not stop?'),
    messageOf(answerText),
    ...callOf('d1', 'bash', 'Bash', 'npm test', '\u001b[32m✓\u001b[0m 12 passed', { ms: 2100 }),
    { type: 'turn.finished', turn: 1, stop: 'done', usage: { input: 31_000, output: 900 }, cost: 0.21, ms: 118_000 },
    { type: 'mode.changed', mode: 'accept-edits' },
    { type: 'compacted', summary: 'The person asked about retries.', upTo: 'e_00000001' },
  ]
}

/** A turn that failed at the provider after retries. */
export function failedBodies(session: string): EventBody[] {
  return [
    opened(session),
    { type: 'session.titled', title: 'Port worker pool to utility process', by: 'app' },
    { type: 'turn.started', turn: 1, model: 'work:coder-large' },
    promptOf('Port the worker pool.'),
    {
      type: 'provider.retried',
      attempt: 2,
      of: 3,
      delayMs: 12_000,
      error: { code: 'provider_rate_limited', message: 'work answers 429.' },
    },
    {
      type: 'provider.retried',
      attempt: 3,
      of: 3,
      delayMs: 24_000,
      error: { code: 'provider_unavailable', message: 'work answers 529.' },
    },
    {
      type: 'turn.finished',
      turn: 1,
      stop: 'failed',
      usage: { input: 0, output: 0 },
      ms: 41_000,
      error: { code: 'provider_unavailable', message: 'No answer from work after 3 tries' },
    },
  ]
}

/** Turns of five items each, `items` in all. */
export function longBodies(session: string, items: number): EventBody[] {
  const bodies: EventBody[] = [opened(session), { type: 'session.titled', title: 'A long one', by: 'app' }]
  for (let turn = 1; turn <= items / 5; turn += 1) {
    bodies.push({ type: 'turn.started', turn, model: 'work:coder-large' })
    bodies.push(promptOf(`Question ${turn}: what does module ${turn} do, and who calls it?`))
    bodies.push(
      messageOf(`Module ${turn} holds \`part${turn}\`.\n\n${'It is called from several places. '.repeat(turn % 7)}`),
    )
    bodies.push(...callOf(`l${turn}a`, 'read', 'Read', `src/part-${turn}.ts`, 'x\n'.repeat(turn % 90)))
    bodies.push(...callOf(`l${turn}b`, 'grep', 'Grep', `part${turn}`, 'none'))
    bodies.push({ type: 'turn.finished', turn, stop: 'done', usage: { input: 900, output: 90 }, ms: 2000 + turn })
  }
  return bodies
}

export { answerText }
