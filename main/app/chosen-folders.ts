import { realpathSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { RecentProject } from '../../preload/contract/project'
import type { RecentFolders } from '../ipc/desktop-services'

/** The list as it is kept; `WindowStore` has it. */
export interface RecentList {
  recent(): { path: string; name: string; openedAt: number }[]
  addRecent(folder: string): void
}

/** Folders that the person chose: the kept list, and what the command line named in this run. */
export class ChosenFolders implements RecentFolders {
  readonly #list: RecentList
  readonly #named = new Set<string>()

  constructor(list: RecentList) {
    this.#list = list
  }

  /** The person named this folder at a start; it may be opened, but is not in the list before that. */
  name(folder: string): void {
    try {
      this.#named.add(realpathSync(folder))
    } catch {
      // It is not there; opening it says so.
    }
  }

  has(folder: string): boolean {
    return this.#named.has(folder) || this.#list.recent().some((entry) => entry.path === folder)
  }

  add(folder: string): void {
    this.#list.addRecent(folder)
  }

  list(): Promise<RecentProject[]> {
    return Promise.all(
      this.#list.recent().map(async (entry) => ({
        ...entry,
        exists: await stat(entry.path).then(
          (found) => found.isDirectory(),
          () => false,
        ),
      })),
    )
  }
}
