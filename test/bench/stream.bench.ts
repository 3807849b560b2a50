import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { _electron, type ElectronApplication, type Page } from 'playwright-core'
import type { Contract } from '../../preload/contract'
import type { Bridge } from '../../preload/contract/rpc'
import { environmentFor, type MeasureContext, type Measured, quantile } from './measuring'
import { mainThreadTasks, type Task, traceCategories, workPerFrame } from './trace'

declare const window: Window & { readonly plumbline: Bridge<Contract> }

/** Messages that the session has before the stream; made in turns of `MESSAGES_PER_PROMPT`. */
const MESSAGES = 2000
const MESSAGES_PER_PROMPT = 50

/** A token is about four characters. */
const TOKENS_PER_SECOND = 150
const SECONDS = 24
const TOKEN_CHARACTERS = 4

/** How the streamed text begins. */
const OPENING_WORDS = 'A sentence of'

const GOALS = { frameMs: 8, longTaskMs: 50, lastToFirst: 1.3 }

/** 150 tokens a second into a session of 2,000 messages: what it costs the page's main thread. */
export default async function stream({ work, electron }: MeasureContext): Promise<Measured> {
  if (electron === undefined) return { notes: ['There is no Electron runtime here.'], ok: false }
  const project = path.join(work, 'project')
  mkdirSync(project)
  writeFileSync(path.join(project, 'a.txt'), 'a\n')
  const script = path.join(work, 'script.jsonl')
  writeFileSync(script, scriptLines().join('\n'))
  const running = await _electron.launch({
    executablePath: electron.executable,
    args: [...electron.args, project, '--model', `scripted:${script}`],
    env: environmentFor(path.join(work, 'home')),
  })
  try {
    const page = await running.firstWindow()
    await fillSession(page)
    return await measure(running, page, work)
  } finally {
    await running.close()
  }
}

function scriptLines(): string[] {
  const filler = Array.from({ length: MESSAGES }, (_, index) =>
    (index + 1) % MESSAGES_PER_PROMPT === 0
      ? { text: `Message ${index}, the last of its turn.` }
      : {
          text: `Message ${index}: some **words** about \`a.txt\` and what to do next.`,
          calls: [{ tool: 'read', args: { paths: ['a.txt'] } }],
        },
  )
  const paragraph = `${OPENING_WORDS} *ordinary* words with \`code\` in it, as a model writes them all day long.`
  const block = `${paragraph} ${paragraph}\n\n- one thing\n- another thing\n\n\`\`\`ts\nexport const answer = (x: number) => x * 42\n\`\`\`\n\n`
  const characters = TOKENS_PER_SECOND * SECONDS * TOKEN_CHARACTERS
  const text = block.repeat(Math.ceil(characters / block.length)).slice(0, characters)
  const last = { text, chunkChars: TOKEN_CHARACTERS, chunkMs: 1000 / TOKENS_PER_SECOND }
  return [...filler, last].map((turn) => JSON.stringify(turn))
}

/** Works the prompts that fill the session, one after the other. */
async function fillSession(page: Page): Promise<void> {
  await page.getByTestId('composer').fill('Fill')
  await page.getByTestId('send').click()
  await page.getByTestId('session-row').first().waitFor()
  for (let done = 1; done < MESSAGES / MESSAGES_PER_PROMPT; done += 1) {
    await turnEnds(page)
    await page.evaluate(async () => {
      const list = await window.plumbline.session.list(undefined)
      const id = list.ok ? list.value[0]?.id : undefined
      if (id !== undefined) {
        await window.plumbline.session.prompt({ session: id, content: [{ type: 'text', text: 'More' }] })
      }
    })
  }
  await turnEnds(page)
}

/** Resolves when the newest session has nothing to do. */
async function turnEnds(page: Page): Promise<void> {
  await page.waitForFunction(
    async () => {
      const list = await window.plumbline.session.list(undefined)
      const state = list.ok ? list.value[0]?.state : undefined
      return state === 'idle' || state === 'done' || state === 'failed'
    },
    undefined,
    { polling: 50, timeout: 120_000 },
  )
}

async function measure(running: ElectronApplication, page: Page, work: string): Promise<Measured> {
  const file = path.join(work, 'trace.json')
  const pid = await running.evaluate(
    ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId() ?? 0,
  )
  await page.getByTestId('composer').fill('Speak')
  await page.getByTestId('send').click()
  // The window may still be drawing what the script did at full speed before; the stream alone is measured.
  await page.getByText(OPENING_WORDS).first().waitFor()
  await new Promise((resolve) => setTimeout(resolve, 1000))
  await running.evaluate(
    ({ contentTracing }, categories) => contentTracing.startRecording({ included_categories: categories }),
    traceCategories,
  )
  // Nothing of the driver runs in the page meanwhile.
  await new Promise((resolve) => setTimeout(resolve, (SECONDS - 5) * 1000))
  await running.evaluate(({ contentTracing }, target) => contentTracing.stopRecording(target), file)
  return judge(mainThreadTasks(file, pid))
}

function judge(all: readonly Task[]): Measured {
  const frames = workPerFrame(all)
  const onProcessor = workPerFrame(all.map(({ at, ms, cpuMs }) => ({ at, ms: cpuMs ?? ms })))
  const tasks = all.map((task) => task.ms)
  const tenth = Math.floor(frames.length / 10)
  const sum = (part: readonly number[]) => part.reduce((total, ms) => total + ms, 0)
  const lastToFirst = sum(frames.slice(-tenth)) / sum(frames.slice(0, tenth))
  const long = (durations: readonly number[]) => durations.filter((ms) => ms > GOALS.longTaskMs).length
  const busy = all.map(({ ms, cpuMs }) => cpuMs ?? ms)
  const p95 = quantile(frames, 0.95)
  return {
    title: `${TOKENS_PER_SECOND} tokens a second into a session of ${MESSAGES} messages`,
    rows: [
      { what: "page's main thread, ms of work a frame, p95", measured: p95.toFixed(2), goal: GOALS.frameMs },
      { what: 'of it on the processor, p95', measured: quantile(onProcessor, 0.95).toFixed(2), goal: GOALS.frameMs },
      { what: 'work a frame, median', measured: quantile(frames, 0.5).toFixed(2), goal: '' },
      { what: 'work a frame, worst', measured: quantile(frames, 1).toFixed(2), goal: '' },
      { what: `tasks over ${GOALS.longTaskMs} ms`, measured: long(tasks), goal: 0 },
      { what: 'of them on the processor', measured: long(busy), goal: 0 },
      { what: 'longest task, ms', measured: Math.max(0, ...tasks).toFixed(1), goal: GOALS.longTaskMs },
      { what: 'of it on the processor, ms', measured: Math.max(0, ...busy).toFixed(1), goal: GOALS.longTaskMs },
      { what: 'last tenth of the stream against the first', measured: lastToFirst.toFixed(2), goal: GOALS.lastToFirst },
    ],
    notes: [`${frames.length} frames of 16.7 ms, idle ones included.`],
    ok: frames.length > 0,
  }
}
