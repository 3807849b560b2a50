import { describe, expect, it } from 'vitest'
import type { PermissionEntry } from '../../../../preload/contract/permissions'
import { isRemovable, rulesInOrder } from '../../../../renderer/features/permissions/entries'

const entry = (kind: PermissionEntry['kind'], source: PermissionEntry['source'], text: string): PermissionEntry => ({
  kind,
  source,
  text,
})

describe('rulesInOrder', () => {
  it('lists denials, questions and allowances as they are judged, without grants', () => {
    const entries = [
      entry('allow', 'user', 'bash(git status *)'),
      entry('grant', 'session', 'edit:a.ts'),
      entry('deny', 'project', 'read(.env)'),
      entry('ask', 'user', 'bash(git push *)'),
      entry('deny', 'managed', 'read(~/.ssh/**)'),
    ]
    expect(rulesInOrder(entries).map((rule) => rule.text)).toEqual([
      'read(.env)',
      'read(~/.ssh/**)',
      'bash(git push *)',
      'bash(git status *)',
    ])
  })
})

describe('isRemovable', () => {
  it('is a grant or a rule of the person’s own file', () => {
    expect(isRemovable(entry('grant', 'session', 'edit:a.ts'))).toBe(true)
    expect(isRemovable(entry('allow', 'user', 'bash(ls)'))).toBe(true)
    expect(isRemovable(entry('deny', 'managed', 'bash(ls)'))).toBe(false)
    expect(isRemovable(entry('allow', 'project', 'bash(ls)'))).toBe(false)
  })
})
