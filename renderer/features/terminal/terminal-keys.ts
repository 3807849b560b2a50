import type { Command } from '../../commands/registry'
import { commandForKey } from '../../commands/shortcuts'

/** What a key in a focused terminal does: `shell` gets it, or the window acts on it. */
export type TerminalKey = 'shell' | 'copy' | 'paste' | 'find' | 'app'

type Stroke = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/**
 * Who a key belongs to. Ctrl C and Ctrl V stay the shell's on Linux and Windows; with Shift they copy and paste, and
 * Ctrl Shift F finds. On macOS the same letters with Cmd. Few commands of the window count here; they say so themselves.
 */
export function terminalKey(stroke: Stroke, commands: Iterable<Command>, mac: boolean): TerminalKey {
  const editing = mac
    ? stroke.metaKey && !stroke.ctrlKey && !stroke.shiftKey
    : stroke.ctrlKey && stroke.shiftKey && !stroke.metaKey
  if (editing && !stroke.altKey) {
    if (stroke.code === 'KeyC') return 'copy'
    if (stroke.code === 'KeyV') return 'paste'
    if (stroke.code === 'KeyF') return 'find'
  }
  return commandForKey(commands, stroke, 'terminal', mac) === undefined ? 'shell' : 'app'
}
