/** Ends what was started: a process, a watcher, a port, a timer, a subscription. Calling it again does nothing. */
export type Disposer = () => void | Promise<void>

/** Owns disposers and runs them in reverse order of registration, once, each in spite of the failure of another. */
export class DisposerStack {
  #disposers: Disposer[] = []
  #disposed = false

  /** Registers at once; after `dispose` the newcomer is ended immediately. */
  add(disposer: Disposer): void {
    if (this.#disposed) void disposer()
    else this.#disposers.push(disposer)
  }

  async dispose(): Promise<void> {
    if (this.#disposed) return
    this.#disposed = true
    const failures: unknown[] = []
    for (const disposer of this.#disposers.reverse()) {
      try {
        await disposer()
      } catch (failure) {
        failures.push(failure)
      }
    }
    this.#disposers = []
    if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be ended')
  }
}
