import { useCallback, useEffect, useRef, useState } from 'react'
import type { SessionId, TerminalId } from '../../../preload/contract/ids'
import type { TerminalInfo } from '../../../preload/contract/terminal'
import { bridge } from '../../bridge'

interface Tab {
  /** Stable while the shell behind it is made, and replaced when it is started again. */
  readonly key: string
  readonly info: TerminalInfo | null
}

interface Terminals {
  /** null until it is known which shells there are. */
  readonly tabs: readonly Tab[] | null
  readonly chosen: string | null
  readonly failure: string | null
  readonly choose: (key: string) => void
  readonly add: () => void
  /** Starts the shell of a tab that has none yet. */
  readonly create: (
    key: string,
    size: { readonly columns: number; readonly rows: number },
  ) => Promise<TerminalInfo | null>
  readonly markEnded: (key: string) => void
  /** Ends the shell of a tab and takes the tab away; with `again` another shell takes its place. */
  readonly close: (key: string, again: boolean) => void
}

let tabCount = 0
const newTab = (info: TerminalInfo | null = null): Tab => {
  tabCount += 1
  return { key: `tab-${tabCount}`, info }
}

interface Shown {
  readonly tabs: readonly Tab[] | null
  readonly chosen: string | null
}

/** The shells of a session. The first one is started when the terminal is first shown. */
export function useTerminals(session: SessionId): Terminals {
  const [{ tabs, chosen }, setShown] = useState<Shown>({ tabs: null, chosen: null })
  const [failure, setFailure] = useState<string | null>(null)
  const latest = useRef(tabs)
  latest.current = tabs

  useEffect(() => {
    let current = true
    bridge.terminal.list({ session }).then(
      (infos) => {
        if (!current) return
        const found = infos.map((info) => newTab(info))
        const first = found.length > 0 ? found : [newTab()]
        setShown({ tabs: first, chosen: first.at(-1)?.key ?? null })
      },
      (error: unknown) => current && setFailure(error instanceof Error ? error.message : String(error)),
    )
    return () => {
      current = false
    }
  }, [session])

  const change = useCallback((key: string, info: (before: TerminalInfo | null) => TerminalInfo | null) => {
    setShown((before) => ({
      ...before,
      tabs: before.tabs?.map((tab) => (tab.key === key ? { ...tab, info: info(tab.info) } : tab)) ?? null,
    }))
  }, [])

  const create = useCallback(
    async (key: string, size: { readonly columns: number; readonly rows: number }) => {
      try {
        const info = await bridge.terminal.create({ session, ...size })
        setFailure(null)
        change(key, () => info)
        return info
      } catch (error) {
        setFailure(error instanceof Error ? error.message : String(error))
        setShown((before) => without(before, key, false))
        return null
      }
    },
    [session, change],
  )

  const close = useCallback((key: string, again: boolean) => {
    const id: TerminalId | undefined = latest.current?.find((tab) => tab.key === key)?.info?.id
    // Whether the shell was still there makes no difference to who closes its tab.
    if (id !== undefined) bridge.terminal.close({ terminal: id }).catch(() => undefined)
    setFailure(null)
    setShown((before) => without(before, key, again))
  }, [])

  const add = useCallback(() => {
    const tab = newTab()
    setFailure(null)
    setShown((before) => ({ tabs: [...(before.tabs ?? []), tab], chosen: tab.key }))
  }, [])
  const choose = useCallback((key: string) => setShown((before) => ({ ...before, chosen: key })), [])
  const markEnded = useCallback(
    (key: string) => change(key, (info) => (info === null ? null : { ...info, alive: false })),
    [change],
  )
  return { tabs, chosen, failure, choose, add, create, markEnded, close }
}

function without(shown: Shown, key: string, again: boolean): Shown {
  const at = shown.tabs?.findIndex((tab) => tab.key === key) ?? -1
  if (shown.tabs === null || at === -1) return shown
  const tabs = shown.tabs.toSpliced(at, 1, ...(again ? [newTab()] : []))
  return { tabs, chosen: (tabs[at] ?? tabs.at(-1))?.key ?? null }
}
