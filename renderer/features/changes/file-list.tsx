import { type KeyboardEvent, useEffect, useId, useRef } from 'react'
import type { ChangedFile } from '../../../preload/contract/effects'
import { Icon } from '../../components/icon'
import { useVirtualList, VirtualRows } from '../../components/virtual-list'
import { classNames } from '../../lib/class-names'
import { LineCounts } from '../transcript/evidence'
import './list-ring.css'
import { FileKind, FilePath } from './file-name'
import { rowForKey } from './row-keys'

/** Height of a row in CSS pixels, as `.file` has it. */
const ROW_HEIGHT = 24

interface FileListProps {
  readonly files: readonly ChangedFile[]
  readonly chosen: string | null
  readonly onChoose: (path: string) => void
}

/** Changed files: one tab stop, arrow keys inside. */
export function FileList({ files, chosen, onChoose }: FileListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const id = useId()
  const virtualizer = useVirtualList({
    count: files.length,
    scroller,
    estimateSize: () => ROW_HEIGHT,
    keyOf: (index) => files[index]?.path ?? index,
  })
  const at = files.findIndex((file) => file.path === chosen)
  useEffect(() => {
    if (at !== -1) virtualizer.scrollToIndex(at, { align: 'auto' })
  }, [at, virtualizer])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const row = rowForKey(event.key, at, files.length)
    const file = row === undefined ? undefined : files[row]
    if (file === undefined) return
    event.preventDefault()
    onChoose(file.path)
  }
  return (
    <div className="list-ring">
      <div
        ref={scroller}
        className="files scroll inset"
        role="listbox"
        aria-label="Changed files"
        aria-activedescendant={at === -1 ? undefined : `${id}-${at}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <VirtualRows
          virtualizer={virtualizer}
          renderRow={(index) => {
            const file = files[index]
            if (file === undefined) return null
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys belong to the list
              <div
                id={`${id}-${index}`}
                className={classNames('file', index === at && 'on')}
                data-testid="changed-file"
                data-path={file.path}
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                aria-setsize={files.length}
                aria-posinset={index + 1}
                onClick={() => onChoose(file.path)}
              >
                <Icon name="file" className="dim" />
                <FileKind kind={file.kind} />
                <FilePath path={file.path} from={file.from} />
                <LineCounts added={file.added} removed={file.removed} />
              </div>
            )
          }}
        />
      </div>
    </div>
  )
}
