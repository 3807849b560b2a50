import { readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { type Project, project } from '../../preload/contract/project'
import { PlumblineError } from '../platform/errors'
import type { BridgeGate } from './bridge-gate'
import type { DesktopServices, DesktopShell, ServicesSource } from './desktop-services'

/** Characters of a branch's name that are shown; Git allows about as many as a path has. */
const MAX_BRANCH_CHARACTERS = 255

/** Choosing the folder to work in. Only folders that the person chose, in whatever way, become projects. */
export function registerProject(gate: BridgeGate, shell: DesktopShell, services: ServicesSource): void {
  const choose = async (folder: string) => {
    const opened = await openProject(await services(), folder)
    shell.recents.add(opened.path)
    return opened
  }
  gate.handle(project, {
    pick: async (_args, caller) => {
      const folder = await shell.pickFolder(caller)
      return folder === null ? null : choose(folder)
    },
    open: async ({ path: folder }) => {
      const real = await realpath(folder)
      await requireChosenFolder(await services(), shell, real)
      return choose(real)
    },
    openDropped: ({ path: folder }) => choose(folder),
    recent: () => shell.recents.list(),
    startDemo: async () => {
      const loaded = await services()
      const { path: folder, session } = await loaded.startDemo()
      return { project: await openProject(loaded, folder), session }
    },
    trust: async ({ path: folder, trusted }) => {
      const loaded = await services()
      const real = await realpath(folder)
      await loaded.trust.setTrusted(real, trusted)
      return openProject(loaded, real)
    },
  })
}

/** Throws `access_denied` unless the person chose this folder, a real path, before: here, or for a session. */
export async function requireChosenFolder(
  services: Pick<DesktopServices, 'sessions'>,
  shell: Pick<DesktopShell, 'recents'>,
  folder: string,
): Promise<void> {
  if (shell.recents.has(folder)) return
  if ((await services.sessions.list()).some((row) => row.project === folder)) return
  throw new PlumblineError('access_denied', `${folder} was not opened before. Choose it with "Open folder".`)
}

/** Resolves links and looks. Throws `not_found`, `not_a_directory`, `access_denied`. */
export async function openProject(services: Pick<DesktopServices, 'trust'>, folder: string): Promise<Project> {
  const real = await realpath(folder)
  if (!(await stat(real)).isDirectory()) throw new PlumblineError('not_a_directory', `${folder} is not a folder.`)
  return {
    path: real,
    name: path.basename(real) || real,
    branch: await currentBranch(real),
    trusted: await services.trust.isTrusted(real),
  }
}

/**
 * The branch that Git would name, the beginning of the commit's id when none is checked out, null outside of a
 * repository. Reads files and starts no process: the folder may not be trusted yet.
 */
export async function currentBranch(folder: string): Promise<string | null> {
  for (let at = folder; ; at = path.dirname(at)) {
    const head = await readHead(path.join(at, '.git'))
    if (head !== null) return branchOf(head)
    if (path.dirname(at) === at) return null
  }
}

async function readHead(dotGit: string): Promise<string | null> {
  try {
    const pointer = (await stat(dotGit)).isFile() ? /^gitdir: (.+)$/m.exec(await readFile(dotGit, 'utf8'))?.[1] : '.'
    if (pointer === undefined) return null
    const gitFolder = pointer === '.' ? dotGit : path.resolve(path.dirname(dotGit), pointer)
    return (await readFile(path.join(gitFolder, 'HEAD'), 'utf8')).trim()
  } catch {
    return null
  }
}

function branchOf(head: string): string {
  const name = /^ref: (?:refs\/heads\/)?(.+)$/.exec(head)?.[1] ?? head.slice(0, 8)
  return name.slice(0, MAX_BRANCH_CHARACTERS)
}
