import { app } from './app'
import { changes } from './changes'
import { permissions } from './permissions'
import { project } from './project'
import { provider } from './provider'
import { type CallKind, callKind } from './rpc'
import { session } from './session'
import { settings } from './settings'
import { terminal } from './terminal'

/** Everything that crosses the bridge. The window gets one member for each domain, and nothing else. */
export const contract = { app, project, session, changes, provider, terminal, settings, permissions } as const
export type Contract = typeof contract

/** The names alone, `{domain: {verb: kind}}`: all that the preload needs, inlined into it when it is built. */
export function bridgeShape(): Record<string, Record<string, CallKind>> {
  return Object.fromEntries(
    Object.values(contract).map((domain) => [
      domain.name,
      Object.fromEntries(Object.entries(domain.calls).map(([verb, call]) => [verb, callKind(call)])),
    ]),
  )
}
