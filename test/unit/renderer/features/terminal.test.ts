import { describe, expect, it } from 'vitest'
import { type ReadableBuffer, screenText } from '../../../../renderer/features/terminal/screen-text'
import { terminalKey } from '../../../../renderer/features/terminal/terminal-keys'

const buffer = (lines: readonly string[], baseY = 0, wrapped: readonly number[] = []): ReadableBuffer => ({
  baseY,
  length: lines.length,
  getLine: (row) => {
    const text = lines[row]
    if (text === undefined) return undefined
    return { isWrapped: wrapped.includes(row), translateToString: (trim) => (trim === true ? text.trimEnd() : text) }
  },
})

describe('screenText', () => {
  it('is the last screen without its empty end', () => {
    expect(screenText(buffer(['old', 'one   ', 'two', '   ', ''], 1), 4)).toBe('one\ntwo')
  })

  it('joins wrapped rows, also one that began above the screen', () => {
    expect(screenText(buffer(['begin ', 'middle', 'next'], 1, [1]), 2)).toBe('begin middle\nnext')
  })
})

const stroke = (code: string, held: string) => ({
  key: code.replace('Key', '').toLowerCase(),
  code,
  ctrlKey: held.includes('Ctrl'),
  metaKey: held.includes('Cmd'),
  altKey: held.includes('Alt'),
  shiftKey: held.includes('Shift'),
})

describe('terminalKey', () => {
  const run = () => undefined
  const commands = [
    { id: 'panel.lower', title: 'Lower', keys: ['Mod+J'], inTerminal: true, run },
    { id: 'palette', title: 'Palette', keys: ['Mod+K'], inText: true, run },
  ]

  it('leaves Ctrl C and Ctrl V to the shell and copies and pastes with Shift', () => {
    expect(terminalKey(stroke('KeyC', 'Ctrl'), commands, false)).toBe('shell')
    expect(terminalKey(stroke('KeyV', 'Ctrl'), commands, false)).toBe('shell')
    expect(terminalKey(stroke('KeyC', 'Ctrl Shift'), commands, false)).toBe('copy')
    expect(terminalKey(stroke('KeyV', 'Ctrl Shift'), commands, false)).toBe('paste')
    expect(terminalKey(stroke('KeyF', 'Ctrl Shift'), commands, false)).toBe('find')
  })

  it('uses Cmd on macOS and leaves Ctrl to the shell', () => {
    expect(terminalKey(stroke('KeyC', 'Cmd'), commands, true)).toBe('copy')
    expect(terminalKey(stroke('KeyC', 'Ctrl Shift'), commands, true)).toBe('shell')
  })

  it('gives the window only the commands that count in a terminal', () => {
    expect(terminalKey(stroke('KeyJ', 'Ctrl'), commands, false)).toBe('app')
    expect(terminalKey(stroke('KeyK', 'Ctrl'), commands, false)).toBe('shell')
  })
})
