import { OutputSpill, type SpillTarget } from './output-spill'
import { type OutputSnapshot, OutputWindow } from './output-window'
import { Utf8Splitter } from './utf8-splitter'

/** Shortest time between two progress reports, in milliseconds. */
const PROGRESS_INTERVAL_MS = 60

/** UTF-16 units of one progress report; of a flood only the newest part is reported. */
const PROGRESS_CHARACTERS = 16 * 1024

export interface CollectorOptions {
  /** Where the whole output goes once it is longer than `afterBytes`. */
  spill?: (SpillTarget & { afterBytes: number; afterLines?: number }) | undefined
  onProgress?: ((text: string) => void) | undefined
}

/**
 * Puts the pipes of a process together into one text: decoded per pipe, both ends remembered, the whole of it on disk
 * when it is long, and pieces of it reported at a bearable pace (PERSIST-05, PERSIST-06).
 */
export class OutputCollector {
  readonly #options: CollectorOptions
  readonly #window = new OutputWindow()
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  #early: Uint8Array[] = []
  #earlyBytes = 0
  #earlyLines = 0
  #spill: OutputSpill | undefined
  #pending = ''
  #pendingCut = false
  #timer: NodeJS.Timeout | undefined
  #closed = false
  #onDrain: () => void = () => undefined

  constructor(options: CollectorOptions) {
    this.#options = options
  }

  /** A function that takes the chunks of one pipe; false means pause until `onDrain`. Null ends the pipe. */
  pipe(): (chunk: Uint8Array | null) => boolean {
    const splitter = new Utf8Splitter()
    return (chunk) => this.#take(chunk === null ? splitter.end() : splitter.push(chunk))
  }

  onDrain(listener: () => void): void {
    this.#onDrain = listener
  }

  snapshot(): OutputSnapshot {
    return this.#window.snapshot()
  }

  /** Reports what is left, takes nothing more, and says where the whole output is, if it had to be kept. */
  async finish(): Promise<{ path: string; bytes: number } | undefined> {
    this.#closed = true
    this.#report()
    this.#early = []
    return this.#spill?.finish()
  }

  #take(bytes: Uint8Array): boolean {
    if (bytes.length === 0 || this.#closed) return true
    const text = this.#decoder.decode(bytes)
    this.#window.push(text, bytes.length)
    this.#queueProgress(text)
    return this.#keep(bytes)
  }

  #keep(bytes: Uint8Array): boolean {
    const { spill } = this.#options
    if (spill === undefined) return true
    if (this.#spill !== undefined) return this.#spill.write(bytes)
    this.#early.push(bytes.slice())
    this.#earlyBytes += bytes.length
    for (const byte of bytes) if (byte === 10) this.#earlyLines += 1
    if (this.#earlyBytes <= spill.afterBytes && this.#earlyLines <= (spill.afterLines ?? Number.POSITIVE_INFINITY))
      return true
    this.#spill = new OutputSpill(spill)
    this.#spill.onDrain(() => this.#onDrain())
    const early = this.#early
    this.#early = []
    return early.map((part) => this.#spill?.write(part) ?? true).every((more) => more)
  }

  #queueProgress(text: string): void {
    if (this.#options.onProgress === undefined) return
    this.#pending += text
    if (this.#pending.length > PROGRESS_CHARACTERS) {
      this.#pending = this.#pending.slice(-PROGRESS_CHARACTERS)
      this.#pendingCut = true
    }
    this.#timer ??= setTimeout(() => this.#report(), PROGRESS_INTERVAL_MS)
  }

  #report(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#pending === '') return
    // A cut may have left the second half of a pair at the start.
    const text = this.#pendingCut ? `\n[…]\n${this.#pending.replace(/^[\udc00-\udfff]/, '')}` : this.#pending
    this.#pending = ''
    this.#pendingCut = false
    this.#options.onProgress?.(text)
  }
}
