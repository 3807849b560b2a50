import { Suspense } from 'react'
import { create } from 'zustand'
import { changeLayout } from '../../store/layout-store'
import { useSession } from '../../store/session-store'
import { LowerPanel, lowerTabs } from './dock-lower'
import { Changes } from './panels'
import { Tabs } from './tabs'
import { useShortWindow } from './use-short-window'

/** The tab of the upper group; in a low window the tabs of the lower one join it. */
const useUpperTab = create<{ readonly tab: 'changes' | 'timeline' | 'terminal' }>(() => ({ tab: 'changes' }))

/** The upper group of the dock: what was changed. */
export function DockUpper() {
  const short = useShortWindow()
  const files = useSession(({ state }) => Object.keys(state.sessionChanges).length)
  const chosen = useUpperTab((state) => state.tab)
  const tab = short ? chosen : 'changes'
  const changes = { id: 'changes', label: 'Changes', count: files } as const
  return (
    <section className="up" aria-label="Changes">
      <Tabs
        label="Panels"
        tabs={short ? [changes, ...lowerTabs] : [changes]}
        chosen={tab}
        onChoose={(next) => {
          useUpperTab.setState({ tab: next })
          if (next !== 'changes') changeLayout({ lowerTab: next })
        }}
      />
      <Suspense fallback={null}>{tab === 'changes' ? <Changes /> : <LowerPanel tab={tab} />}</Suspense>
    </section>
  )
}
