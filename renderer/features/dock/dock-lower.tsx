import { Suspense } from 'react'
import { IconButton } from '../../components/button'
import { withKey } from '../../components/key-hint'
import { Sash } from '../../components/sash'
import { changeLayout, defaultLayout, useLayout } from '../../store/layout-store'
import { Terminal, Timeline } from './panels'
import { Tabs } from './tabs'

const MINIMUM_HEIGHT = 120

export const lowerTabs = [
  { id: 'timeline', label: 'Timeline' },
  { id: 'terminal', label: 'Terminal' },
] as const

export type LowerTab = (typeof lowerTabs)[number]['id']

/** The panel of a tab of the lower group. */
export function LowerPanel({ tab }: { readonly tab: LowerTab }) {
  return tab === 'terminal' ? <Terminal /> : <Timeline />
}

/** The lower group of the dock: what happened, and the terminal. */
export function DockLower() {
  const height = useLayout(({ layout }) => layout.lowerHeight)
  const saved = useLayout(({ layout }) => layout.lowerTab)
  const tab: LowerTab = saved === 'terminal' ? 'terminal' : 'timeline'
  return (
    <section className="low" aria-label="Lower panel">
      <Sash
        className="h"
        orientation="horizontal"
        label="Resize lower panel"
        size={height}
        minimum={MINIMUM_HEIGHT}
        maximum={window.innerHeight * 0.7}
        atEnd
        onResize={(lowerHeight) => changeLayout({ lowerHeight })}
        onReset={() => changeLayout({ lowerHeight: defaultLayout.lowerHeight })}
      />
      <Tabs
        label="Lower panel"
        tabs={lowerTabs}
        chosen={tab}
        onChoose={(lowerTab) => changeLayout({ lowerTab })}
        end={
          <IconButton
            icon="down"
            label={withKey('Collapse', 'Mod+J')}
            onClick={() => changeLayout({ lowerOpen: false })}
          />
        }
      />
      <Suspense fallback={null}>
        <LowerPanel tab={tab} />
      </Suspense>
    </section>
  )
}
