import { useSyncExternalStore } from 'react'

// The same height as in responsive.css: custom properties cannot stand in queries.
const query = window.matchMedia('(max-height: 780px)')

function subscribe(notify: () => void): () => void {
  query.addEventListener('change', notify)
  return () => query.removeEventListener('change', notify)
}

/** Whether the window is too low for two groups in the dock. */
export function useShortWindow(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches)
}
