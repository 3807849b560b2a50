import { z } from 'zod'
import { SessionId } from './ids'
import { domain, request } from './rpc'

/** A rule or a grant that is in force, and where it came from. */
export const PermissionEntry = z.object({
  kind: z.enum(['allow', 'ask', 'deny', 'grant']),
  text: z.string(),
  source: z.enum(['managed', 'command-line', 'project', 'user', 'session']),
  file: z.string().optional(),
})
export type PermissionEntry = z.infer<typeof PermissionEntry>

export const permissions = domain('permissions', {
  list: request({ args: z.object({ session: SessionId }), result: z.array(PermissionEntry) }),
  /** Takes back a session grant, or removes a rule from the person's settings file. */
  remove: request({ args: z.object({ session: SessionId, entry: PermissionEntry }), result: z.void() }),
})
