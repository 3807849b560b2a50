import { parentPort } from 'node:worker_threads'
import type { Failure } from '../../preload/contract/errors'
import { toFailure } from './errors'

/** What a pool sends to a worker: one task, with a flag that both sides can read while the worker is busy. */
export interface TaskMessage {
  readonly job: number
  readonly task: string
  readonly args: unknown
  /** Int32: [0] 1 when the job is cancelled; [1] counts up with every step the task reports. */
  readonly shared: SharedArrayBuffer
}

export type WorkerReply =
  | { readonly job: number; readonly type: 'item'; readonly item: unknown }
  | { readonly job: number; readonly type: 'done'; readonly result: unknown }
  | { readonly job: number; readonly type: 'failed'; readonly failure: Failure }

/** What a task sees of its caller. */
export interface TaskContext<Item> {
  /** Whether nobody wants the rest; cheap enough to ask for every file. */
  cancelled(): boolean
  /** Says that the task still moves; a pool that was told to ends a task that stops saying so. */
  step(): void
  /** Hands over a part of the result at once, so that it survives the end of the worker. */
  emit(item: Item): void
}

/** The tasks of one worker file by name. `Args`, `Item` and `Result` must survive structured cloning. */
export type TaskTable = Record<string, (args: never, context: TaskContext<never>) => unknown>

/** Turns this thread into a worker that answers these tasks. Called once, at the top of a `*.worker.ts` file. */
export function serveTasks(table: Record<string, (args: never, context: TaskContext<unknown>) => unknown>): void {
  const port = parentPort
  if (port === null) throw new Error('This file runs in a worker thread only')
  port.on('message', (message: TaskMessage) => {
    void answer(message, table).then((reply) => port.postMessage(reply))
  })

  async function answer(message: TaskMessage, tasks: typeof table): Promise<WorkerReply> {
    const { job, shared } = message
    const flags = new Int32Array(shared)
    const run: ((args: never, context: TaskContext<unknown>) => unknown) | undefined = tasks[message.task]
    try {
      if (run === undefined) throw new Error(`This worker has no task ${message.task}`)
      const context: TaskContext<unknown> = {
        cancelled: () => Atomics.load(flags, 0) === 1,
        step: () => {
          Atomics.add(flags, 1, 1)
        },
        emit: (item) => port?.postMessage({ job, type: 'item', item } satisfies WorkerReply),
      }
      const args: unknown = message.args
      return { job, type: 'done', result: await Reflect.apply(run, undefined, [args, context]) }
    } catch (thrown) {
      return { job, type: 'failed', failure: toFailure(thrown) }
    }
  }
}
