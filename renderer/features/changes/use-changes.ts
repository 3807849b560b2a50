import { useEffect, useState } from 'react'
import type { ChangeScope, DiffContent } from '../../../preload/contract/changes'
import type { ChangedFile } from '../../../preload/contract/effects'
import type { SessionState } from '../../../preload/contract/session-state'
import { bridge } from '../../bridge'
import { useSession } from '../../store/session-store'
import { useSessions } from '../../store/sessions-store'

/** Several files often change within one call: they are asked for together, this long after the first, in milliseconds. */
const SETTLE_MS = 80

export interface ChangeList {
  readonly files: readonly ChangedFile[]
  /** The main process has answered for this scope. */
  readonly exact: boolean
  readonly failure: string | null
}

function sinceFolded(state: SessionState, scope: ChangeScope): readonly ChangedFile[] {
  if (scope === 'git') return []
  return Object.values(scope === 'turn' ? state.turnChanges : state.sessionChanges)
}

/** A number that grows whenever the window is looked at again: files may have been changed elsewhere meanwhile. */
function useFocusCount(): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    const onFocus = () => setCount((before) => before + 1)
    window.addEventListener('focus', onFocus)
    return () => window.removeEventListener('focus', onFocus)
  }, [])
  return count
}

/** What makes the files of a scope worth asking for again: every change of files, and the end of a turn. */
function useChangeMark(): object {
  const session = useSession(({ state }) => state.sessionChanges)
  const turn = useSession(({ state }) => state.turnChanges)
  const running = useSession(({ state }) => state.running !== null)
  const focus = useFocusCount()
  const trusted = useSessions(({ project }) => project?.trusted)
  const [mark, setMark] = useState({})
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them makes a new mark
  useEffect(() => setMark({}), [session, turn, running, focus, trusted])
  return mark
}

/**
 * The changed files of a scope, by path. At once what the session's events say; then what the main process counted.
 * Asked for again whenever files changed.
 */
export function useChangedFiles(scope: ChangeScope): ChangeList & { readonly mark: object } {
  const session = useSession((state) => state.id)
  const folded = useSession(({ state }) =>
    scope === 'git' ? null : scope === 'turn' ? state.turnChanges : state.sessionChanges,
  )
  const mark = useChangeMark()
  const [answer, setAnswer] = useState<{
    readonly key: string
    readonly files: readonly ChangedFile[]
    readonly failure: string | null
  } | null>(null)
  const key = `${session} ${scope}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new mark asks again
  useEffect(() => {
    if (session === null) return
    let current = true
    const timer = setTimeout(() => {
      bridge.changes.list({ session, scope }).then(
        (files) => current && setAnswer({ key, files, failure: null }),
        (error: unknown) => {
          const failure = error instanceof Error ? error.message : String(error)
          if (current) setAnswer({ key, files: sinceFolded(useSession.getState().state, scope), failure })
        },
      )
    }, SETTLE_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [session, scope, mark])
  if (answer?.key === key) return { files: answer.files, exact: true, failure: answer.failure, mark }
  return { files: folded === null ? [] : Object.values(folded), exact: false, failure: null, mark }
}

export type LoadedDiff =
  | { readonly state: 'loading'; readonly slow: boolean }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'ready'; readonly content: DiffContent }

/** A wait is shown after this long, in milliseconds. */
const SHOW_WAIT_MS = 150

/** Both sides of one file. The last answer stays on screen while the same file is asked for again. */
export function useFileDiff(scope: ChangeScope, path: string | null, mark: object): LoadedDiff {
  const session = useSession((state) => state.id)
  const key = `${session} ${scope} ${path}`
  const [answer, setAnswer] = useState<{ readonly key: string; readonly diff: LoadedDiff } | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new mark asks again
  useEffect(() => {
    if (session === null || path === null) return
    let current = true
    const put = (diff: LoadedDiff) => current && setAnswer({ key, diff })
    const wait = setTimeout(
      () =>
        setAnswer((before) =>
          before?.key === key || !current ? before : { key, diff: { state: 'loading', slow: true } },
        ),
      SHOW_WAIT_MS,
    )
    bridge.changes
      .diff({ session, scope, path })
      .then(
        (content) =>
          setAnswer((before) => {
            if (!current) return before
            return sameContent(before, key, content) ? before : { key, diff: { state: 'ready', content } }
          }),
        (error: unknown) => put({ state: 'failed', message: error instanceof Error ? error.message : String(error) }),
      )
      .finally(() => clearTimeout(wait))
    return () => {
      current = false
      clearTimeout(wait)
    }
  }, [session, scope, path, mark])
  return answer?.key === key ? answer.diff : { state: 'loading', slow: false }
}

function sameContent(
  answer: { readonly key: string; readonly diff: LoadedDiff } | null,
  key: string,
  content: DiffContent,
): boolean {
  if (answer?.key !== key || answer.diff.state !== 'ready') return false
  const known = answer.diff.content
  return known.before === content.before && known.after === content.after && known.notice === content.notice
}
