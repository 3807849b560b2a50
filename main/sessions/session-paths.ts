import { createHash } from 'node:crypto'
import { readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { SessionId } from '../../preload/contract/ids'
import { PlumblineError } from '../platform/errors'

/** Characters of a project's name that its folder shows. */
const SLUG_CHARACTERS = 40

/** Where everything of one session lies. */
export interface SessionPaths {
  readonly id: SessionId
  readonly journal: string
  /** Owner-only folder of the session's name: blobs, kept tool results, the sidecar. */
  readonly folder: string
  readonly blobs: string
  readonly index: string
  readonly snapshot: string
  readonly pages: string
  readonly summary: string
  readonly annotations: string
  readonly lock: string
}

export function sessionPaths(projectFolder: string, id: SessionId): SessionPaths {
  const folder = path.join(projectFolder, id)
  const index = path.join(folder, 'index')
  return {
    id,
    journal: `${folder}.jsonl`,
    folder,
    blobs: path.join(folder, 'blobs'),
    index,
    snapshot: path.join(index, 'snapshot.json'),
    pages: path.join(index, 'pages.jsonl'),
    summary: path.join(folder, 'summary.json'),
    annotations: path.join(folder, 'annotations.json'),
    lock: path.join(folder, 'lock'),
  }
}

/**
 * The name of a project's folder under `sessions`: readable, and made unique by a hash of the real path, so that one
 * project reached by two names has one folder and two projects of one name have two.
 */
export async function projectFolderName(cwd: string): Promise<string> {
  const real = await realpath(cwd).catch(() => path.resolve(cwd))
  const slug = path
    .basename(real)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, SLUG_CHARACTERS)
  const hash = createHash('sha256').update(real).digest('hex').slice(0, 10)
  return `${slug || 'project'}-${hash}`
}

/** All journals under `sessions`, in no order. A folder that can't be read counts as empty. */
export async function findSessions(sessions: string): Promise<SessionPaths[]> {
  const projects = await readdir(sessions, { withFileTypes: true }).catch(() => [])
  const found: SessionPaths[] = []
  for (const project of projects) {
    if (!project.isDirectory()) continue
    const folder = path.join(sessions, project.name)
    for (const name of await readdir(folder).catch(() => [])) {
      const id = SessionId.safeParse(name.endsWith('.jsonl') ? name.slice(0, -'.jsonl'.length) : '')
      if (id.success) found.push(sessionPaths(folder, id.data))
    }
  }
  return found
}

/** Where the session lies. Throws `session_not_found`. */
export async function findSession(sessions: string, id: SessionId): Promise<SessionPaths> {
  if (SessionId.safeParse(id).success) {
    for (const project of await readdir(sessions).catch(() => [])) {
      const paths = sessionPaths(path.join(sessions, project), id)
      const found = await stat(paths.journal).catch(() => undefined)
      if (found?.isFile()) return paths
    }
  }
  throw new PlumblineError('session_not_found', `There is no session ${id} here.`)
}
