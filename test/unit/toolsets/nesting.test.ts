import { describe, expect, it } from 'vitest'
import { nestsDeeperThan } from '../../../main/toolsets/nesting'

describe('nestsDeeperThan', () => {
  it('counts arrays and objects alike, up to the limit and not one over', () => {
    const value = { a: [{ b: 1 }], c: null }
    expect(nestsDeeperThan(value, 3)).toBe(false)
    expect(nestsDeeperThan(value, 2)).toBe(true)
    expect(nestsDeeperThan('text', 0)).toBe(false)
    expect(nestsDeeperThan(undefined, 0)).toBe(false)
  })

  it('is not ended by depth itself', () => {
    const depth = 300_000
    expect(nestsDeeperThan(JSON.parse('['.repeat(depth) + ']'.repeat(depth)), 200)).toBe(true)
  })
})
