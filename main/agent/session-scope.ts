import type { PermissionMode, ToolsetName } from '../../preload/contract/ids'
import type { SessionJournal } from '../sessions/types'
import type { SessionScope } from '../toolsets/define'

export interface ScopeOptions {
  addedFolders?: readonly string[] | undefined
  narrowed?: boolean | undefined
  attended: boolean
}

/** The session as its tools see it; mode and toolset follow the session while it lives. */
export function createScope(
  journal: Pick<SessionJournal, 'id' | 'folder' | 'blobs' | 'state'>,
  options: ScopeOptions,
  current: { mode(): PermissionMode; toolset(): ToolsetName },
): SessionScope {
  const { cwd, sandbox } = journal.state
  return {
    id: journal.id,
    get toolset() {
      return current.toolset()
    },
    get mode() {
      return current.mode()
    },
    sandbox,
    cwd,
    roots: [cwd, ...(options.addedFolders ?? [])],
    narrowed: options.narrowed === true || sandbox === 'read-only' || sandbox === 'workspace-write',
    attended: options.attended,
    blobs: journal.blobs,
    toolResultsFolder: `${journal.folder}/tool-results`,
    temporaryFolder: `${journal.folder}/local`,
  }
}
