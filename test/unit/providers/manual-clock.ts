import { abortError, type Clock } from '../../../main/platform/clock'

interface Sleeper {
  at: number
  wake(): void
}

/** A clock that stands still until the test moves it. `sleeps` lists what was asked for. */
export class ManualClock implements Clock {
  readonly sleeps: number[] = []
  #now = 1_000_000
  #sleepers: Sleeper[] = []

  now(): number {
    return this.#now
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.sleeps.push(ms)
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(abortError())
        return
      }
      const sleeper = { at: this.#now + ms, wake: resolve }
      this.#sleepers.push(sleeper)
      signal?.addEventListener('abort', () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper)
        reject(abortError())
      })
    })
  }

  /** Moves on and lets everything that is due run. */
  async advance(ms: number): Promise<void> {
    await settle()
    this.#now += ms
    const due = this.#sleepers.filter((sleeper) => sleeper.at <= this.#now)
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.at > this.#now)
    for (const sleeper of due) sleeper.wake()
    await settle()
  }
}

/** A clock whose sleeps end at once and are only counted. */
export class InstantClock extends ManualClock {
  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.sleeps.push(ms)
    if (signal?.aborted) throw abortError()
  }
}

/** Lets pending promise callbacks run. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve))
}
