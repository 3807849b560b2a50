import { describe, expect, it, vi } from 'vitest'
import { registerCommands, runCommand, useCommands } from '../../../../renderer/commands/registry'

describe('the command registry', () => {
  it('runs a known command with its argument, and says when it could not', () => {
    const run = vi.fn()
    const remove = registerCommands([
      { id: 'a.run', title: 'Run', run },
      { id: 'a.blocked', title: 'Blocked', when: () => false, run },
    ])
    expect(runCommand('a.run', '/path')).toBe(true)
    expect(run).toHaveBeenCalledWith('/path')
    expect(runCommand('a.blocked')).toBe(false)
    expect(runCommand('a.unknown')).toBe(false)
    expect(run).toHaveBeenCalledOnce()
    remove()
    expect(useCommands.getState().commands.has('a.run')).toBe(false)
  })

  it('refuses a second command of the same id', () => {
    const remove = registerCommands([{ id: 'a.twice', title: 'One', run: () => undefined }])
    expect(() => registerCommands([{ id: 'a.twice', title: 'Two', run: () => undefined }])).toThrow('a.twice')
    remove()
  })
})
