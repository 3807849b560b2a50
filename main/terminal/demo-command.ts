import { createInterface, type Interface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { createTwoFilesPatch } from 'diff'
import type { Answer, ChangedFile, Preview } from '../../preload/contract/effects'
import type { EventOf, SessionEvent } from '../../preload/contract/events'
import type { AgentSession } from '../agent/session'
import { writeText } from './output'

/** Lines of output that a call shows in the terminal. */
const SHOWN_LINES = 24

export interface DemoStreams {
  input: Readable & { isTTY?: boolean }
  output: Writable
}

/**
 * Plays a session in the terminal: what the model says, each call with its evidence, each question with the very diff
 * or command. With a keyboard the person answers; without one the demo says that it goes on by itself.
 */
export async function playInTerminal(session: AgentSession, prompt: string, streams: DemoStreams): Promise<boolean> {
  const { input, output } = streams
  const reader = input.isTTY ? createInterface({ input, output }) : undefined
  const printer = new Printer(session, output, reader)
  const unsubscribe = session.subscribe((event) => printer.take(event))
  try {
    await session.prompt([{ type: 'text', text: prompt }])
    const end = await session.idle()
    await printer.settled()
    return end !== null && end.stop !== 'failed' && end.stop !== 'stopped'
  } finally {
    await unsubscribe()
    reader?.close()
  }
}

class Printer {
  readonly #session: AgentSession
  readonly #output: Writable
  readonly #reader: Interface | undefined
  readonly #previews = new Map<string, Preview>()
  #work: Promise<void> = Promise.resolve()

  constructor(session: AgentSession, output: Writable, reader: Interface | undefined) {
    this.#session = session
    this.#output = output
    this.#reader = reader
  }

  take(event: SessionEvent): void {
    this.#work = this.#work.then(() => this.#print(event))
  }

  settled(): Promise<void> {
    return this.#work
  }

  async #print(event: SessionEvent): Promise<void> {
    switch (event.type) {
      case 'assistant.message':
        for (const part of event.content) if (part.type === 'text') await this.#say(`\n${part.text}\n`)
        return
      case 'call.requested':
        return this.#say(`\n  ${event.title}  ${event.subject.split('\n', 1)[0]}\n`)
      case 'call.prepared':
        if (event.preview !== undefined) this.#previews.set(event.call, event.preview)
        return
      case 'call.asked':
        return this.#ask(event)
      case 'call.finished':
        return this.#finished(event)
      case 'turn.finished':
        if (event.error !== undefined) await this.#say(`\n${event.error.message}\n`)
        return
      default:
    }
  }

  async #ask(event: EventOf<'call.asked'>): Promise<void> {
    await this.#say(
      `\n${await this.#effect(this.#previews.get(event.call))}\n  ${event.ask.question} (${event.ask.reason})\n`,
    )
    this.#session.answer(event.call, { answer: await this.#answer() })
  }

  async #answer(): Promise<Answer> {
    if (this.#reader === undefined) {
      await this.#say('  No keyboard here: allowed once, since it is the demo and works on a copy.\n')
      return 'once'
    }
    const typed = (await this.#reader.question('  Allow once? [Y/n] ')).trim().toLowerCase()
    return typed === '' || typed.startsWith('y') ? 'once' : 'deny'
  }

  async #finished(event: EventOf<'call.finished'>): Promise<void> {
    const text = event.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    const lines = text.trimEnd().split('\n')
    const shown = lines.slice(0, SHOWN_LINES).map((line) => `  | ${line}`)
    const more = lines.length - shown.length
    await this.#say(
      `${shown.join('\n')}\n${more > 0 ? `  | … ${more} more lines\n` : ''}  ${event.ok ? 'done' : 'failed'}, ${event.ms} ms\n`,
    )
  }

  async #effect(preview: Preview | undefined): Promise<string> {
    if (preview?.kind === 'command')
      return `  In ${preview.cwd}${preview.unsandboxed ? ', unsandboxed' : ''}:\n    ${preview.line}`
    if (preview?.kind !== 'diff') return ''
    const patches = await Promise.all(preview.files.map((file) => this.#patch(file)))
    return patches.join('\n')
  }

  async #patch(file: ChangedFile): Promise<string> {
    const text = async (blob: ChangedFile['before']) =>
      blob === null ? '' : Buffer.from(await this.#session.blob(blob.id)).toString('utf8')
    const patch = createTwoFilesPatch(file.path, file.path, await text(file.before), await text(file.after))
    return patch
      .split('\n')
      .slice(1)
      .map((line) => `    ${line}`)
      .join('\n')
  }

  #say(text: string): Promise<void> {
    return writeText(this.#output, text)
  }
}
