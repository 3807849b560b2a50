import type { PermissionMode } from '../../preload/contract/ids'
import { modes, toolsets } from '../features/composer/choices'
import { flushDrafts, focusComposer } from '../store/composer-store'
import { changeLayout, useLayout } from '../store/layout-store'
import { openProject, pickProject, startDemo, startNewSession } from '../store/project-actions'
import { selectSession, setArchived, setMode, setToolset, stopTurn } from '../store/session-actions'
import { useSession } from '../store/session-store'
import { useSessions } from '../store/sessions-store'
import { chooseTheme } from '../store/settings-store'
import { applyLaunch } from '../store/start'
import { reportActFailure, useUi } from '../store/ui-store'
import type { Command } from './registry'
import { goToRequest } from './requests'

const attempt = (act: Promise<unknown>) => void act.catch(reportActFailure)
const hasProject = () => useSessions.getState().project !== null
const hasSession = () => useSession.getState().id !== null
const isRunning = () => useSession.getState().state.running !== null

const files: readonly Command[] = [
  {
    id: 'project.open',
    title: 'Open folder…',
    icon: 'folder',
    keys: ['Mod+O'],
    inText: true,
    run: (path) => attempt(path === undefined ? pickProject() : openProject(path)),
  },
  { id: 'demo.start', title: 'Guided demo', hint: 'script, no model', icon: 'play', run: () => attempt(startDemo()) },
]

const sessions: readonly Command[] = [
  { id: 'launch.apply', title: 'Do what a second start asked for', hidden: true, run: () => attempt(applyLaunch()) },
  {
    id: 'session.new',
    title: 'New session',
    icon: 'plus',
    keys: ['Mod+N'],
    inText: true,
    when: hasProject,
    run: () => {
      flushDrafts()
      startNewSession()
      focusComposer()
    },
  },
  {
    id: 'session.open',
    title: 'Open session',
    hidden: true,
    run: (id) => {
      const summary = useSessions.getState().sessions.find((candidate) => candidate.id === id)
      if (summary !== undefined) attempt(selectSession(summary))
    },
  },
  {
    id: 'session.archive',
    title: 'Archive this session',
    icon: 'archive',
    when: hasSession,
    run: () => {
      const { id } = useSession.getState()
      if (id !== null) attempt(setArchived(id, true))
    },
  },
  {
    id: 'session.search',
    title: 'Search all sessions',
    icon: 'search',
    keys: ['Mod+Shift+F'],
    inText: true,
    when: hasProject,
    run: () => {
      changeLayout({ sessionsOpen: true })
      requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-search="sessions"]')?.focus())
    },
  },
  {
    id: 'turn.stop',
    title: 'Stop the turn',
    icon: 'stop',
    keys: ['Escape'],
    inText: true,
    when: isRunning,
    run: () => attempt(stopTurn()),
  },
  {
    id: 'request.next',
    title: 'Next request',
    icon: 'need',
    keys: ['F8'],
    inText: true,
    inTerminal: true,
    run: () => goToRequest(1),
  },
  {
    id: 'request.previous',
    title: 'Previous request',
    icon: 'need',
    keys: ['Shift+F8'],
    inText: true,
    inTerminal: true,
    run: () => goToRequest(-1),
  },
]

const panels: readonly Command[] = [
  {
    id: 'palette.open',
    title: 'Search or run a command',
    keys: ['Mod+K'],
    inText: true,
    hidden: true,
    run: () => useUi.setState(({ paletteOpen }) => ({ paletteOpen: !paletteOpen })),
  },
  {
    id: 'panel.sessions',
    title: 'Show or hide the session list',
    icon: 'sideL',
    keys: ['Mod+B'],
    inText: true,
    run: () => changeLayout({ sessionsOpen: !useLayout.getState().layout.sessionsOpen }),
  },
  {
    id: 'panel.lower',
    title: 'Show or hide the lower panel',
    icon: 'low',
    keys: ['Mod+J'],
    inText: true,
    inTerminal: true,
    run: () => changeLayout({ lowerOpen: !useLayout.getState().layout.lowerOpen }),
  },
  {
    id: 'panel.dock',
    title: 'Show or hide the right panel',
    icon: 'sideR',
    keys: ['Mod+Alt+B'],
    inText: true,
    run: () => {
      changeLayout({ dockOpen: !useLayout.getState().layout.dockOpen })
      useUi.setState(({ dockOver }) => ({ dockOver: !dockOver }))
    },
  },
  {
    id: 'focus.transcript',
    title: 'Go to the transcript',
    icon: 'bob',
    keys: ['Mod+1'],
    inText: true,
    inTerminal: true,
    run: () => document.querySelector<HTMLElement>('[data-testid="transcript"]')?.focus(),
  },
  {
    id: 'focus.changes',
    title: 'Go to the changes',
    icon: 'diff',
    keys: ['Mod+2'],
    inText: true,
    inTerminal: true,
    run: () => {
      changeLayout({ dockOpen: true })
      useUi.setState({ dockOver: true })
      focusSoon('[data-testid="changes"]')
    },
  },
  {
    id: 'focus.timeline',
    title: 'Go to the timeline',
    icon: 'clock',
    keys: ['Mod+3'],
    inText: true,
    inTerminal: true,
    run: () => {
      showLower('timeline')
      focusSoon('[data-testid="timeline"]')
    },
  },
  {
    id: 'focus.terminal',
    title: 'Terminal',
    icon: 'term',
    keys: ['Mod+`'],
    inText: true,
    inTerminal: true,
    run: () => {
      showLower('terminal')
      focusSoon('[data-testid="terminal"] textarea, [data-testid="terminal"]')
    },
  },
  { id: 'focus.composer', title: 'Write a message', icon: 'edit', when: hasProject, run: focusComposer },
]

const pages: readonly Command[] = [
  {
    id: 'settings.open',
    title: 'Settings',
    icon: 'sliders',
    keys: ['Mod+,'],
    inText: true,
    run: () => useUi.setState({ overlay: 'settings' }),
  },
  {
    id: 'permissions.open',
    title: 'Permissions',
    icon: 'shield',
    run: () => useUi.setState({ overlay: 'permissions' }),
  },
  { id: 'models.connect', title: 'Connect a model…', icon: 'key', run: () => useUi.setState({ overlay: 'connect' }) },
  {
    id: 'model.choose',
    title: 'Choose a model…',
    icon: 'cpu',
    when: hasProject,
    run: () => useUi.setState({ picker: 'model' }),
  },
]

const themes: readonly Command[] = (['system', 'light', 'dark', 'contrast'] as const).map((theme) => ({
  id: `theme.${theme}`,
  title: `Theme: ${theme}`,
  icon: 'eye' as const,
  run: () => attempt(chooseTheme(theme)),
}))

function modeCommand(mode: PermissionMode, hint: string): Command {
  const bypass = mode === 'bypass'
  return {
    id: `mode.${mode}`,
    title: bypass ? 'Mode: bypass…' : `Mode: ${mode}`,
    hint,
    icon: 'shield',
    when: hasProject,
    run: () => (bypass ? useUi.setState({ confirmingBypass: true }) : attempt(setMode(mode))),
  }
}

function showLower(lowerTab: 'timeline' | 'terminal'): void {
  changeLayout({ dockOpen: true, lowerOpen: true, lowerTab })
  useUi.setState({ dockOver: true })
}

/** The panel may only just be appearing: its parts are loaded when they are first shown. */
function focusSoon(selector: string, tries = 20): void {
  requestAnimationFrame(() => {
    const target = document.querySelector<HTMLElement>(selector)
    if (target !== null) target.focus()
    else if (tries > 0) focusSoon(selector, tries - 1)
  })
}

/** The commands of the frame: everything that does not belong to a single panel. */
export const appCommands: readonly Command[] = [
  ...files,
  ...sessions,
  ...panels,
  ...pages,
  ...modes.flatMap(({ mode, description, unavailable }) =>
    unavailable === undefined ? [modeCommand(mode, description)] : [],
  ),
  ...toolsets.map((toolset) => ({
    id: `toolset.${toolset}`,
    title: `Toolset: ${toolset}`,
    icon: 'tool' as const,
    when: hasProject,
    run: () => attempt(setToolset(toolset)),
  })),
  ...themes,
]
