import { useSyncExternalStore } from 'react'

type RichText = typeof import('./rich-text')

let loaded: RichText | null = null
let loading: Promise<void> | null = null
const waiting = new Set<() => void>()

/** Loads the Markdown parser and the highlighter. They are kept out of the first script, so that the window opens sooner. */
export function loadRichText(): Promise<void> {
  loading ??= import('./rich-text').then((module) => {
    loaded = module
    for (const notify of waiting) notify()
    waiting.clear()
  })
  return loading
}

function subscribe(notify: () => void): () => void {
  if (loaded === null) waiting.add(notify)
  void loadRichText()
  return () => waiting.delete(notify)
}

/** The Markdown parser and the highlighter, or null while they are being loaded: text is plain until then. */
export function useRichText(): RichText | null {
  return useSyncExternalStore(subscribe, () => loaded)
}
