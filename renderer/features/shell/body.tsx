import { useLayoutEffect, useRef } from 'react'
import { PartBoundary } from '../../components/part-boundary'
import { Sash } from '../../components/sash'
import { classNames } from '../../lib/class-names'
import { changeLayout, defaultLayout, useLayout } from '../../store/layout-store'
import { useUi } from '../../store/ui-store'
import { DockLower, DockRail, DockUpper } from '../dock'
import { SessionList, SessionRail } from '../sessions'
import { Conversation } from './conversation'

/** Widths in CSS pixels, from the drawings of the window. */
const SESSIONS_WIDTH = { minimum: 176, maximum: 360 }
const DOCK_MINIMUM = 360

/** The dock never takes more than this part of the window. */
const DOCK_PART = 0.6

function Sidebar() {
  const width = useLayout(({ layout }) => layout.sessionsWidth)
  return (
    <nav className="side" aria-label="Sessions">
      <PartBoundary what="The list of sessions">
        <SessionList />
      </PartBoundary>
      <Sash
        className="v r"
        orientation="vertical"
        label="Resize session list"
        size={width}
        {...SESSIONS_WIDTH}
        onResize={(sessionsWidth) => changeLayout({ sessionsWidth })}
        onReset={() => changeLayout({ sessionsWidth: defaultLayout.sessionsWidth })}
      />
    </nav>
  )
}

function Dock() {
  const width = useLayout(({ layout }) => layout.dockWidth)
  const lowerOpen = useLayout(({ layout }) => layout.lowerOpen)
  return (
    <aside className="dock" aria-label="Changes, timeline and terminal">
      <Sash
        className="v"
        orientation="vertical"
        label="Resize right panel"
        size={width}
        minimum={DOCK_MINIMUM}
        maximum={window.innerWidth * DOCK_PART}
        atEnd
        onResize={(dockWidth) => changeLayout({ dockWidth })}
        onReset={() => changeLayout({ dockWidth: defaultLayout.dockWidth })}
      />
      <PartBoundary what="This panel">
        <DockUpper />
      </PartBoundary>
      {lowerOpen && (
        <PartBoundary what="This panel">
          <DockLower />
        </PartBoundary>
      )}
    </aside>
  )
}

/** The three columns. Sizes are custom properties of this element, so that a drag draws no component but the sash. */
export function Body() {
  const body = useRef<HTMLDivElement>(null)
  const layout = useLayout((state) => state.layout)
  const dockOver = useUi((state) => state.dockOver)
  useLayoutEffect(() => {
    body.current?.style.setProperty('--w-sidebar', `${layout.sessionsWidth}px`)
    body.current?.style.setProperty('--w-dock', `${layout.dockWidth}px`)
    body.current?.style.setProperty('--h-lower', `${layout.lowerHeight}px`)
  }, [layout.sessionsWidth, layout.dockWidth, layout.lowerHeight])
  return (
    <div
      ref={body}
      className={classNames(
        'body',
        !layout.sessionsOpen && 'no-side',
        !layout.dockOpen && 'no-dock',
        dockOver && 'dock-over',
      )}
    >
      <SessionRail />
      <Sidebar />
      <Conversation />
      <Dock />
      <DockRail />
    </div>
  )
}
