import { registerApp } from './app'
import type { BridgeGate } from './bridge-gate'
import { registerChanges } from './changes'
import type { DesktopShell, ServicesSource } from './desktop-services'
import { registerPermissions } from './permissions'
import { registerProject } from './project'
import { registerProvider } from './provider'
import { registerSession } from './session'
import { registerSettings } from './settings'
import { registerTerminal } from './terminal'

/** Registers the handlers of every domain of the contract. */
export function registerBridge(gate: BridgeGate, shell: DesktopShell, services: ServicesSource): void {
  registerApp(gate, shell, services)
  registerProject(gate, shell, services)
  registerSession(gate, shell, services)
  registerChanges(gate, services)
  registerProvider(gate, services)
  registerTerminal(gate, services)
  registerSettings(gate, services)
  registerPermissions(gate, services)
}
