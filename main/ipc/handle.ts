import { pathToFileURL } from 'node:url'
import { ipcMain } from 'electron'
import { BridgeGate, type BridgeLog } from './bridge-gate'
import { isOwnMainFrame } from './trusted-sender'

export interface BridgeOptions {
  /** Whether these contents belong to a window of ours. */
  isOurWindow(contents: number): boolean
  /** Absolute path of the page that our windows show. */
  page: string
  log: BridgeLog
}

/**
 * The only place that touches `ipcMain`. Trusted is the main frame of one of our own windows while it shows our own
 * page; a frame inside it, another page or a frame that is gone is not.
 */
export function openBridge(options: BridgeOptions): BridgeGate {
  const page = pathToFileURL(options.page).href
  return new BridgeGate({
    port: ipcMain,
    isTrusted: (event) => isOwnMainFrame(event, page) && options.isOurWindow(event.sender.id),
    log: options.log,
    now: () => performance.now(),
  })
}
