import { describe, expect, it } from 'vitest'
import { coveredCells, uncovered } from '../support/contract-coverage'

describe('contract tests', () => {
  it('every promised row has a test in every toolset that has it', () => {
    const { missing, later } = uncovered()
    expect(missing.map(({ id, toolset }) => `${id} ${toolset}`)).toEqual([])
    expect([...new Set(later.map((cell) => cell.id))]).toEqual(['EDIT-76', 'WRITE-20', 'WRITE-21', 'WRITE-22'])
  })

  it('a missing test is noticed', () => {
    expect(uncovered([]).missing.length).toBeGreaterThan(200)
    const source =
      "row('EDIT-07', ['plumbline', 'magi'], 'x', …)\n  it('EDIT-29 EDIT-46 magi: y')\nrow(\n 'EDIT-01',\n ANCHORED, 'z'"
    expect([...coveredCells([source])]).toEqual([
      'EDIT-07 plumbline',
      'EDIT-07 magi',
      'EDIT-01 plumbline',
      'EDIT-01 magi',
      'EDIT-01 atomic',
      'EDIT-29 magi',
      'EDIT-46 magi',
    ])
  })
})
