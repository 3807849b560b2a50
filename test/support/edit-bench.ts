import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { RepairPolicy } from '../../main/editing/apply-section'
import { SystemCheckpointGit } from '../../main/editing/checkpoint-git'
import { Checkpoints } from '../../main/editing/checkpoints'
import { EditEngine } from '../../main/editing/edit-engine'
import { FileMutator } from '../../main/editing/file-mutator'
import { NotebookEngine } from '../../main/editing/notebook-engine'
import { type SnapshotLimits, SnapshotStore, SnapshotStores } from '../../main/editing/snapshots'
import { StringEditEngine } from '../../main/editing/string-edit-engine'
import { UndoJournal } from '../../main/editing/undo-journal'
import { WriteEngine } from '../../main/editing/write-engine'
import { type FileOperations, systemFiles } from '../../main/platform/atomic-write'
import { systemClock } from '../../main/platform/clock'
import { FileReader } from '../../main/reading/file-reader'
import { TargetReader } from '../../main/reading/target-reader'
import { BlockResolver } from '../../main/syntax/block-resolver'
import { editTool as atomicEdit } from '../../main/toolsets/atomic/edit'
import { readTool as atomicRead } from '../../main/toolsets/atomic/read'
import { writeTool as atomicWrite } from '../../main/toolsets/atomic/write'
import { hashEditTool } from '../../main/toolsets/magi/hash-edit'
import { readTool as magiRead } from '../../main/toolsets/magi/read'
import { writeTool as magiWrite } from '../../main/toolsets/magi/write'
import { checkpointCreateTool } from '../../main/toolsets/o4/checkpoint-create'
import { checkpointRestoreTool } from '../../main/toolsets/o4/checkpoint-restore'
import { editTool as o4Edit } from '../../main/toolsets/o4/edit'
import { notebookEditTool as o4Notebook } from '../../main/toolsets/o4/notebook-edit'
import { readTool as o4Read } from '../../main/toolsets/o4/read'
import { undoTool } from '../../main/toolsets/o4/undo'
import { writeTool as o4Write } from '../../main/toolsets/o4/write'
import { editTool as plumblineEdit } from '../../main/toolsets/plumbline/edit'
import { notebookEditTool } from '../../main/toolsets/plumbline/notebook-edit'
import { readTool as plumblineRead } from '../../main/toolsets/plumbline/read'
import { undoTool as plumblineUndo } from '../../main/toolsets/plumbline/undo'
import { writeTool as plumblineWrite } from '../../main/toolsets/plumbline/write'
import { GitReader } from '../../main/workspace/git-reader'
import { PathAuthority } from '../../main/workspace/path-authority'
import type { Answer } from '../../preload/contract/effects'
import type { PermissionMode } from '../../preload/contract/ids'
import { type BenchAnswer, ToolBench } from './tool-bench'

/** The editing tools of all toolsets over one project folder; each toolset is a session of its own. */
export async function makeEditBench(
  options: {
    tagOf?: () => string
    files?: Partial<FileOperations>
    blocks?: boolean
    repairs?: RepairPolicy
    limits?: SnapshotLimits
    /** Checkpoints ask the installed Git. */
    git?: boolean
    /** Calls are judged as in a session of this mode, and every question gets this answer. */
    judged?: { mode: PermissionMode; answer: Answer }
  } = {},
) {
  const bench = await ToolBench.make()
  const stores = new SnapshotStores(
    () =>
      new SnapshotStore({
        ...(options.tagOf && { tagOf: options.tagOf }),
        ...(options.limits && { limits: options.limits }),
      }),
  )
  const paths = new PathAuthority({ home: bench.home })
  const files: FileOperations = { ...systemFiles, ...options.files }
  const mutator = new FileMutator({ files })
  const undo = new UndoJournal({ mutator, stores })
  const parts = { paths, stores, mutator, journal: undo }
  const checkpoints = new Checkpoints({
    list: async (_scope, root, max) => {
      const found = await readdir(root, { recursive: true, withFileTypes: true })
      const names = found.flatMap((entry) =>
        entry.isFile() && !entry.parentPath.includes('.git')
          ? [path.relative(root, path.join(entry.parentPath, entry.name))]
          : [],
      )
      return { files: names.sort(), complete: names.length <= max }
    },
    ...(options.git && { git: new SystemCheckpointGit({ reader: new GitReader() }) }),
    mutator,
    journal: undo,
    clock: systemClock,
  })
  const blocks = options.blocks === false ? {} : { blocks: new BlockResolver() }
  const engines = {
    edits: new EditEngine({ ...parts, ...blocks, repairs: () => options.repairs }),
    writes: new WriteEngine(parts),
    stringEdits: new StringEditEngine(parts),
    notebooks: new NotebookEngine(parts),
    undo,
    checkpoints,
    reader: new TargetReader({ paths, files: new FileReader() }),
    snapshots: stores,
  }
  const { judged } = options
  const open = {
    plumbline: () =>
      bench.session(
        'plumbline',
        [
          plumblineRead(engines),
          plumblineEdit(engines),
          plumblineWrite(engines),
          notebookEditTool(engines),
          plumblineUndo(engines),
          checkpointCreateTool(engines),
          checkpointRestoreTool(engines),
        ],
        false,
        judged,
      ),
    magi: () => bench.session('magi', [magiRead(engines), hashEditTool(engines), magiWrite(engines)], false, judged),
    atomic: () =>
      bench.session('atomic', [atomicRead(engines), atomicEdit(engines), atomicWrite(engines)], false, judged),
    o4: () =>
      bench.session(
        'o4',
        [
          o4Read(engines),
          o4Edit(engines),
          o4Write(engines),
          undoTool(engines),
          o4Notebook(engines),
          checkpointCreateTool(engines),
          checkpointRestoreTool(engines),
        ],
        false,
        judged,
      ),
  }
  const text = async (name: string) => readFile(path.join(bench.project, name), 'utf8')
  return { bench, engines, files, open, text, at: (name: string) => path.join(bench.project, name) }
}

/** The tag in the first header of an answer. */
export function tagIn(answer: BenchAnswer, header = /#([0-9A-F]{4,6})\]/): string {
  const tag = header.exec(answer.text)?.[1]
  if (tag === undefined) throw new Error(`No tag in: ${answer.text}`)
  return tag
}

/** Tags are derived from contents; tests look at the rest. */
export const untagged = (text: string) => text.replace(/#[0-9A-F]{4,6}\b/g, '#TAG')
