import { memo, useMemo, useState } from 'react'
import type { ChangedFile } from '../../../preload/contract/effects'
import type { CallItem } from '../../../preload/contract/session-state'
import { bridge } from '../../bridge'
import { ErrorBlock } from '../../components/banner'
import { Button } from '../../components/button'
import { LineCounts } from '../../components/line-counts'
import { parseAnsi } from '../../lib/ansi'
import { classNames } from '../../lib/class-names'
import { formatBytes } from '../../lib/format'
import { changeLayout } from '../../store/layout-store'
import { reportActFailure, useUi } from '../../store/ui-store'
import { BlobText } from './blob-text'
import { prettyArguments } from './call-words'
import { StoredImage } from './stored-image'

/** Lines of a running command that are drawn: what was last printed is what is read. */
const LIVE_LINES = 40

/** What a program printed, in its colours. */
export const Output = memo(function Output({ text, wrap }: { readonly text: string; readonly wrap?: boolean }) {
  const spans = useMemo(() => parseAnsi(text), [text])
  return (
    <pre className={classNames('out scroll', wrap && 'wrap')}>
      {spans.map((span, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: spans have no identity but their place
        <span key={index} className={span.color}>
          {span.text}
        </span>
      ))}
    </pre>
  )
})

function lastLines(text: string, lines: number): string {
  let from = text.length
  for (let count = 0; count < lines && from > 0; count += 1) from = text.lastIndexOf('\n', from - 1)
  return from <= 0 ? text : text.slice(from + 1)
}

/** Shows a changed file in the Changes view. */
export function openInChanges(path: string): void {
  changeLayout({ dockOpen: true })
  useUi.setState({ dockOver: true, changesTarget: { scope: 'session', path } })
}

const kindLetters: Readonly<Record<ChangedFile['kind'], string>> = {
  added: 'A',
  modified: 'M',
  deleted: 'D',
  renamed: 'R',
}

function FileRow({ file }: { readonly file: ChangedFile }) {
  const letter = kindLetters[file.kind]
  return (
    <div className="ef first-ef">
      <span className={`fk ${letter.toLowerCase()}`} title={file.kind}>
        {letter}
      </span>
      <span className="mono cut cut-start" title={file.path}>
        <span>{file.path}</span>
      </span>
      <LineCounts added={file.added} removed={file.removed} />
      <Button small kind="quiet" className="right" onClick={() => openInChanges(file.path)}>
        Open in Changes
      </Button>
    </div>
  )
}

function Raw({ item }: { readonly item: CallItem }) {
  const [shown, setShown] = useState(false)
  if (!shown) {
    return (
      <Button small kind="quiet" className="right" onClick={() => setShown(true)}>
        Raw call
      </Button>
    )
  }
  return (
    <div className="raw">
      <div className="eh">Arguments</div>
      <BlobText text={item.args} blob={item.blob}>
        {(args) => <pre className="out scroll">{prettyArguments(args)}</pre>}
      </BlobText>
      {item.details !== undefined && (
        <>
          <div className="eh">Details</div>
          <pre className="out scroll">{JSON.stringify(item.details, null, 2)}</pre>
        </>
      )}
    </div>
  )
}

/** What a program printed keeps its columns; a refusal is a sentence and wraps. */
function printsTable(item: CallItem): boolean {
  return item.error?.code === 'command_failed'
}

function Answer({ item }: { readonly item: CallItem }) {
  if (item.content === undefined) {
    return item.output === '' ? null : <Output text={lastLines(item.output, LIVE_LINES)} />
  }
  return item.content.map((part, index) => {
    const key = part.type === 'text' ? `text-${index}` : part.blob.id
    if (part.type === 'image') return <StoredImage key={key} part={part} />
    if (part.text === '') return null
    return (
      <BlobText key={key} text={part.text} blob={part.blob}>
        {(text) => <Output text={text} wrap={item.error !== undefined && !printsTable(item)} />}
      </BlobText>
    )
  })
}

function Kept({ item }: { readonly item: CallItem }) {
  if (item.kept === undefined) return null
  const { path, bytes } = item.kept
  return (
    <>
      <span className="cut" title={path}>
        {formatBytes(bytes)} kept
      </span>
      <Button small kind="quiet" onClick={() => void bridge.app.copyText(path).catch(reportActFailure)}>
        Copy path
      </Button>
    </>
  )
}

/** Everything a call left behind: what it answered, what failed, the files it changed, and at the end the raw call. */
export function Evidence({ item }: { readonly item: CallItem }) {
  const waits = item.content === undefined && item.output === '' && item.error === undefined
  const saysError = item.error !== undefined && !item.content?.some((part) => part.type === 'text' && part.text !== '')
  return (
    <div className="evid">
      {item.error !== undefined && saysError && (
        <ErrorBlock level="danger" icon="fail" title={item.error.message}>
          [{item.error.code}]
        </ErrorBlock>
      )}
      {item.files?.map((file) => (
        <FileRow key={`${file.kind} ${file.path}`} file={file} />
      ))}
      <Answer item={item} />
      {waits && <div className="ef first-ef">{item.state === 'running' ? 'No output yet' : 'Nothing to show yet'}</div>}
      <div className="ef">
        {item.error !== undefined && !saysError && <span className="t-danger">[{item.error.code}]</span>}
        <Kept item={item} />
        <Raw item={item} />
      </div>
    </div>
  )
}

export { LineCounts }
