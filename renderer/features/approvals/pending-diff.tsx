import { useEffect, useState } from 'react'
import type { ChangedFile } from '../../../preload/contract/effects'
import { bridge } from '../../bridge'
import { ErrorBlock } from '../../components/banner'
import { plural } from '../../lib/format'
import { useSession } from '../../store/session-store'
import { UnifiedRow } from '../changes/diff-rows'
import { diffRowsOf } from '../changes/diff-rows-of'
import { FileHeading } from './file-heading'
import { type FileRows, firstRows } from './first-rows'

/** Rows of all files together that a card shows before it is unfolded. */
const FOLDED_ROWS = 24

/** Rows that an unfolded card draws; beyond them a reader is better served by the whole file. */
const UNFOLDED_ROWS = 2000

type Loaded =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'ready'; readonly files: readonly FileRows[] }

function usePendingDiff(call: string): Loaded {
  const session = useSession((state) => state.id)
  const [loaded, setLoaded] = useState<Loaded>({ state: 'loading' })
  useEffect(() => {
    if (session === null) return
    const abort = new AbortController()
    const load = async () => {
      const contents = await bridge.changes.pending({ session, call })
      const files = await Promise.all(
        contents.map(async (content) => ({ content, rows: await diffRowsOf(content, abort.signal) })),
      )
      if (!abort.signal.aborted) setLoaded({ state: 'ready', files })
    }
    load().catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error)
      if (!abort.signal.aborted) setLoaded({ state: 'failed', message })
    })
    return () => abort.abort()
  }, [session, call])
  return loaded
}

function FileDiff({ file, named }: { readonly file: FileRows; readonly named: boolean }) {
  const { content, rows } = file
  return (
    <>
      {named && <FileHeading file={content.file} />}
      {content.notice !== null && <div className="fold">{content.notice}</div>}
      {rows.map((row) => (
        <UnifiedRow key={`${row.kind} ${row.kind === 'fold' ? row.from : (row.after ?? row.before)}`} row={row} />
      ))}
      {content.notice === null && rows.length === 0 && <div className="fold">No lines change</div>}
    </>
  )
}

/** The very change that an approval is about, line by line. */
export default function PendingDiff({
  call,
  files,
}: {
  readonly call: string
  readonly files: readonly ChangedFile[]
}) {
  const loaded = usePendingDiff(call)
  const [unfolded, setUnfolded] = useState(false)
  if (loaded.state === 'loading') {
    return (
      <div className="diff uni pending" aria-busy="true">
        {files.map((file) => (
          <FileHeading key={file.path} file={file} />
        ))}
      </div>
    )
  }
  if (loaded.state === 'failed') {
    return (
      <ErrorBlock level="danger" icon="alert" title="The change can’t be shown">
        {loaded.message} Nothing was written.
      </ErrorBlock>
    )
  }
  const { shown, left } = firstRows(loaded.files, unfolded ? UNFOLDED_ROWS : FOLDED_ROWS)
  return (
    <>
      <section
        className="diff uni pending scroll inset"
        data-testid="diff"
        aria-label="What would change"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keyboard
        tabIndex={0}
      >
        <div className="diff-body">
          {shown.map((file) => (
            <FileDiff key={file.content.file.path} file={file} named={loaded.files.length > 1} />
          ))}
        </div>
      </section>
      {left > 0 && !unfolded && (
        <button type="button" className="fold inset" onClick={() => setUnfolded(true)}>
          {plural(left, 'more line')}
        </button>
      )}
      {left > 0 && unfolded && <div className="fold">{plural(left, 'more line')} not drawn</div>}
    </>
  )
}
