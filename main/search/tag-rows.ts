import { hashlineRows, printHashline } from '../editing/hashline-format'
import type { SnapshotStore } from '../editing/snapshots'
import type { FileReader } from '../reading/file-reader'
import { LineIndex } from '../reading/line-index'
import { decodeText } from '../reading/text-decoding'
import type { PathAuthority, PathScope } from '../workspace/path-authority'
import type { GrepRow } from './grep-types'

export interface RowsToTag {
  readonly absolute: string
  readonly display: string
  readonly rows: readonly GrepRow[]
  readonly invalidUtf8: boolean
}

/**
 * Prints found rows under a header that `edit` takes (SEARCH-18). The file is read again, and only when its lines are
 * still those that were found a tag is minted; otherwise the header is the bare path.
 */
export async function printRows(
  engines: { files: FileReader; paths: PathAuthority },
  store: SnapshotStore,
  found: RowsToTag,
  scope: PathScope,
  signal: AbortSignal,
): Promise<{ text: string; tag?: string }> {
  const rows = found.rows.map((row) => ({
    number: row.line,
    text: row.text,
    hit: row.hit,
    ...(row.cut > 0 ? { cut: row.cut } : {}),
  }))
  const content = found.invalidUtf8 ? undefined : await sameContent(engines, found, scope, signal)
  if (content === undefined) return { text: `[${found.display}]\n${hashlineRows(rows, 'search').text}` }
  const file = { path: content.real, display: found.display, content: content.text }
  const printed = printHashline(store, file, rows, 'search')
  return { text: `${printed.header}\n${printed.rows}`, tag: printed.snapshot.tag }
}

/** The file's text, when it is UTF-8 and every found row is still there. */
async function sameContent(
  engines: { files: FileReader; paths: PathAuthority },
  found: RowsToTag,
  scope: PathScope,
  signal: AbortSignal,
): Promise<{ real: string; text: string } | undefined> {
  try {
    const resolved = await engines.paths.resolve(found.absolute, scope)
    const decoded = decodeText((await engines.files.read(resolved, signal)).bytes)
    if ('problem' in decoded || decoded.encoding !== 'utf-8') return undefined
    const index = await LineIndex.of(decoded.text, signal)
    for (const row of found.rows) {
      const [line] = index.lines(row.line, row.line)
      if (line === undefined || (row.cut > 0 ? !line.startsWith(row.text) : line !== row.text)) return undefined
    }
    return { real: resolved.real, text: decoded.text }
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}
