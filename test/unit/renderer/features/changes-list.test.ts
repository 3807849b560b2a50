import { describe, expect, it } from 'vitest'
import { isLarge, MAX_EDITOR_CHARACTERS, MAX_EDITOR_LINES } from '../../../../renderer/features/changes/diff-size'
import { rowForKey } from '../../../../renderer/features/changes/row-keys'

describe('rowForKey', () => {
  it('moves by rows and pages and stops at the ends', () => {
    expect(rowForKey('ArrowDown', 3, 20)).toBe(4)
    expect(rowForKey('ArrowUp', 0, 20)).toBe(0)
    expect(rowForKey('PageDown', 15, 20)).toBe(19)
    expect(rowForKey('Home', 7, 20)).toBe(0)
    expect(rowForKey('End', 7, 20)).toBe(19)
  })

  it('answers nothing for other keys and for an empty list', () => {
    expect(rowForKey('x', 1, 20)).toBeUndefined()
    expect(rowForKey('ArrowDown', -1, 0)).toBeUndefined()
  })
})

describe('isLarge', () => {
  const content = (added: number, after: string) => ({
    file: { path: 'a', kind: 'modified' as const, before: null, after: null, added, removed: 0 },
    before: '',
    after,
    notice: null,
  })

  it('is over 1 MB or over 2,000 changed lines', () => {
    expect(isLarge(content(MAX_EDITOR_LINES, 'x'))).toBe(false)
    expect(isLarge(content(MAX_EDITOR_LINES + 1, 'x'))).toBe(true)
    expect(isLarge(content(1, 'x'.repeat(MAX_EDITOR_CHARACTERS)))).toBe(false)
    expect(isLarge(content(1, 'x'.repeat(MAX_EDITOR_CHARACTERS + 1)))).toBe(true)
  })
})
