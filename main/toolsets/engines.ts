import type { Checkpoints } from '../editing/checkpoints'
import type { EditEngine } from '../editing/edit-engine'
import type { NotebookEngine } from '../editing/notebook-engine'
import type { SnapshotStores } from '../editing/snapshots'
import type { StringEditEngine } from '../editing/string-edit-engine'
import type { UndoJournal } from '../editing/undo-journal'
import type { WriteEngine } from '../editing/write-engine'
import type { BackgroundTasks } from '../execution/background-tasks'
import type { ShellRunner } from '../execution/shell-runner'
import type { LossProbe } from '../permissions/loss-probe'
import type { Clock } from '../platform/clock'
import type { FileReader } from '../reading/file-reader'
import type { TargetReader } from '../reading/target-reader'
import type { SearchEngine } from '../search/search-engine'
import type { SyntaxEngine } from '../syntax/syntax-engine'
import type { GitReader } from '../workspace/git-reader'
import type { PathAuthority } from '../workspace/path-authority'

/** All that tools are made of. A factory names the few it needs; `services.ts` makes them once for all sessions. */
export interface Engines {
  clock: Clock
  paths: PathAuthority
  files: FileReader
  reader: TargetReader
  search: SearchEngine
  syntax: SyntaxEngine
  snapshots: SnapshotStores
  edits: EditEngine
  writes: WriteEngine
  stringEdits: StringEditEngine
  notebooks: NotebookEngine
  undo: UndoJournal
  checkpoints: Checkpoints
  git: GitReader
  tasks: BackgroundTasks
  shells: ShellRunner
  /** What a command line would destroy, found out on this machine. */
  losses: LossProbe
  /** The person's home folder. */
  home: string
}
