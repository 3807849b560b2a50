import { SnapshotStores } from '../../main/editing/snapshots'
import { WorkerPool } from '../../main/platform/worker-pool'
import { FileReader } from '../../main/reading/file-reader'
import { SearchEngine } from '../../main/search/search-engine'
import { SyntaxEngine } from '../../main/syntax/syntax-engine'
import type { RegisteredTool } from '../../main/toolsets/define'
import { PathAuthority } from '../../main/workspace/path-authority'
import type { ToolsetName } from '../../preload/contract/ids'
import { ToolBench } from './tool-bench'

/** A tool bench with the engines of the searching tools. */
export class SearchBench {
  readonly snapshots = new SnapshotStores()
  readonly engines
  lastSession = ''
  readonly #bench: ToolBench
  readonly #pool: WorkerPool
  readonly #syntaxPool: WorkerPool

  private constructor(bench: ToolBench) {
    this.#bench = bench
    this.#pool = new WorkerPool({ worker: 'search', size: 2 })
    this.#syntaxPool = new WorkerPool({ worker: 'ast', size: 1 })
    const paths = new PathAuthority({ home: bench.home })
    this.engines = {
      paths,
      files: new FileReader(),
      snapshots: this.snapshots,
      syntax: new SyntaxEngine({ pool: this.#syntaxPool }),
      search: new SearchEngine({ pool: this.#pool, paths }),
    }
  }

  static async make(): Promise<SearchBench> {
    return new SearchBench(await ToolBench.make())
  }

  get pool(): WorkerPool {
    return this.#pool
  }

  get project(): string {
    return this.#bench.project
  }

  write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
    return this.#bench.write(files)
  }

  session(toolset: ToolsetName, tools: readonly RegisteredTool[]) {
    const session = this.#bench.session(toolset, tools)
    this.lastSession = session.id
    return session.call
  }

  async dispose(): Promise<void> {
    await this.#pool.dispose()
    await this.#syntaxPool.dispose()
    await this.#bench.dispose()
  }
}
