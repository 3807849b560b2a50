/** A hidden window gets no frames; its state must still move, at this pace in milliseconds. */
const HIDDEN_FLUSH_MS = 250

/** What the batcher needs from the window; injected by tests. */
export interface FrameSource {
  requestFrame(callback: () => void): () => void
}

/** Frames of the window, or a slow timer while it is hidden. */
export const windowFrames: FrameSource = {
  requestFrame(callback) {
    let done = false
    const once = () => {
      if (done) return
      done = true
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      callback()
    }
    const frame = requestAnimationFrame(once)
    const timer = setTimeout(once, HIDDEN_FLUSH_MS)
    return () => {
      done = true
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  },
}

/** Collects items and hands them over together, at most once a frame and in order. */
export class FrameBatcher<Item> {
  private items: Item[] = []
  private cancelFrame: (() => void) | null = null

  constructor(
    private readonly frames: FrameSource,
    private readonly flushed: (items: readonly Item[]) => void,
  ) {}

  /** Adds an item to the next frame. */
  push(item: Item): void {
    this.items.push(item)
    this.cancelFrame ??= this.frames.requestFrame(() => this.flush())
  }

  /** Hands over what has been collected, now. */
  flush(): void {
    this.cancelFrame?.()
    this.cancelFrame = null
    const items = this.items
    this.items = []
    if (items.length > 0) this.flushed(items)
  }

  /** Forgets what has not been handed over. */
  dispose(): void {
    this.cancelFrame?.()
    this.cancelFrame = null
    this.items = []
  }
}
