import { type KeyStroke, matchesKey } from './keys'
import { type Command, useCommands } from './registry'

/** Where the focus is: in a text field or a terminal most keys belong to what is focused. */
export type FocusPlace = 'text' | 'terminal' | 'elsewhere'

/** The command that a key stroke runs, or undefined. */
export function commandForKey(
  commands: Iterable<Command>,
  stroke: KeyStroke,
  place: FocusPlace,
  mac: boolean,
): Command | undefined {
  for (const command of commands) {
    if (place === 'text' && command.inText !== true) continue
    if (place === 'terminal' && command.inTerminal !== true) continue
    if (command.keys?.some((key) => matchesKey(key, stroke, mac)) && command.when?.() !== false) return command
  }
  return undefined
}

function focusPlace(target: EventTarget | null): FocusPlace {
  if (!(target instanceof HTMLElement)) return 'elsewhere'
  if (target.closest('[data-keys="terminal"], .xterm') !== null) return 'terminal'
  const editable = target.isContentEditable || target.matches('input, textarea, select')
  return editable ? 'text' : 'elsewhere'
}

/** Runs commands by their keys. What a component handled itself (`preventDefault`) is left alone. */
export function listenForShortcuts(mac: boolean): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    const { commands } = useCommands.getState()
    const command = commandForKey(commands.values(), event, focusPlace(event.target), mac)
    if (command === undefined) return
    event.preventDefault()
    command.run()
  }
  window.addEventListener('keydown', onKeyDown)
  return () => window.removeEventListener('keydown', onKeyDown)
}
