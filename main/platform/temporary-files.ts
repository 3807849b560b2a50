import { appendFile, mkdir, readdir, readFile, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isSystemError } from './errors'

/** What `atomic-write` calls its temporary files; nothing else is ever swept. */
const NAME = /^\..{1,40}\.[0-9a-f]{12}\.tmp$/s

/** Lines after which a list whose files are all done starts again. */
const MAX_LINES = 1000

/**
 * Remembers the temporary files of this process, so that those of one that was killed can be removed by the next: one list
 * a process, `<folder>/<pid>.list`, a path in JSON a line. The list is not flushed: it outlives the process, and after a
 * loss of power at worst a temporary file stays.
 */
export class TemporaryFiles {
  readonly #folder: string
  readonly #list: string
  readonly #pid: number
  readonly #isAlive: (pid: number) => boolean
  readonly #open = new Set<string>()
  #lines = 0
  #ready: Promise<unknown> | undefined

  constructor(options: { folder: string; pid?: number; isAlive?: (pid: number) => boolean }) {
    this.#folder = options.folder
    this.#pid = options.pid ?? process.pid
    this.#list = path.join(this.#folder, `${this.#pid}.list`)
    this.#isAlive = options.isAlive ?? isAlive
  }

  /** To be called before the file is made. Never fails: a missing note costs at worst a stray file. */
  async note(file: string): Promise<void> {
    this.#open.add(file)
    this.#lines += 1
    try {
      this.#ready ??= mkdir(this.#folder, { recursive: true, mode: 0o700 })
      await this.#ready
      await appendFile(this.#list, `${JSON.stringify(file)}\n`, { mode: 0o600 })
    } catch {
      this.#ready = undefined
    }
  }

  /** To be called when the file is gone or has its real name. */
  async done(file: string): Promise<void> {
    this.#open.delete(file)
    if (this.#open.size > 0 || this.#lines < MAX_LINES) return
    this.#lines = 0
    await writeFile(this.#list, '').catch(() => undefined)
  }

  /** Removes what processes left that run no more; answers how many files went. */
  async sweep(): Promise<number> {
    let removed = 0
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const pid = Number(/^(\d+)\.list$/.exec(name)?.[1])
      if (Number.isNaN(pid) || pid === this.#pid || this.#isAlive(pid)) continue
      const list = path.join(this.#folder, name)
      for (const file of await noted(list)) if (await remove(file)) removed += 1
      await unlink(list).catch(() => undefined)
    }
    return removed
  }

  /** Takes the list away when nothing is open. */
  async dispose(): Promise<void> {
    if (this.#open.size === 0) await unlink(this.#list).catch(() => undefined)
  }
}

async function noted(list: string): Promise<string[]> {
  const text = await readFile(list, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    try {
      const file: unknown = JSON.parse(line)
      return typeof file === 'string' && path.isAbsolute(file) && NAME.test(path.basename(file)) ? [file] : []
    } catch {
      return []
    }
  })
}

async function remove(file: string): Promise<boolean> {
  try {
    await unlink(file)
    return true
  } catch {
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (failure) {
    return isSystemError(failure) && failure.code === 'EPERM'
  }
}
