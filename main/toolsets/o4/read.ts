import { z } from 'zod'
import type { SnapshotStores } from '../../editing/snapshots'
import type { ReadContract } from '../../reading/read-contract'
import { renderRead } from '../../reading/render-read'
import type { ResolvedTarget, TargetReader } from '../../reading/target-reader'
import { touch } from '../../workspace/path-authority'
import { type CallContext, defineTool, type RegisteredTool } from '../define'
import { toToolResult } from '../read-result'

/** Lines shown without a `limit`. */
const DEFAULT_LIMIT = 2000

const contract: ReadContract = {
  windowLines: DEFAULT_LIMIT,
  rangesBeyondWindow: true,
  windowBytes: 25 * 1024 * 1024,
  fileBytes: 25 * 1024 * 1024,
  contextBefore: 0,
  contextAfter: 0,
  utf8Only: false,
  directories: false,
  images: true,
  notebooks: true,
  relativeMayEscape: true,
  instead: {
    directory: 'List it with `ls`.',
    image: 'It can only be shown to models that take images.',
    url: 'Use `fetch` for web pages.',
  },
}

const Args = z.object({
  file_path: z.string().refine((path) => path.trim() !== '', 'must not be blank'),
  offset: z.number().int().min(1).optional(),
  limit: z.number().int().min(1).optional(),
})

/** READ rows of the o4 contract: numbered lines, images and notebooks. */
export function readTool(engines: { reader: TargetReader; snapshots: SnapshotStores }): RegisteredTool {
  const resolve = async (args: z.infer<typeof Args>, call: CallContext): Promise<ResolvedTarget> => {
    const target = await engines.reader.resolve(args.file_path, call.session, contract, false)
    if (args.offset === undefined && args.limit === undefined) return target
    const start = args.offset ?? 1
    return { ...target, selector: { ranges: [{ start, end: start + (args.limit ?? DEFAULT_LIMIT) - 1 }], raw: false } }
  }
  return defineTool({
    name: 'read',
    title: 'Read',
    description:
      'Reads a file with line numbers, also images (PNG, JPEG, GIF, WebP, BMP) and Jupyter notebooks. `offset` is the first ' +
      'line, `limit` the number of lines (2000). Example: {"file_path": "/project/src/app.ts", "offset": 1, "limit": 80}',
    args: Args,
    approval: 'never',
    subject: (args) => args.file_path,
    targets: async (args, call) => [touch('read', (await resolve(args, call)).resolved)],
    prepare: async (args) => ({ effect: args }),
    act: async (args, call) => {
      const outcome = await engines.reader.read(await resolve(args, call), contract, call.signal)
      const rendered = renderRead(outcome, {
        store: engines.snapshots.of(call.session.id),
        layout: 'numbered',
        contract,
        continuation: (_read, next) => `Continue with offset ${next}.`,
      })
      const asked = outcome.kind === 'text' ? outcome.segments.at(-1)?.at(-1)?.number : undefined
      const more =
        outcome.kind === 'text' && outcome.truncation === null && asked !== undefined && asked < outcome.totalLines
          ? `\n[Lines to ${asked} of ${outcome.totalLines} shown. Continue with offset ${asked + 1}.]`
          : ''
      return toToolResult({
        text: rendered.text + more,
        images: rendered.image === undefined ? [] : [rendered.image],
        files: [rendered.details],
      })
    },
  })
}
