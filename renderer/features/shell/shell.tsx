import { lazy, Suspense, useEffect } from 'react'
import { Toasts } from '../../components/toasts'
import { useSessions } from '../../store/sessions-store'
import { type Overlay, useUi } from '../../store/ui-store'
import { Palette } from '../palette'
import { ConnectPage, Start } from '../start'
import { StatusLine } from '../status'
import { Body } from './body'
import { TitleBar } from './title-bar'
import { useWindowDrop } from './window-drop'

const Settings = lazy(() => import('../settings'))
const Permissions = lazy(() => import('../permissions'))

function OverlayPage({ overlay }: { readonly overlay: Overlay }) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      event.preventDefault()
      useUi.setState({ overlay: null })
    }
    window.addEventListener('keydown', onKeyDown, { capture: false })
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
  switch (overlay) {
    case 'settings':
      return <Settings />
    case 'permissions':
      return <Permissions />
    case 'connect':
      return <ConnectPage />
  }
}

function Page() {
  const overlay = useUi((state) => state.overlay)
  const project = useSessions((state) => state.project)
  const ready = useSessions((state) => state.ready)
  if (overlay !== null) {
    return (
      <Suspense fallback={<main />}>
        <OverlayPage overlay={overlay} />
      </Suspense>
    )
  }
  if (project !== null) return <Body />
  return ready ? <Start /> : <main className="canvas" />
}

/** The whole window. */
export function Shell() {
  const palette = useUi((state) => state.paletteOpen)
  useWindowDrop()
  return (
    <div className="win">
      <TitleBar />
      <Page />
      <StatusLine />
      {palette && <Palette />}
      <Toasts />
    </div>
  )
}
