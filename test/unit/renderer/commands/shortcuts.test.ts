import { describe, expect, it } from 'vitest'
import { type KeyStroke, matchesKey, showKey } from '../../../../renderer/commands/keys'
import type { Command } from '../../../../renderer/commands/registry'
import { commandForKey } from '../../../../renderer/commands/shortcuts'

function stroke(code: string, key: string, modifiers: Partial<KeyStroke> = {}): KeyStroke {
  return { code, key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...modifiers }
}

const command = (id: string, extra: Partial<Command>): Command => ({ id, title: id, run: () => undefined, ...extra })

describe('matchesKey', () => {
  it('takes Ctrl, and Cmd on macOS, for Mod', () => {
    expect(matchesKey('Mod+K', stroke('KeyK', 'k', { ctrlKey: true }), false)).toBe(true)
    expect(matchesKey('Mod+K', stroke('KeyK', 'k', { metaKey: true }), false)).toBe(false)
    expect(matchesKey('Mod+K', stroke('KeyK', 'k', { metaKey: true }), true)).toBe(true)
    expect(matchesKey('Mod+K', stroke('KeyK', 'k', { ctrlKey: true }), true)).toBe(false)
  })

  it('wants exactly the modifiers that are named', () => {
    expect(matchesKey('Mod+K', stroke('KeyK', 'K', { ctrlKey: true, shiftKey: true }), false)).toBe(false)
    expect(matchesKey('Mod+Shift+F', stroke('KeyF', 'F', { ctrlKey: true, shiftKey: true }), false)).toBe(true)
    expect(matchesKey('F8', stroke('F8', 'F8'), false)).toBe(true)
    expect(matchesKey('F8', stroke('F8', 'F8', { shiftKey: true }), false)).toBe(false)
  })

  it('goes by the place of letters, digits and marks, whatever Alt or the layout makes of them', () => {
    expect(matchesKey('Mod+Alt+B', stroke('KeyB', '∫', { ctrlKey: true, altKey: true }), false)).toBe(true)
    expect(matchesKey('Mod+`', stroke('Backquote', 'Dead', { ctrlKey: true }), false)).toBe(true)
    expect(matchesKey('Mod+1', stroke('Digit1', '&', { ctrlKey: true }), false)).toBe(true)
  })
})

describe('showKey', () => {
  it('writes keys as labels do', () => {
    expect(showKey('Mod+Shift+F', false)).toBe('Ctrl ⇧ F')
    expect(showKey('Mod+K', true)).toBe('⌘ K')
    expect(showKey('s', false)).toBe('s')
    expect(showKey('Escape', false)).toBe('Esc')
  })
})

describe('commandForKey', () => {
  const key = stroke('KeyJ', 'j', { ctrlKey: true })
  const everywhere = command('everywhere', { keys: ['Mod+J'], inText: true, inTerminal: true })
  const plain = command('plain', { keys: ['Mod+J'] })

  it('leaves keys to a text field and a terminal unless the command is of the short list', () => {
    expect(commandForKey([plain], key, 'elsewhere', false)?.id).toBe('plain')
    expect(commandForKey([plain], key, 'text', false)).toBeUndefined()
    expect(commandForKey([plain], key, 'terminal', false)).toBeUndefined()
    expect(commandForKey([plain, everywhere], key, 'terminal', false)?.id).toBe('everywhere')
    expect(commandForKey([plain, everywhere], key, 'text', false)?.id).toBe('everywhere')
  })

  it('passes over a command that is not possible now', () => {
    const never = command('never', { keys: ['Mod+J'], when: () => false })
    expect(commandForKey([never, plain], key, 'elsewhere', false)?.id).toBe('plain')
  })
})
