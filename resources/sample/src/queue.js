import { delayFor } from './backoff.js'

/** Runs jobs one after the other and tries a failed one again. */
export class Queue {
  constructor({ sleep, retries = 3 }) {
    this.sleep = sleep
    this.retries = retries
  }

  /** Resolves with the job's result, or rejects with its last error. */
  async run(job) {
    for (let retry = 0; ; retry += 1) {
      try {
        return await job()
      } catch (error) {
        if (retry === this.retries) throw error
        await this.sleep(delayFor(retry + 1))
      }
    }
  }
}
