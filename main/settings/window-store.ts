import { basename, join } from 'node:path'
import { z } from 'zod'
import { LayoutState } from '../../preload/contract/app'
import { readState, saveText } from './state-file'

/** Drafts that are kept; those that were not touched for longest give way. */
const MAX_DRAFTS = 64

/** Characters of all drafts together. */
const MAX_DRAFT_CHARACTERS = 4 * 1024 * 1024

const MAX_RECENT = 30

/** How long changes are gathered before they are written. */
const WRITE_AFTER_MS = 250

const Bounds = z.object({
  x: z.number().int().optional(),
  y: z.number().int().optional(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  maximized: z.boolean().default(false),
})
/** Where the window stood, in device-independent pixels. */
export type WindowBounds = z.infer<typeof Bounds>

const Recent = z.object({ path: z.string(), openedAt: z.number() })

const WindowFile = z.object({
  version: z.literal(1),
  layout: LayoutState,
  bounds: Bounds.optional(),
  /** By session, or `new`; in the order of their last change. */
  drafts: z.array(z.tuple([z.string(), z.string()])),
  recent: z.array(Recent),
})
type WindowFile = z.infer<typeof WindowFile>

const empty = (): WindowFile => ({ version: 1, layout: LayoutState.parse({}), drafts: [], recent: [] })

/**
 * The little state that belongs to windows, in `window.json`: layout, bounds, unsent drafts, recent folders. It answers
 * from memory; changes are written shortly after, and at `flush`.
 */
export class WindowStore {
  readonly #file: string
  readonly #now: () => number
  #state: WindowFile = empty()
  #drafts = new Map<string, string>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(options: { home: string; now?: () => number }) {
    this.#file = join(options.home, 'window.json')
    this.#now = options.now ?? Date.now
  }

  /** Reads what the last run left; a broken file counts as none. */
  async load(): Promise<void> {
    this.#state = await readState(this.#file, WindowFile, empty())
    this.#drafts = new Map(this.#state.drafts)
  }

  getLayout(): LayoutState {
    return this.#state.layout
  }

  setLayout(layout: LayoutState): void {
    this.#state = { ...this.#state, layout: LayoutState.parse(layout) }
    this.#soon()
  }

  getBounds(): WindowBounds | undefined {
    return this.#state.bounds
  }

  setBounds(bounds: WindowBounds): void {
    this.#state = { ...this.#state, bounds }
    this.#soon()
  }

  /** The unsent text, empty when there is none. */
  getDraft(session: string): string {
    return this.#drafts.get(session) ?? ''
  }

  /** Keeps the text; an empty one removes it. */
  setDraft(session: string, text: string): void {
    this.#drafts.delete(session)
    if (text !== '') this.#drafts.set(session, text)
    let characters = [...this.#drafts.values()].reduce((sum, draft) => sum + draft.length, 0)
    for (const [oldest, draft] of this.#drafts) {
      if (this.#drafts.size <= MAX_DRAFTS && characters <= MAX_DRAFT_CHARACTERS) break
      if (oldest === session) break
      this.#drafts.delete(oldest)
      characters -= draft.length
    }
    this.#soon()
  }

  /** Folders that the person opened, newest first. */
  recent(): { path: string; name: string; openedAt: number }[] {
    return this.#state.recent.map((entry) => ({ ...entry, name: basename(entry.path) || entry.path }))
  }

  /** Puts an absolute real path at the top. */
  addRecent(folder: string): void {
    const others = this.#state.recent.filter((entry) => entry.path !== folder)
    this.#state = { ...this.#state, recent: [{ path: folder, openedAt: this.#now() }, ...others].slice(0, MAX_RECENT) }
    this.#soon()
  }

  /** Resolves when everything is on disk. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    if (this.#timer !== undefined) {
      this.#timer = undefined
      this.#write()
    }
    return this.#writing
  }

  dispose(): Promise<void> {
    return this.flush()
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#write()
      // A full disk loses nothing that is in memory; the next change tries again.
      this.#writing.catch(() => undefined)
    }, WRITE_AFTER_MS)
  }

  #write(): void {
    const text = JSON.stringify({ ...this.#state, drafts: [...this.#drafts] })
    this.#writing = this.#writing.catch(() => undefined).then(() => saveText(this.#file, text))
  }
}
