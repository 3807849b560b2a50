import type { DiffContent } from '../../../preload/contract/changes'
import { type DiffRow, diffLines, foldUnchanged } from './line-diff'
import LineDiffWorker from './line-diff.worker?worker'

/** Characters of both sides up to which a difference is computed at once: it then costs less than a frame. */
const AT_ONCE_CHARACTERS = 64 * 1024

function rowsFromWorker(before: string | null, after: string | null, signal: AbortSignal): Promise<DiffRow[]> {
  return new Promise((resolve, reject) => {
    const worker = new LineDiffWorker()
    const end = () => worker.terminate()
    signal.addEventListener('abort', end, { once: true })
    worker.onmessage = (event: MessageEvent<DiffRow[]>) => {
      end()
      resolve(event.data)
    }
    worker.onerror = (event) => {
      end()
      reject(new Error(event.message || 'The difference could not be computed.'))
    }
    worker.postMessage({ before, after })
  })
}

/** The rows of a file's difference. Large ones are computed off the window's thread; aborting ends that work. */
export async function diffRowsOf(
  { before, after }: Pick<DiffContent, 'before' | 'after'>,
  signal: AbortSignal,
): Promise<readonly DiffRow[]> {
  const small = (before?.length ?? 0) + (after?.length ?? 0) <= AT_ONCE_CHARACTERS
  return small ? foldUnchanged(diffLines(before, after)) : rowsFromWorker(before, after, signal)
}
