import type { SnapshotStore } from '../editing/snapshots'
import { PlumblineError, toFailure } from '../platform/errors'
import type { PathScope, ResolvedPath } from '../workspace/path-authority'
import type { ReadContract, ReadOutcome, TextRead } from './read-contract'
import { type ReadDetails, type ReadLayout, renderedSize, renderRead } from './render-read'
import type { ResolvedTarget, TargetReader } from './target-reader'

/** UTF-8 bytes of a whole result: 1 MiB, headers and errors included (READ-05). */
export const MAX_BATCH_BYTES = 1024 * 1024

export interface BatchRequest {
  readonly targets: readonly string[]
  readonly scope: PathScope
  readonly contract: ReadContract
  readonly layout: ReadLayout
  readonly store: SnapshotStore
  readonly signal: AbortSignal
  continuation(read: TextRead, next: number): string
}

export interface BatchResult {
  readonly text: string
  readonly images: readonly { readonly mimeType: string; readonly data: Uint8Array }[]
  readonly files: readonly ReadDetails[]
  /** Set when no target could be read. */
  readonly failure?: PlumblineError
}

/**
 * The paths that targets name, for the rules. Of several, those that can't be resolved are left out, since each reports
 * its own error; the error of a single one is thrown.
 */
export async function resolveTargets(
  reader: TargetReader,
  targets: readonly string[],
  scope: PathScope,
  contract: ReadContract,
): Promise<ResolvedPath[]> {
  const resolved: ResolvedPath[] = []
  for (const target of targets) {
    try {
      resolved.push((await reader.resolve(target, scope, contract)).resolved)
    } catch (failure) {
      if (targets.length === 1) throw failure
    }
  }
  return resolved
}

/**
 * Reads several targets as `--- FILE: <requested path> ---` sections, each with its own error (READ-03, READ-04); a single
 * one without a frame, its error thrown.
 */
export async function readBatch(reader: TargetReader, request: BatchRequest): Promise<BatchResult> {
  const [single] = request.targets
  if (request.targets.length === 1 && single !== undefined) {
    const rendered = await readOne(reader, single, request, MAX_BATCH_BYTES)
    return {
      text: rendered.text,
      images: rendered.image === undefined ? [] : [rendered.image],
      files: [rendered.details],
    }
  }
  const sections: string[] = []
  const images: { mimeType: string; data: Uint8Array }[] = []
  const files: ReadDetails[] = []
  let bytes = 0
  let firstFailure: PlumblineError | undefined
  for (const target of request.targets) {
    const frame = `--- FILE: ${target} ---\n`
    const room = MAX_BATCH_BYTES - bytes - Buffer.byteLength(frame)
    let body: string
    try {
      const rendered = await readOne(reader, target, request, room)
      body = rendered.text
      if (rendered.image !== undefined) images.push(rendered.image)
      files.push(rendered.details)
    } catch (thrown) {
      request.signal.throwIfAborted()
      const failure = toFailure(thrown)
      firstFailure ??= new PlumblineError(failure.code, failure.message)
      body = `ERROR: ${failure.message}`
      files.push({ path: target, kind: 'error', error: failure, meta: { source: 'error', sourcePath: target } })
    }
    const section = `${frame}${body.replace(/\n$/, '')}`
    bytes += Buffer.byteLength(section) + 2
    sections.push(section)
  }
  const allFailed = files.every((file) => file.kind === 'error')
  return {
    text: sections.join('\n\n'),
    images,
    files,
    ...(allFailed && firstFailure !== undefined ? { failure: firstFailure } : {}),
  }
}

async function readOne(reader: TargetReader, target: string, request: BatchRequest, room: number) {
  const resolved: ResolvedTarget = await reader.resolve(target, request.scope, request.contract)
  const outcome: ReadOutcome = await reader.read(resolved, request.contract, request.signal)
  if (renderedSize(outcome) > room) {
    throw new PlumblineError(
      'limit_exceeded',
      'Not shown: the whole result may have 1 MiB. Read this file in a call of its own, or choose fewer lines.',
    )
  }
  return renderRead(outcome, request)
}
