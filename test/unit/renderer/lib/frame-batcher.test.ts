import { describe, expect, it } from 'vitest'
import { FrameBatcher, type FrameSource } from '../../../../renderer/lib/frame-batcher'

function manualFrames() {
  const due: (() => void)[] = []
  const frames: FrameSource = {
    requestFrame(callback) {
      due.push(callback)
      return () => {
        const at = due.indexOf(callback)
        if (at !== -1) due.splice(at, 1)
      }
    },
  }
  return { frames, next: () => due.splice(0).forEach((callback) => void callback()), due }
}

describe('FrameBatcher', () => {
  it('hands over everything of a frame at once and in order, asking for one frame only', () => {
    const { frames, next, due } = manualFrames()
    const flushed: (readonly number[])[] = []
    const batcher = new FrameBatcher<number>(frames, (items) => flushed.push(items))
    batcher.push(1)
    batcher.push(2)
    expect(due).toHaveLength(1)
    next()
    batcher.push(3)
    next()
    expect(flushed).toEqual([[1, 2], [3]])
  })

  it('hands over at once when flushed, and nothing more in the frame that was asked for', () => {
    const { frames, next } = manualFrames()
    const flushed: (readonly number[])[] = []
    const batcher = new FrameBatcher<number>(frames, (items) => flushed.push(items))
    batcher.push(1)
    batcher.flush()
    next()
    expect(flushed).toEqual([[1]])
  })

  it('forgets what it holds when disposed', () => {
    const { frames, next } = manualFrames()
    const flushed: (readonly number[])[] = []
    const batcher = new FrameBatcher<number>(frames, (items) => flushed.push(items))
    batcher.push(1)
    batcher.dispose()
    next()
    expect(flushed).toEqual([])
  })
})
