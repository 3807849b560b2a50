import { permissions } from '../../preload/contract/permissions'
import type { BridgeGate } from './bridge-gate'
import type { ServicesSource } from './desktop-services'

/** Rules and grants in force for a session. */
export function registerPermissions(gate: BridgeGate, services: ServicesSource): void {
  gate.handle(permissions, {
    list: async ({ session }) => (await services()).permissions.list(session),
    remove: async ({ session, entry }) => (await services()).permissions.remove(session, entry),
  })
}
