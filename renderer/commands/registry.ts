import { create } from 'zustand'
import type { IconName } from '../components/icon-sprite'
import type { KeyName } from './keys'

/** One thing a person can do. The palette, the keys, the menu and the tray all run the same one. */
export interface Command {
  /** Stable, `area.act`; the menu and the tray of the main process name it. */
  readonly id: string
  /** Sentence case; an ellipsis where a choice follows. */
  readonly title: string
  readonly icon?: IconName
  readonly keys?: readonly KeyName[]
  /** Said beside the title in the palette. */
  readonly hint?: string
  /** Whether it can be done now. Absent: always. */
  readonly when?: () => boolean
  /** Its keys also count in a text field. */
  readonly inText?: boolean
  /** Its keys also count in a focused terminal. */
  readonly inTerminal?: boolean
  /** Reached by keys, menu or another command, not listed in the palette. */
  readonly hidden?: boolean
  readonly run: (argument?: string) => void
}

interface CommandStore {
  readonly commands: ReadonlyMap<string, Command>
}

/** Every command there is. */
export const useCommands = create<CommandStore>(() => ({ commands: new Map() }))

/** Adds commands; the answer takes them out again. A second command of the same id is a mistake and throws. */
export function registerCommands(commands: readonly Command[]): () => void {
  const next = new Map(useCommands.getState().commands)
  for (const command of commands) {
    if (next.has(command.id)) throw new Error(`Two commands have the id ${command.id}`)
    next.set(command.id, command)
  }
  useCommands.setState({ commands: next })
  return () => {
    const left = new Map(useCommands.getState().commands)
    for (const command of commands) left.delete(command.id)
    useCommands.setState({ commands: left })
  }
}

/** Runs a command that is known and possible now; says whether it did. */
export function runCommand(id: string, argument?: string): boolean {
  const command = useCommands.getState().commands.get(id)
  if (command === undefined || command.when?.() === false) return false
  command.run(argument)
  return true
}
