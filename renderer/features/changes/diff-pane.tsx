import { lazy, Suspense, useRef, useState } from 'react'
import type { ChangeScope, DiffContent } from '../../../preload/contract/changes'
import type { ChangedFile } from '../../../preload/contract/effects'
import { bridge } from '../../bridge'
import { ErrorBlock } from '../../components/banner'
import { Button, IconButton } from '../../components/button'
import { formatBytes, plural } from '../../lib/format'
import { changeLayout, useLayout } from '../../store/layout-store'
import { useSession } from '../../store/session-store'
import { reportActFailure } from '../../store/ui-store'
import { LineCounts } from '../transcript/evidence'
import { isLarge } from './diff-size'
import { FilePath, splitPath } from './file-name'
import { useShown } from './shown'
import { useFileDiff } from './use-changes'

const MonacoDiff = lazy(() => import('./monaco-diff'))
const PlainDiff = lazy(() => import('./plain-diff'))

function LargeNotice({ content, onOpen }: { readonly content: DiffContent; readonly onOpen: () => void }) {
  const { file, before, after } = content
  const size = formatBytes(Math.max(before?.length ?? 0, after?.length ?? 0))
  return (
    <ErrorBlock
      level="info"
      icon="file"
      title={`${splitPath(file.path).name}: ${size}, ${plural(file.added + file.removed, 'changed line')}`}
      actions={
        <Button small onClick={onOpen}>
          Open anyway
        </Button>
      }
    >
      Shown as a plain list so the window stays quick.
    </ErrorBlock>
  )
}

/** What is shown of a loaded file: the editor, a plain list for a large one, or why there are no lines to compare. */
function Content({ content, sideBySide }: { readonly content: DiffContent; readonly sideBySide: boolean }) {
  const [opened, setOpened] = useState<string | null>(null)
  const { path } = content.file
  if (content.notice !== null) {
    return (
      <div className="diff-notice" data-testid="diff">
        <ErrorBlock level="info" icon="file" title={path}>
          {content.notice}
        </ErrorBlock>
      </div>
    )
  }
  if (isLarge(content) && opened !== path) {
    return (
      <div className="pane">
        <LargeNotice content={content} onOpen={() => setOpened(path)} />
        <Suspense fallback={null}>
          <PlainDiff content={content} />
        </Suspense>
      </div>
    )
  }
  return (
    <Suspense fallback={<p className="diff-wait dim sm">Opening the editor</p>}>
      <MonacoDiff content={content} sideBySide={sideBySide} />
    </Suspense>
  )
}

interface DiffPaneProps {
  readonly scope: ChangeScope
  readonly file: ChangedFile
  readonly mark: object
}

/** The chosen file: its name, how its two sides are laid out, and what changed. */
export function DiffPane({ scope, file, mark }: DiffPaneProps) {
  const pane = useRef<HTMLDivElement>(null)
  const shown = useShown(pane)
  const session = useSession((state) => state.id)
  const sideBySide = useLayout(({ layout }) => layout.diffLayout === 'split')
  const loaded = useFileDiff(scope, file.path, mark)
  const reveal = () => {
    if (session !== null) bridge.app.revealPath({ session, path: file.path }).catch(reportActFailure)
  }
  return (
    <div className="pane">
      <div className="bar">
        <FilePath path={file.path} from={file.from} />
        <LineCounts added={file.added} removed={file.removed} />
        <span className="right row">
          <IconButton
            icon="split"
            label="Side by side"
            aria-pressed={sideBySide}
            onClick={() => changeLayout({ diffLayout: sideBySide ? 'inline' : 'split' })}
          />
          {file.kind !== 'deleted' && <IconButton icon="out" label="Show in file manager" onClick={reveal} />}
        </span>
      </div>
      <div ref={pane} className="diff-pane">
        {loaded.state === 'failed' && (
          <ErrorBlock level="danger" icon="fail" title="The difference can’t be shown">
            {loaded.message}
          </ErrorBlock>
        )}
        {loaded.state === 'loading' && loaded.slow && <p className="diff-wait dim sm">Comparing</p>}
        {loaded.state === 'ready' && shown && <Content content={loaded.content} sideBySide={sideBySide} />}
      </div>
    </div>
  )
}
