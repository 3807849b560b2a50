import { provider } from '../../preload/contract/provider'
import type { BridgeGate } from './bridge-gate'
import type { ServicesSource } from './desktop-services'

/** Models and keys. A key goes in and never comes back. */
export function registerProvider(gate: BridgeGate, services: ServicesSource): void {
  gate.handle(provider, {
    list: async () => (await services()).providers.list(),
    discover: async () => (await services()).providers.discover(),
    saveKey: async (request) => (await services()).providers.saveKey(request),
    removeKey: async (request) => (await services()).providers.removeKey(request.provider),
    test: async (request) => (await services()).providers.test(request.provider),
    getDefault: async () => (await services()).providers.getDefault(),
    setDefault: async (model) => (await services()).providers.setDefault(model),
  })
}
