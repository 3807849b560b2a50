import { bridge } from '../../bridge'
import { runCommand } from '../../commands/registry'
import { Button, IconButton } from '../../components/button'
import { Icon } from '../../components/icon'
import { KeyHint, withKey } from '../../components/key-hint'
import { isMac } from '../../lib/platform'
import { useLayout } from '../../store/layout-store'
import { useSession } from '../../store/session-store'
import { useSessions } from '../../store/sessions-store'
import { reportActFailure, useUi } from '../../store/ui-store'
import { ProjectPicker } from './project-picker'

const overlayTitles = { settings: 'Settings', permissions: 'Permissions', connect: 'Connect a model' } as const

function Crumb() {
  const project = useSessions((state) => state.project)
  const overlay = useUi((state) => state.overlay)
  const id = useSession((state) => state.id)
  const live = useSession(({ state }) => state.title)
  const listed = useSessions(({ sessions }) => sessions.find((summary) => summary.id === id)?.title)
  const title = overlay === null ? live || listed || 'New session' : overlayTitles[overlay]
  return (
    <div className="crumb">
      <span className="brand row" role="img" aria-label="Plumbline">
        <Icon name="bob" />
      </span>
      {project === null ? <span className="mid">No project open</span> : <ProjectPicker project={project} />}
      {(project !== null || overlay !== null) && (
        <>
          <span className="dim">/</span>
          <h1 className="cut med" title={title}>
            {title}
          </h1>
        </>
      )}
    </div>
  )
}

function PanelToggles() {
  const { sessionsOpen, lowerOpen, dockOpen } = useLayout((state) => state.layout)
  const words = (open: boolean, what: string) => `${open ? 'Hide' : 'Show'} ${what}`
  return (
    <>
      <IconButton
        icon="sideL"
        label={withKey(words(sessionsOpen, 'session list'), 'Mod+B')}
        aria-pressed={sessionsOpen}
        onClick={() => runCommand('panel.sessions')}
      />
      <IconButton
        icon="low"
        label={withKey(words(lowerOpen, 'lower panel'), 'Mod+J')}
        aria-pressed={lowerOpen}
        onClick={() => runCommand('panel.lower')}
      />
      <IconButton
        icon="sideR"
        label={withKey(words(dockOpen, 'right panel'), 'Mod+Alt+B')}
        aria-pressed={dockOpen}
        onClick={() => runCommand('panel.dock')}
      />
    </>
  )
}

function WindowControls() {
  if (isMac) return null
  const control = (act: 'minimize' | 'maximize' | 'close') => () =>
    void bridge.app.windowControl(act).catch(reportActFailure)
  return (
    <span className="wctl">
      <button type="button" aria-label="Minimise" onClick={control('minimize')}>
        <Icon name="min" />
      </button>
      <button type="button" aria-label="Maximise" onClick={control('maximize')}>
        <Icon name="win" />
      </button>
      <button type="button" aria-label="Close" onClick={control('close')}>
        <Icon name="x" />
      </button>
    </span>
  )
}

/** The frame's own title bar: where one is, the palette, the panels, the window. */
export function TitleBar() {
  const overlay = useUi((state) => state.overlay)
  const project = useSessions((state) => state.project)
  return (
    <header className={isMac ? 'titlebar mac' : 'titlebar'}>
      <Crumb />
      <button type="button" className="btn omni" data-testid="palette-open" onClick={() => runCommand('palette.open')}>
        <Icon name="search" />
        <span className="grow cut">Search or run a command</span>
        <KeyHint name="Mod+K" />
      </button>
      <div className="row tools">
        {overlay !== null ? (
          <Button small kind="quiet" icon="x" shortcut="Escape" onClick={() => useUi.setState({ overlay: null })}>
            Close
          </Button>
        ) : (
          project !== null && <PanelToggles />
        )}
        <WindowControls />
      </div>
    </header>
  )
}
