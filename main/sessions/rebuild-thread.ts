import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { Failure } from '../../preload/contract/errors'
import { PlumblineError } from '../platform/errors'
import { type RebuildResult, rebuildSidecar } from './index-rebuild'
import type { SessionPaths } from './session-paths'

/** Makes a session's sidecar anew, away from the caller's thread. Rejects with an AbortError when it is called off. */
export type Rebuild = (paths: SessionPaths, end: number, signal: AbortSignal) => Promise<RebuildResult>

/** Megabytes of the worker's heap. Folding holds a few pages only, whatever the journal's length. */
const WORKER_HEAP_MB = 512

const Answer = z.union([
  z.object({ result: z.object({ issues: z.array(z.object({ offset: z.number(), problem: z.string() })) }) }),
  z.object({ failure: Failure }),
])

/** The built worker beside the program's entries. */
export const rebuildWorkerUrl = new URL('./workers/index-rebuild.js', import.meta.url)

/** In a worker thread; where the built worker is missing (sources run directly) in this thread, in small steps. */
export function createRebuild(worker: URL = rebuildWorkerUrl): Rebuild {
  return async (paths, end, signal) => {
    signal.throwIfAborted()
    if (!existsSync(fileURLToPath(worker))) return rebuildSidecar(paths, end)
    return inThread(worker, paths, end, signal)
  }
}

function inThread(url: URL, paths: SessionPaths, end: number, signal: AbortSignal): Promise<RebuildResult> {
  return new Promise<RebuildResult>((resolve, reject) => {
    const worker = new Worker(url, { resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB } })
    let settled = false
    const settle = (act: () => void) => {
      // Ending the worker makes it say that it ended.
      if (settled) return
      settled = true
      signal.removeEventListener('abort', onAbort)
      void worker.terminate().then(act, act)
    }
    const onAbort = () => settle(() => reject(signal.reason))
    signal.addEventListener('abort', onAbort, { once: true })
    worker.once('message', (message: unknown) => {
      const answer = Answer.safeParse(message)
      if (!answer.success) settle(() => reject(new PlumblineError('internal', 'The index worker answered nonsense.')))
      else if ('failure' in answer.data) {
        const { code, message: text } = answer.data.failure
        settle(() => reject(new PlumblineError(code, text)))
      } else {
        const { result } = answer.data
        settle(() => resolve(result))
      }
    })
    worker.once('error', (failure) => settle(() => reject(failure)))
    worker.once('exit', () => settle(() => reject(new PlumblineError('internal', 'The index worker ended early.'))))
    worker.postMessage({ project: path.dirname(paths.journal), id: paths.id, end })
  })
}
