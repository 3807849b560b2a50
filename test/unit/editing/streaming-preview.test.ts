import { describe, expect, it } from 'vitest'
import { SnapshotStore } from '../../../main/editing/snapshots'
import { streamingPreview } from '../../../main/editing/streaming-preview'
import { plumblineEditPolicy } from '../../../main/toolsets/plumbline/edit'

describe('streaming preview', () => {
  const store = new SnapshotStore()
  const { tag } = store.record('/p/a.txt', 'a\nb\nc\n', 'all')
  const known = { store, find: (path: string) => `/p/${path}` }
  const patch = `[a.txt#${tag}]\nreplace 2..2:\n+B1\n+B2\ndelete block 1\ninsert tail:\n+z\n[b.txt#0000]\nDEL 1.=1\n`

  it('EDIT-59 shows what is known at any length and never throws', () => {
    for (let length = 0; length <= patch.length; length += 1) {
      for (const file of streamingPreview(patch.slice(0, length), plumblineEditPolicy, known)) {
        expect(['a.txt', 'b.txt']).toContain(file.path)
      }
    }
    for (const broken of ['', '[', '[a#', '\u0000', '+x', `[a.txt#${tag}]\ndelete 1\ndelete 1\n`]) {
      expect(() => streamingPreview(broken, plumblineEditPolicy, known)).not.toThrow()
    }
  })

  it('EDIT-59 grows row by row and leaves unresolved blocks out', () => {
    const upTo = (text: string) =>
      streamingPreview(patch.slice(0, patch.indexOf(text) + text.length), plumblineEditPolicy, known)[0]?.change?.after
    expect(upTo('+B')).toBe('a\nB\nc\n')
    expect(upTo('+B2')).toBe('a\nB1\nB2\nc\n')
    expect(upTo('+z')).toBe('a\nB1\nB2\nc\nz\n')
    const whole = streamingPreview(patch, plumblineEditPolicy, known)
    expect(whole[1]).toEqual({ path: 'b.txt', tag: '0000', hunks: 1 })
  })
})
