import type { MenuItemConstructorOptions } from 'electron'

export interface MenuOptions {
  platform: NodeJS.Platform
  appName: string
  /** Sends a command of the registry to the window in front. */
  run(command: string): void
}

/**
 * The menu, made of the ids of the command registry. Outside of macOS it is out of sight and the window handles the
 * keys itself, so the accelerators are shown there and not registered: nothing happens twice.
 */
export function menuTemplate({ platform, appName, run }: MenuOptions): MenuItemConstructorOptions[] {
  const mac = platform === 'darwin'
  const command = (id: string, label: string, accelerator?: string): MenuItemConstructorOptions => ({
    id,
    label,
    ...(accelerator === undefined ? {} : { accelerator, registerAccelerator: mac }),
    click: () => run(id),
  })
  const separator: MenuItemConstructorOptions = { type: 'separator' }
  const settings = command('settings.open', 'Settings…', 'CmdOrCtrl+,')
  const file: MenuItemConstructorOptions[] = [
    command('session.new', 'New session', 'CmdOrCtrl+N'),
    command('project.open', 'Open folder…', 'CmdOrCtrl+O'),
    separator,
    command('models.connect', 'Connect a model…'),
    command('demo.start', 'Guided demo (script, no model)'),
    separator,
    ...(mac ? [{ role: 'close' } as const] : [settings, separator, { role: 'quit' } as const]),
  ]
  const view: MenuItemConstructorOptions[] = [
    command('palette.open', 'Search or run a command…', 'CmdOrCtrl+K'),
    separator,
    command('panel.sessions', 'Sessions', 'CmdOrCtrl+B'),
    command('panel.dock', 'Right panel', 'CmdOrCtrl+Alt+B'),
    command('panel.lower', 'Lower panel', 'CmdOrCtrl+J'),
    separator,
    command('focus.transcript', 'Go to the transcript', 'CmdOrCtrl+1'),
    command('focus.changes', 'Go to the changes', 'CmdOrCtrl+2'),
    command('focus.timeline', 'Go to the timeline', 'CmdOrCtrl+3'),
    command('focus.terminal', 'Terminal', 'CmdOrCtrl+`'),
    separator,
    {
      label: 'Theme',
      submenu: ['system', 'light', 'dark', 'contrast'].map((theme) => command(`theme.${theme}`, theme)),
    },
    separator,
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { role: 'togglefullscreen' },
  ]
  const session: MenuItemConstructorOptions[] = [
    command('session.search', 'Search all sessions', 'CmdOrCtrl+Shift+F'),
    command('session.archive', 'Archive this session'),
    separator,
    command('request.next', 'Next request', 'F8'),
    command('request.previous', 'Previous request', 'Shift+F8'),
    command('turn.stop', 'Stop the turn'),
    separator,
    command('model.choose', 'Choose a model…'),
    command('permissions.open', 'Permissions'),
  ]
  const application: MenuItemConstructorOptions = {
    label: appName,
    submenu: [
      { role: 'about' },
      separator,
      settings,
      separator,
      { role: 'services' },
      separator,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      separator,
      { role: 'quit' },
    ],
  }
  return [
    ...(mac ? [application] : []),
    { label: 'File', submenu: file },
    { role: 'editMenu' },
    { label: 'View', submenu: view },
    { label: 'Session', submenu: session },
    ...(mac ? [{ role: 'windowMenu' } as const] : []),
  ]
}
