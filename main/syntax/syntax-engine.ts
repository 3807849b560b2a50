import type { RunOutcome, WorkerPool, WorkerTask } from '../platform/worker-pool'
import {
  type AstReport,
  type AstRow,
  type AstSearchArgs,
  emptyAstReport,
  type OutlineArgs,
  type OutlineRow,
} from './ast-types'

const searchTask: WorkerTask<AstSearchArgs, AstRow, AstReport> = { name: 'search' }
const outlineTask: WorkerTask<OutlineArgs, OutlineRow, AstReport> = { name: 'outline' }

/** Searches and outlines syntax trees in worker threads that start with the first call. */
export class SyntaxEngine {
  readonly #pool: WorkerPool

  /** `pool` runs the worker `ast`. */
  constructor(options: { pool: WorkerPool }) {
    this.#pool = options.pool
  }

  /** Lines of matches or rewrite previews. Ends at the deadline with what was found (AST-09). */
  async search(args: AstSearchArgs, signal: AbortSignal): Promise<{ rows: AstRow[]; report: AstReport }> {
    const rows: AstRow[] = []
    const timeoutMs = Math.max(0, args.deadlineAt - Date.now())
    const outcome = await this.#pool.run(searchTask, args, { signal, timeoutMs, onItem: (row) => rows.push(row) })
    return { rows, report: reportOf(outcome, rows.length) }
  }

  /** Top-level entries with their members. Ends at the deadline with what was found (AST-22). */
  async outline(args: OutlineArgs, signal: AbortSignal): Promise<{ rows: OutlineRow[]; report: AstReport }> {
    const rows: OutlineRow[] = []
    const timeoutMs = Math.max(0, args.deadlineAt - Date.now())
    const outcome = await this.#pool.run(outlineTask, args, { signal, timeoutMs, onItem: (row) => rows.push(row) })
    return { rows, report: reportOf(outcome, rows.length) }
  }
}

function reportOf(outcome: RunOutcome<AstReport>, found: number): AstReport {
  if (outcome.type === 'done') {
    // Without an abort, only the end of its time stops a task.
    const { timedOut, cancelled } = outcome.result
    return { ...outcome.result, timedOut: timedOut || cancelled }
  }
  return { ...emptyAstReport(), matches: found, timedOut: true }
}
