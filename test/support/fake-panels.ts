import type { Contract } from '../../preload/contract'
import type { DiffContent, ReviewedDiff } from '../../preload/contract/changes'
import type { ChangedFile } from '../../preload/contract/effects'
import type { PermissionEntry } from '../../preload/contract/permissions'
import type { Bridge, Envelope } from '../../preload/contract/rpc'
import type { TerminalInfo, TerminalOutput } from '../../preload/contract/terminal'

type Domains = Bridge<Contract>

const ok = <Value>(value: Value): Promise<Envelope<Value>> => Promise.resolve({ ok: true, value })
const blob = (letter: string) => ({ id: letter.repeat(64), bytes: 1200 })

const retryBefore = `import type { Job } from './job'
import { call } from '../http/client'
import { sleep } from './sleep'

${Array.from({ length: 20 }, (_value, index) => `const setting${index} = ${index}`).join('\n')}

export async function runJob(
  job: Job, opts: RunOpts,
) {
  let n = 0
  for (;;) {
    const res = await call(job)
    if (res.ok) return res
    // retries on a fixed delay
    await sleep(DELAY)
  }
}

${Array.from({ length: 36 }, (_value, index) => `export const limit${index} = "${index} ms"`).join('\n')}

function gaveUp(job: Job) {
  log.warn('gave up', job.id)
  return { ok: false }
}
`
const retryAfter = retryBefore
  .replace("import { sleep } from './sleep'", "import { delayFor } from './retry-after'")
  .replace(') {\n  let n = 0', '): Promise<JobResult> {\n  let tries = 0\n  let slept = 0 // ms, across all tries')
  .replace(
    '    if (res.ok) return res\n    // retries on a fixed delay\n    await sleep(DELAY)\n',
    '    if (res.ok) return done(res)\n    const ms = delayFor(res, tries)\n    if (slept + ms > CAP_MS) return gaveUp(job, slept)\n    await opts.clock.sleep(ms)\n    slept += ms\n    tries += 1\n',
  )
  .replace('gaveUp(job: Job) {', 'gaveUp(job: Job, slept: number) {')

function changed(path: string, kind: ChangedFile['kind'], added: number, removed: number): ChangedFile {
  return {
    path,
    kind,
    added,
    removed,
    before: kind === 'added' ? null : blob('a'),
    after: kind === 'deleted' ? null : blob('b'),
  }
}

const files = [
  changed('src/queue/retry.ts', 'modified', 12, 7),
  changed('src/queue/backoff.ts', 'modified', 2, 1),
  changed('src/http/client.ts', 'modified', 7, 6),
  changed('src/queue/retry-after.ts', 'added', 38, 0),
  changed('packages/a-rather-long-name/src/components/with-a-deep-folder/test/retry.test.ts', 'modified', 44, 8),
  changed('src/queue/sleep.ts', 'deleted', 0, 12),
  changed('docs/graph.png', 'modified', 0, 0),
  changed('dist/bundle.js', 'modified', 41_000, 12),
]

function diffOf(path: string): DiffContent {
  const file = files.find((candidate) => candidate.path === path) ?? changed(path, 'modified', 1, 1)
  if (path.endsWith('.png'))
    return { file, before: null, after: null, notice: 'Binary file, 212 KB before, 198 KB after.' }
  if (path.endsWith('bundle.js')) {
    const line = (index: number) => `var part${index} = function () { return ${index} }`
    const lines = Array.from({ length: 42_000 }, (_value, index) => line(index))
    return { file, before: lines.slice(0, 1000).join('\n'), after: lines.join('\n'), notice: null }
  }
  return {
    file,
    before: file.kind === 'added' ? null : retryBefore,
    after: file.kind === 'deleted' ? null : retryAfter,
    notice: null,
  }
}

const testBefore = `it('retries on 429', async () => {
  await run(job, { tries: 3 })
  expect(calls).toBe(3)
})
`
const testAfter = `it('retries on 429', async () => {
  const clock = fakeClock()
  await run(job, { tries: 3, clock })
  expect(clock.slept).toBe(7_000)
  expect(calls).toBe(3)
})
`

const marks = new Map<string, 'open' | 'reviewed' | 'accepted'>()

function reviewedOf(content: DiffContent): ReviewedDiff {
  const hunks = [
    { id: 'h1', before: { from: 3, count: 1 }, after: { from: 3, count: 1 } },
    { id: 'h2', before: { from: 28, count: 2 }, after: { from: 28, count: 3 } },
  ]
  return {
    ...content,
    hunks: hunks.map((hunk) => ({ ...hunk, state: marks.get(hunk.id) ?? 'open' })),
    version: 'a'.repeat(64),
    outside: false,
  }
}

export const fakeChanges: Domains['changes'] = {
  list: ({ scope }) => ok(scope === 'turn' ? files.slice(0, 3) : scope === 'session' ? files : []),
  diff: ({ path }) => ok(reviewedOf(diffOf(path))),
  pending: ({ call }) => {
    if (call === 'c7') {
      return ok([
        { file: changed('test/retry.test.ts', 'modified', 3, 1), before: testBefore, after: testAfter, notice: null },
      ])
    }
    return ok([diffOf('src/queue/retry.ts'), diffOf('src/queue/retry-after.ts'), diffOf('docs/graph.png')])
  },
  mark: ({ hunks, state }) => {
    for (const id of hunks) marks.set(id, state)
    return ok(undefined)
  },
  acceptRest: () => ok(0),
  reject: () => ok(undefined),
  putBack: () => ok(undefined),
  save: () => ok(undefined),
  comments: () => ok([]),
  comment: ({ path, line, text }) => ok({ id: 'e_1', path, line, text, entry: 'q_1' }),
  removeComment: () => ok(undefined),
  undo: () => ok({ what: 'Edit', files: ['src/queue/retry.ts'] }),
  redo: () => ok({ what: 'Edit', files: ['src/queue/retry.ts'] }),
}

const prompt = '\u001b[32m~/code/harbor\u001b[0m \u001b[34mretry-after\u001b[0m $ '
const shellStart = `${prompt}git status --short\r\n \u001b[33mM\u001b[0m src/http/client.ts\r\n \u001b[33mM\u001b[0m src/queue/backoff.ts\r\n\u001b[32m??\u001b[0m src/queue/retry-after.ts\r\n${prompt}npm test -- backoff\r\n \u001b[32m✓\u001b[0m backoff › doubles up to the cap   \u001b[90m2 ms\u001b[0m\r\n\r\n Tests  \u001b[32m2 passed\u001b[0m  Time  0.61 s\r\n${prompt}`

/** A shell that answers with what is typed; `exit` ends it. */
export function fakeTerminals(): Domains['terminal'] {
  const infos: TerminalInfo[] = []
  const listeners = new Map<string, (item: TerminalOutput) => void>()
  const typed = new Map<string, string>()
  return {
    create: ({ session }) => {
      const info = { id: `t_${String(infos.length).padStart(4, '0')}`, session, title: 'zsh', alive: true }
      infos.push(info)
      return ok(info)
    },
    list: () => ok([...infos]),
    output: ({ terminal }, listener) => {
      listeners.set(terminal, listener)
      setTimeout(() => listener({ type: 'data', data: shellStart }), 20)
      return () => listeners.delete(terminal)
    },
    write: ({ terminal, data }) => {
      const send = listeners.get(terminal)
      const line = (typed.get(terminal) ?? '') + data
      typed.set(terminal, line)
      send?.({ type: 'data', data: data.replaceAll('\r', '\r\n') })
      if (line.endsWith('exit\r')) {
        const info = infos.findIndex((candidate) => candidate.id === terminal)
        const known = infos[info]
        if (known !== undefined) infos[info] = { ...known, alive: false }
        send?.({ type: 'exit', exitCode: 0, signal: null })
      } else if (data.endsWith('\r')) send?.({ type: 'data', data: prompt })
      return ok(undefined)
    },
    resize: () => ok(undefined),
    close: ({ terminal }) => {
      const at = infos.findIndex((candidate) => candidate.id === terminal)
      if (at !== -1) infos.splice(at, 1)
      return ok(undefined)
    },
  }
}

export function fakeSettings(): Domains['settings'] {
  let values = { theme: 'system', toolset: 'plumbline', mode: 'ask', sandbox: 'guarded', fontSize: 14 } as Awaited<
    ReturnType<Domains['settings']['update']>
  > extends Envelope<infer Value>
    ? Value
    : never
  return {
    get: () =>
      ok({
        values,
        issues: [
          {
            file: '/home/ada/code/harbor/.plumbline/settings.json',
            line: 14,
            key: 'permissions.defaultMode',
            message: 'must be one of ask, accept-edits, review, auto, plan. “yolo” is ignored.',
          },
        ],
        file: '/home/ada/.plumbline/settings.json',
      }),
    update: (change) => {
      values = { ...values, ...change }
      return ok(values)
    },
    changes: () => () => undefined,
  }
}

export function fakePermissions(): Domains['permissions'] {
  let entries: PermissionEntry[] = [
    { kind: 'deny', text: 'read(~/.ssh/**)', source: 'managed' },
    {
      kind: 'deny',
      text: 'mcp(github:delete_*)',
      source: 'project',
      file: '/home/ada/code/harbor/.plumbline/settings.json',
    },
    { kind: 'ask', text: 'bash(git push *)', source: 'user', file: '/home/ada/.plumbline/settings.json' },
    {
      kind: 'allow',
      text: 'bash(npm test)',
      source: 'project',
      file: '/home/ada/code/harbor/.plumbline/settings.json',
    },
    { kind: 'allow', text: 'bash(git status *)', source: 'user', file: '/home/ada/.plumbline/settings.json' },
    { kind: 'allow', text: 'fetch(host:nodejs.org)', source: 'command-line' },
    { kind: 'grant', text: 'edit:src/queue/retry.ts', source: 'session' },
    { kind: 'grant', text: 'edit:src/queue/backoff.ts', source: 'session' },
  ]
  return {
    list: () => ok(entries),
    remove: ({ entry }) => {
      entries = entries.filter((candidate) => candidate.text !== entry.text)
      return ok(undefined)
    },
  }
}
