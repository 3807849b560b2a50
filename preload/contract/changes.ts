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

/** What the person decided about a hunk. A rejected one is not in the file any more. */
export const HunkState = z.enum(['open', 'reviewed', 'accepted', 'rejected'])
export type HunkState = z.infer<typeof HunkState>

/** Lines of one side: the first, counted from 1, and how many. With none, they would stand before `from`. */
export const HunkSide = z.object({ from: z.number().int(), count: z.number().int() })
export type HunkSide = z.infer<typeof HunkSide>

const HunkName = z.string().max(64)

/** A run of changed lines, to be decided as one. */
export const ReviewHunk = z.object({
  /** Stays the same when lines above come or go. */
  id: HunkName,
  state: HunkState,
  /** Both null for a file that is judged as one: it has no lines to compare, or too many. */
  before: HunkSide.nullable(),
  after: HunkSide.nullable(),
  /** The texts of a rejected hunk; the file itself holds those of the others. */
  rejected: z.object({ removed: z.string(), added: z.string() }).optional(),
})
export type ReviewHunk = z.infer<typeof ReviewHunk>

/** A changed file and how far its review is. Without `review` its hunks were not counted. */
export const ListedChange = ChangedFile.extend({
  review: z.object({ hunks: z.number().int(), decided: z.number().int(), rejected: z.number().int() }).optional(),
})
export type ListedChange = z.infer<typeof ListedChange>

/** Both sides of a file, the later one as it is on disk now, and what can be decided about it. */
export const ReviewedDiff = DiffContent.extend({
  hunks: z.array(ReviewHunk),
  /** Names the bytes on disk that are shown; null where there is no file. */
  version: z.string().nullable(),
  /** Somebody else changed the file since this session did: what is shown is on disk. */
  outside: z.boolean(),
})
export type ReviewedDiff = z.infer<typeof ReviewedDiff>

/** What the person said about a line. It waits while the session's queue holds `entry`, else it was sent. */
export const LineComment = z.object({
  id: z.string().max(64),
  path: z.string().max(4096),
  line: z.number().int(),
  text: z.string(),
  entry: z.string(),
})
export type LineComment = z.infer<typeof LineComment>

/** What an undo or redo did, for a message. */
export const TakenBack = z.object({ what: z.string(), files: z.array(z.string()) })
export type TakenBack = z.infer<typeof TakenBack>

const fileOf = { session: SessionId, scope: ChangeScope, path: z.string().max(4096) }

/** Hunks in one request. */
const MAX_HUNKS = 5000

export const changes = domain('changes', {
  /** Files changed in the turn, in the session, or against Git's HEAD, with exact line counts. */
  list: request({ args: z.object({ session: SessionId, scope: ChangeScope }), result: z.array(ListedChange) }),
  diff: request({ args: z.object(fileOf), result: ReviewedDiff }),
  /** The diff of a pending approval, by the call that asks. */
  pending: request({ args: z.object({ session: SessionId, call: z.string().max(256) }), result: z.array(DiffContent) }),
  /** Remembers a decision about hunks by their names; `open` takes one back. */
  mark: request({
    args: z.object({
      session: SessionId,
      hunks: z.array(HunkName).max(MAX_HUNKS),
      state: z.enum(['open', 'reviewed', 'accepted']),
    }),
    result: z.void(),
  }),
  /** Accepts every hunk of a file, or without a path of all files, that is not decided yet. Answers how many. */
  acceptRest: request({
    args: z.object({ session: SessionId, scope: ChangeScope, path: z.string().max(4096).optional() }),
    result: z.number().int(),
  }),
  /** Takes a hunk, or `all` of the file, back on disk. Throws `conflict` when the file is not what was shown. */
  reject: request({ args: z.object({ ...fileOf, hunk: HunkName }), result: z.void() }),
  /** Puts a rejected hunk back. Throws `conflict` when its place can't be found for certain. */
  putBack: request({ args: z.object({ session: SessionId, hunk: HunkName }), result: z.void() }),
  /** Writes the person's own text. Throws `conflict` when the file on disk is not `version` any more. */
  save: request({
    args: z.object({ ...fileOf, version: z.string().max(64), text: z.string().max(4 * 1024 * 1024) }),
    result: z.void(),
  }),
  comments: request({ args: z.object({ session: SessionId }), result: z.array(LineComment) }),
  /** Says something about a line to the model: with the next message, at once while a turn runs, or `now`. */
  comment: request({
    args: z.object({
      session: SessionId,
      path: z.string().max(4096),
      line: z.number().int().min(0),
      quote: z.string().max(4096),
      text: z
        .string()
        .min(1)
        .max(16 * 1024),
      now: z.boolean().optional(),
    }),
    result: LineComment,
  }),
  /** Forgets a comment, and takes it out of the queue where it still waits. */
  removeComment: request({ args: z.object({ session: SessionId, comment: z.string().max(64) }), result: z.void() }),
  /** Takes the newest change of the session back on disk. Throws `not_found`, `conflict`. */
  undo: request({ args: z.object({ session: SessionId }), result: TakenBack }),
  /** Does what was undone last again. */
  redo: request({ args: z.object({ session: SessionId }), result: TakenBack }),
})
