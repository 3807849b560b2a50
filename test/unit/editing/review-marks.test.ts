import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MAX_MARKS, ReviewMarks } from '../../../main/editing/review-marks'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'plumbline-marks-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('review marks', () => {
  it('survive the end of the program', async () => {
    const marks = new ReviewMarks()
    const state = await marks.load(folder)
    state.marks.set('a', 'reviewed')
    state.comments.push({ id: 'c', path: 'a.ts', line: 3, quote: 'x', text: 'Why?', entry: 'q' })
    await marks.save(folder)
    const again = await new ReviewMarks().load(folder)
    expect([...again.marks]).toEqual([['a', 'reviewed']])
    expect(again.comments).toHaveLength(1)
  })

  it('write one after the other and keep the newest within the limit', async () => {
    const marks = new ReviewMarks()
    const state = await marks.load(folder)
    const saves = Array.from({ length: 5 }, (_, round) => {
      for (let index = 0; index < MAX_MARKS / 4; index += 1) state.marks.set(`${round} ${index}`, 'accepted')
      return marks.save(folder)
    })
    await Promise.all(saves)
    const again = await new ReviewMarks().load(folder)
    expect(again.marks.size).toBe(MAX_MARKS)
    expect(again.marks.has('4 0')).toBe(true)
    expect(again.marks.has('0 0')).toBe(false)
  })

  it('take a broken file for an empty one', async () => {
    writeFileSync(path.join(folder, 'review.json'), '{"version":1,"marks":[[')
    expect((await new ReviewMarks().load(folder)).marks.size).toBe(0)
  })
})
