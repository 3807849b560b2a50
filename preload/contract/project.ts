import { z } from 'zod'
import { SessionId } from './ids'
import { domain, request } from './rpc'

export const Project = z.object({
  /** Absolute real path of the folder. */
  path: z.string(),
  name: z.string(),
  branch: z.string().nullable(),
  trusted: z.boolean(),
})
export type Project = z.infer<typeof Project>

export const RecentProject = z.object({ path: z.string(), name: z.string(), openedAt: z.number(), exists: z.boolean() })
export type RecentProject = z.infer<typeof RecentProject>

export const project = domain('project', {
  /** Shows the system's folder dialog; null when the person cancels it. */
  pick: request({ args: z.void(), result: Project.nullable() }),
  /**
   * Opens a folder again that the person has chosen before: in the recent list, on the command line, or a session's.
   * Any other path is refused with `access_denied`, so that a window gone astray can't widen what tools reach.
   */
  open: request({ args: z.object({ path: z.string().min(1).max(4096) }), result: Project }),
  /** Opens the folder that was dropped on the window; the window passes the drop's `File`. */
  openDropped: request({ args: z.object({ path: z.string().min(1).max(4096) }), result: Project, dropped: true }),
  recent: request({ args: z.void(), result: z.array(RecentProject) }),
  /** Copies the sample project to a temporary folder and starts the scripted session in it. */
  startDemo: request({ args: z.void(), result: z.object({ project: Project, session: SessionId }) }),
  trust: request({ args: z.object({ path: z.string().max(4096), trusted: z.boolean() }), result: Project }),
})
