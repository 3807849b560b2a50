import { useSyncExternalStore } from 'react'

const SECOND_MS = 1000
const watchers = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = Date.now()

function watch(notify: () => void): () => void {
  watchers.add(notify)
  if (timer === undefined) {
    now = Date.now()
    timer = setInterval(() => {
      now = Date.now()
      for (const watcher of watchers) watcher()
    }, SECOND_MS)
  }
  return () => {
    watchers.delete(notify)
    if (watchers.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The time, once a second while something shows it. One timer serves the whole window; none runs when nothing does. */
export function useSecond(): number {
  return useSyncExternalStore(watch, () => now)
}
