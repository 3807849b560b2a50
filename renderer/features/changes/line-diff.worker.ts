import { diffLines, foldUnchanged } from './line-diff'

/** Edits after which a large difference is given up. Off the window's thread it may take some seconds. */
const MAX_EDITS_HERE = 6000

self.onmessage = (event: MessageEvent<{ before: string | null; after: string | null }>) => {
  const { before, after } = event.data
  self.postMessage(foldUnchanged(diffLines(before, after, MAX_EDITS_HERE)))
}
