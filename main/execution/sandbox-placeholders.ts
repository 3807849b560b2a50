import { lstat, rmdir } from 'node:fs/promises'
import path from 'node:path'

/** What a project may hold to steer this program. Where it is missing, a command could make it. */
const OWN_FOLDER = '.plumbline'

/**
 * Folders that a project does not have and that no command may make: while a command runs, an empty read-only one
 * stands in each place. Several commands share one; the last takes it away.
 */
export class Placeholders {
  readonly #users = new Map<string, number>()

  /** The places below these roots that need one; each is counted as used until it is released. */
  async take(roots: readonly string[]): Promise<string[]> {
    const taken: string[] = []
    for (const root of roots) {
      const place = path.join(root, OWN_FOLDER)
      const missing = await lstat(place).then(
        () => false,
        () => true,
      )
      const users = this.#users.get(place) ?? 0
      if (!missing && users === 0) continue
      this.#users.set(place, users + 1)
      taken.push(place)
    }
    return taken
  }

  /** Removes what nobody uses any more and is still empty. Never throws. */
  async release(places: readonly string[]): Promise<void> {
    for (const place of places) {
      const users = (this.#users.get(place) ?? 1) - 1
      if (users > 0) this.#users.set(place, users)
      else {
        this.#users.delete(place)
        await rmdir(place).catch(() => undefined)
      }
    }
  }
}
