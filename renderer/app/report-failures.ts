import { bridge } from '../bridge'

const MAX_MESSAGE = 8192
const MAX_STACK = 16384

/** Sends a failure of the window to the log of the main process. */
export function reportFailure(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  const stack = error instanceof Error ? error.stack : undefined
  void bridge.app
    .reportFailure({
      message: message.slice(0, MAX_MESSAGE),
      ...(stack === undefined ? {} : { stack: stack.slice(0, MAX_STACK) }),
    })
    .catch(() => undefined)
}

/** Reports what nothing else caught. */
export function reportFailures(): void {
  window.addEventListener('error', (event) => reportFailure(event.error ?? event.message))
  window.addEventListener('unhandledrejection', (event) => reportFailure(event.reason))
}
