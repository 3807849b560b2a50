import { describe, expect, it } from 'vitest'
import { planSetup } from '../../../resources/build/setup.mjs'

describe('what a purpose takes', () => {
  it('opens a window only where there is a display', () => {
    expect(planSetup('start', { display: true }).steps).toEqual([
      'node',
      'system',
      'packages',
      'native',
      'electron',
      'build',
    ])
    const terminal = planSetup('start', { display: false })
    expect(terminal.steps).not.toContain('electron')
    expect(terminal.essential).not.toContain('window')
  })

  it('checks Node before everything else, for every purpose', () => {
    for (const purpose of ['start', 'test', 'bench', 'check', 'build', 'electron'] as const) {
      expect(planSetup(purpose, { display: false }).steps[0]).toBe('node')
    }
  })

  it('insists on a virtual display only for tests on a machine without one', () => {
    expect(planSetup('test', { display: false }).essential).toContain('display')
    expect(planSetup('test', { display: true }).essential).not.toContain('display')
    expect(planSetup('start', { display: true }).useful).not.toContain('display')
  })

  it('never insists on what only the keychain needs', () => {
    for (const purpose of ['start', 'test', 'build'] as const) {
      expect(planSetup(purpose, { display: true }).essential).not.toContain('keychainBuild')
    }
  })
})
