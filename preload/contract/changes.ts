import { z } from 'zod'
import { ChangedFile } from './effects'
import { SessionId } from './ids'
import { domain, request } from './rpc'

export const ChangeScope = z.enum(['turn', 'session', 'git'])
export type ChangeScope = z.infer<typeof ChangeScope>

/** Both sides of one file. A side is null when the file does not exist there. */
export const DiffContent = z.object({
  file: ChangedFile,
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** Set when no text diff can be shown: the reason, for people. */
  notice: z.string().nullable(),
})
export type DiffContent = z.infer<typeof DiffContent>

export const changes = domain('changes', {
  /** Files changed in the turn, in the session, or against Git's HEAD, with exact line counts. */
  list: request({ args: z.object({ session: SessionId, scope: ChangeScope }), result: z.array(ChangedFile) }),
  diff: request({
    args: z.object({ session: SessionId, scope: ChangeScope, path: z.string().max(4096) }),
    result: DiffContent,
  }),
  /** The diff of a pending approval, by the call that asks. */
  pending: request({ args: z.object({ session: SessionId, call: z.string().max(256) }), result: z.array(DiffContent) }),
})
