import { settings } from '../../preload/contract/settings'
import type { BridgeGate } from './bridge-gate'
import type { ServicesSource } from './desktop-services'
import { latest } from './outgoing-stream'

/** The part of the settings that the window shows and changes. */
export function registerSettings(gate: BridgeGate, services: ServicesSource): void {
  gate.handle(settings, {
    get: async () => (await services()).settings.read(),
    update: async (patch) => (await services()).settings.update(patch),
    changes: async (_args, sink) => (await services()).settings.onChange(latest(sink)),
  })
}
