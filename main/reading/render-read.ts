import { printHashline } from '../editing/hashline-format'
import type { SnapshotStore } from '../editing/snapshots'
import type { ReadContract, ReadOutcome, ShownLine, TextRead } from './read-contract'
import { formatBytes } from './sizes'

/** How text is laid out: `hashline` rows under a tag, or plain numbers. */
export type ReadLayout = 'hashline' | 'numbered'

export interface RenderOptions {
  readonly store: SnapshotStore
  readonly layout: ReadLayout
  readonly contract: ReadContract
  /** How to ask for what follows `next`, in the words of the toolset. */
  continuation(read: TextRead, next: number): string
}

/** Structured data about one target, for the window (READ-40). */
export interface ReadDetails {
  readonly path: string
  readonly kind: ReadOutcome['kind'] | 'error'
  readonly tag?: string
  readonly totalLines?: number
  readonly lines?: readonly { readonly start: number; readonly end: number }[]
  readonly error?: { readonly code: string; readonly message: string }
  readonly image?: { readonly mimeType: string; readonly width: number; readonly height: number }
  readonly meta: {
    readonly source: string
    readonly sourcePath: string
    readonly truncation?: { readonly by: 'lines' | 'bytes'; readonly next: number; readonly totalLines: number }
    readonly limits?: { readonly lines: number; readonly bytes: number }
  }
}

export interface RenderedRead {
  readonly text: string
  readonly image?: { readonly mimeType: string; readonly data: Uint8Array }
  readonly details: ReadDetails
}

const GAP = '…'

/**
 * Puts a read into words, and records exactly the printed lines as seen and the file as observed (READ-01, READ-15).
 * Call it only for what is really printed.
 */
export function renderRead(read: ReadOutcome, options: RenderOptions): RenderedRead {
  switch (read.kind) {
    case 'text':
      return renderText(read, options)
    case 'directory':
      return {
        text: read.tree.text,
        details: { path: read.resolved.display, kind: 'directory', meta: meta(read, 'directory') },
      }
    case 'image': {
      const { mimeType, width, height } = read.image
      const size = formatBytes(read.bytes.length)
      return {
        text: `${read.resolved.display}: ${mimeType}, ${width}x${height} pixels, ${size}`,
        image: { mimeType, data: read.bytes },
        details: {
          path: read.resolved.display,
          kind: 'image',
          image: { mimeType, width, height },
          meta: meta(read, 'image'),
        },
      }
    }
  }
}

/** Bytes that a text read will take when printed, from above. */
export function renderedSize(read: ReadOutcome): number {
  if (read.kind === 'directory') return Buffer.byteLength(read.tree.text)
  if (read.kind === 'image') return 0
  let bytes = 256 + Buffer.byteLength(read.resolved.display)
  for (const segment of read.segments) for (const line of segment) bytes += Buffer.byteLength(line.text) + 40
  return bytes
}

function renderText(read: TextRead, options: RenderOptions): RenderedRead {
  const { store } = options
  const { real, display } = read.resolved
  if (read.encoding === 'utf-8') store.observe(real, read.bytes, read.text)
  const { body, tag } = printBody(read, options)
  const notes = read.truncation === null ? [] : [truncationNote(read, read.truncation, options)]
  for (const range of read.beyondEnd) {
    notes.push(`[Line ${range.start} is beyond the end: ${display} has ${read.totalLines} lines.]`)
  }
  return {
    text: [body, ...notes].filter((part) => part !== '').join('\n'),
    details: {
      path: display,
      kind: 'text',
      ...(tag === undefined ? {} : { tag }),
      totalLines: read.totalLines,
      lines: read.segments.flatMap((segment) => {
        const [first, last] = [segment[0], segment.at(-1)]
        return first === undefined || last === undefined ? [] : [{ start: first.number, end: last.number }]
      }),
      meta: {
        ...meta(read, read.source),
        ...(read.truncation === null
          ? {}
          : {
              truncation: { ...read.truncation, totalLines: read.totalLines },
              limits: { lines: options.contract.windowLines, bytes: options.contract.windowBytes },
            }),
      },
    },
  }
}

function printBody(read: TextRead, options: RenderOptions): { body: string; tag?: string } {
  const { store, layout } = options
  const { real, display } = read.resolved
  const taggable = read.encoding === 'utf-8' && read.source === 'file'
  if (read.selector.raw) {
    if (taggable) store.record(real, read.text, fullySeen(read))
    const whole = read.selector.ranges.length === 0 && read.truncation === null
    return { body: whole ? read.text : read.segments.map(joinText).join(`\n${GAP}\n`) }
  }
  if (layout === 'hashline' && taggable) {
    const file = { path: real, display, content: read.text }
    const printed = (read.segments.length === 0 ? [[]] : read.segments).map((rows) =>
      printHashline(store, file, rows, 'read'),
    )
    const rows = printed.map((part) => part.rows).join(`\n${GAP}\n`)
    const header = printed[0]?.header ?? ''
    const tag = printed[0]?.snapshot.tag
    return {
      body: `${header}\n${read.totalLines === 0 ? '(empty file)' : rows}`,
      ...(tag === undefined ? {} : { tag }),
    }
  }
  if (taggable) store.record(real, read.text, fullySeen(read))
  const rows = read.segments
    .map((segment) => segment.map((line) => numbered(line, layout)).join('\n'))
    .join(`\n${GAP}\n`)
  const head = layout === 'numbered' ? [] : [`[${display}] ${readOnlyReason(read)}`]
  return { body: [...head, read.totalLines === 0 ? '(empty file)' : rows].join('\n') }
}

function numbered(line: ShownLine, layout: ReadLayout): string {
  const note = line.cut > 0 ? ` … (${line.cut} more characters)` : ''
  return layout === 'numbered'
    ? `${String(line.number).padStart(6)}\t${line.text}${note}`
    : `${line.number}:${line.text}${note}`
}

function readOnlyReason(read: TextRead): string {
  return read.source === 'notebook'
    ? '(notebook cells; edit them with the notebook tool, or read it as text with :raw)'
    : `(${read.encoding.toUpperCase()} text; it can't be edited by line)`
}

function joinText(segment: readonly ShownLine[]): string {
  return segment.map((line) => line.text).join('\n')
}

function fullySeen(read: TextRead): number[] {
  return read.segments.flatMap((segment) => segment.filter((line) => line.cut === 0).map((line) => line.number))
}

function truncationNote(
  read: TextRead,
  truncation: NonNullable<TextRead['truncation']>,
  options: RenderOptions,
): string {
  const { contract } = options
  const limit = truncation.by === 'lines' ? `${contract.windowLines} lines` : formatBytes(contract.windowBytes)
  const last = read.segments.at(-1)?.at(-1)?.number ?? 0
  const first = read.segments[0]?.[0]?.number ?? 0
  return `[Lines ${first}-${last} of ${read.totalLines} shown, limit ${limit}. ${options.continuation(read, truncation.next)}]`
}

function meta(read: ReadOutcome, source: string): ReadDetails['meta'] {
  return { source, sourcePath: read.resolved.real }
}
