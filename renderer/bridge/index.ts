import type { Project } from '../../preload/contract/project'
import type { Envelope } from '../../preload/contract/rpc'
import { type BridgeClient, BridgeError, createBridgeClient, droppedFolderOpener } from './client'

export { BridgeError, type Cancel } from './client'

/** The only reader of `window.plumbline`. */
export const bridge: BridgeClient = createBridgeClient(window.plumbline)

const openDropped = droppedFolderOpener(window.plumbline)

/** Opens a folder dropped on the window. Rejects with a `BridgeError` when it is not a folder. */
export async function openDroppedFolder(file: File): Promise<Project> {
  const envelope = (await openDropped(file)) as Envelope<Project>
  if (!envelope.ok) throw new BridgeError(envelope.failure)
  return envelope.value
}
