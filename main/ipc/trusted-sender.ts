import type { BridgeEvent } from './bridge-gate'

/** The frame is a main frame and its address is `page`, whatever fragment or query follows. */
export function isOwnMainFrame(event: BridgeEvent, page: string): boolean {
  const frame = event.senderFrame
  if (frame === null || frame.parent !== null) return false
  const [address] = frame.url.split(/[?#]/, 1)
  return address === page
}
