import { mkdirSync, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { LayoutState } from '../../preload/contract/app'
import type { RecentProject } from '../../preload/contract/project'
import type { RecentFolders } from '../ipc/desktop-services'

/** Folders in the recent list. */
const MAX_RECENT = 30

/** Drafts that are kept, and their characters together, since the file is written whole; the oldest goes first. */
const MAX_DRAFTS = 200
const MAX_DRAFT_CHARACTERS = 4 * 1024 * 1024

/** Milliseconds from a change to its write, so that dragging a sash writes once. A draft waits no longer than that. */
const WRITE_DELAY_MS = 150

export const WindowBounds = z.object({
  x: z.number().int().optional(),
  y: z.number().int().optional(),
  width: z.number().int().min(400).max(20_000),
  height: z.number().int().min(300).max(20_000),
  maximized: z.boolean(),
})
export type WindowBounds = z.infer<typeof WindowBounds>

const defaultBounds: WindowBounds = { width: 1440, height: 900, maximized: false }

const Stored = z.object({
  bounds: WindowBounds.catch(defaultBounds).default(defaultBounds),
  layout: LayoutState.catch(LayoutState.parse({})).default(LayoutState.parse({})),
  recent: z
    .array(z.object({ path: z.string(), openedAt: z.number() }))
    .catch([])
    .default([]),
  drafts: z.record(z.string(), z.string()).catch({}).default({}),
})
type Stored = z.infer<typeof Stored>

/** Replaces a file by a temporary name, a flush and a rename. */
export type ReplaceFile = (file: string, text: string) => Promise<void>

/**
 * The little that belongs to windows and outlives them: bounds, layout, recent folders, drafts. One file in
 * `PLUMBLINE_HOME`, replaced as a whole. A part of it that does not fit any more falls back to its default alone.
 */
export class DesktopState implements RecentFolders {
  readonly #file: string
  readonly #replace: ReplaceFile
  readonly #chosen = new Set<string>()
  #stored: Stored
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #dirty = false

  private constructor(file: string, stored: Stored, replace: ReplaceFile) {
    this.#file = file
    this.#stored = stored
    this.#replace = replace
  }

  /** Reads synchronously: the window's first paint depends on it, and the file is small. */
  static load(home: string, replace: ReplaceFile): DesktopState {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    const file = path.join(home, 'desktop.json')
    const parsed = Stored.safeParse(readJson(file))
    return new DesktopState(file, parsed.success ? parsed.data : Stored.parse({}), replace)
  }

  get bounds(): WindowBounds {
    return this.#stored.bounds
  }

  set bounds(bounds: WindowBounds) {
    this.#change({ bounds })
  }

  get layout(): LayoutState {
    return this.#stored.layout
  }

  set layout(layout: LayoutState) {
    this.#change({ layout })
  }

  draft(session: string): string {
    return this.#stored.drafts[session] ?? ''
  }

  setDraft(session: string, text: string): void {
    const { [session]: _before, ...others } = this.#stored.drafts
    let room = MAX_DRAFT_CHARACTERS - text.length
    const kept = Object.entries(others)
      .slice(1 - MAX_DRAFTS)
      .reverse()
      .filter(([, draft]) => {
        room -= draft.length
        return room >= 0
      })
      .reverse()
    this.#change({ drafts: Object.fromEntries(text === '' ? kept : [...kept, [session, text]]) })
  }

  /** The person named this folder, an absolute real path, at the start; it may be opened, but is not in the list yet. */
  allow(folder: string): void {
    this.#chosen.add(folder)
  }

  has(folder: string): boolean {
    return this.#chosen.has(folder) || this.#stored.recent.some((entry) => entry.path === folder)
  }

  add(folder: string): void {
    const others = this.#stored.recent.filter((entry) => entry.path !== folder)
    this.#change({ recent: [{ path: folder, openedAt: Date.now() }, ...others].slice(0, MAX_RECENT) })
  }

  list(): Promise<RecentProject[]> {
    return Promise.all(
      this.#stored.recent.map(async ({ path: folder, openedAt }) => ({
        path: folder,
        name: path.basename(folder) || folder,
        openedAt,
        exists: await stat(folder).then(
          (found) => found.isDirectory(),
          () => false,
        ),
      })),
    )
  }

  /** Resolves when everything is on disk. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#write()
    await this.#writing
  }

  #change(part: Partial<Stored>): void {
    this.#stored = { ...this.#stored, ...part }
    this.#dirty = true
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#write()
    }, WRITE_DELAY_MS)
  }

  #write(): void {
    if (!this.#dirty) return
    this.#dirty = false
    const text = `${JSON.stringify(this.#stored, null, 2)}\n`
    this.#writing = this.#writing
      .then(() => this.#replace(this.#file, text))
      // Tried again with the next change; the window goes on without it.
      .catch(() => {
        this.#dirty = true
      })
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}
