import { lazy, Suspense } from 'react'
import type { Ask, Preview } from '../../../preload/contract/effects'
import { Icon } from '../../components/icon'
import { useSession } from '../../store/session-store'
import { BlobText } from '../transcript/blob-text'
import { grantWords } from './answer-keys'
import { FileHeading } from './file-heading'

// Most sessions are on screen before anything is asked: comparing lines is loaded with the first question.
const PendingDiff = lazy(() => import('./pending-diff'))

type Kind<Name extends Preview['kind']> = Extract<Preview, { kind: Name }>

function DiffEffect({ call, preview }: { readonly call: string; readonly preview: Kind<'diff'> }) {
  return (
    <>
      {preview.warnings?.map((warning) => (
        <div key={warning} className="banner warn">
          <Icon name="alert" className="t-warn" />
          <span className="grow">{warning}</span>
        </div>
      ))}
      <Suspense
        fallback={
          <div className="diff uni pending">
            {preview.files.map((file) => (
              <FileHeading key={file.path} file={file} />
            ))}
          </div>
        }
      >
        <PendingDiff call={call} files={preview.files} />
      </Suspense>
    </>
  )
}

/** Paths that would be lost: all that were resolved, and how many more there are. */
function Losses({ paths, total }: { readonly paths: readonly string[]; readonly total: number }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keyboard
    <ul className="lost scroll inset" aria-label="What would be deleted" tabIndex={0}>
      {paths.map((path) => (
        <li key={path}>
          <Icon name={path.endsWith('/') ? 'folder' : 'file'} />
          <span className="mono cut" title={path}>
            {path}
          </span>
        </li>
      ))}
      {total > paths.length && (
        <li>
          <Icon name="more" />
          <span className="mid">{(total - paths.length).toLocaleString('en')} more</span>
        </li>
      )}
    </ul>
  )
}

/** The whole text that would run or be sent; a long one scrolls, and is never cut. */
function CommandText({ text, prompt }: { readonly text: string; readonly prompt?: boolean }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keyboard
    <code className="cmd scroll inset" tabIndex={0}>
      {prompt && <span className="p">$ </span>}
      {text}
    </code>
  )
}

function CommandEffect({ preview, ask }: { readonly preview: Kind<'command'>; readonly ask: Ask }) {
  const { line, blob, cwd, tier, intent, unsandboxed, loses, losesTotal } = preview
  const bare = unsandboxed === true || tier === 'off'
  return (
    <>
      <BlobText text={line} blob={blob} eager>
        {(text) => <CommandText text={text} prompt />}
      </BlobText>
      {loses !== undefined && loses.length > 0 && <Losses paths={loses} total={losesTotal ?? loses.length} />}
      <dl className="facts">
        {intent !== undefined && (
          <>
            <dt>Why</dt>
            <dd>{intent}</dd>
          </>
        )}
        <dt>Runs in</dt>
        <dd className="row">
          <span className="mono cut" title={cwd}>
            {cwd}
          </span>
          {bare ? <span className="tag warn">unsandboxed</span> : <span className="tag">sandbox {tier}</span>}
        </dd>
        <AskedBy ask={ask} />
      </dl>
    </>
  )
}

/** Why there is a question at all, and whether it will come again. */
function AskedBy({ ask }: { readonly ask: Ask }) {
  const cwd = useSession(({ state }) => state.cwd)
  const { covers } = grantWords(ask, cwd)
  const again = !ask.scopes.includes('session') && !ask.scopes.includes('always')
  return (
    <>
      <dt>Asked by</dt>
      <dd>
        {ask.reason}
        {again && <span className="mid">. Asks every time: no rule or session can allow it ahead.</span>}
      </dd>
      {covers !== null && ask.scopes.includes('session') && (
        <>
          <dt>This session</dt>
          <dd className="break">would cover {covers}</dd>
        </>
      )}
    </>
  )
}

/** The effect of a call, above the buttons: the bytes that run if it is allowed. */
export function EffectBody({
  call,
  preview,
  ask,
}: {
  readonly call: string
  readonly preview: Preview | undefined
  readonly ask: Ask
}) {
  if (preview?.kind === 'command') return <CommandEffect preview={preview} ask={ask} />
  return (
    <>
      {preview?.kind === 'diff' && <DiffEffect call={call} preview={preview} />}
      {preview?.kind === 'request' && <code className="cmd">{`${preview.method} ${preview.url}`}</code>}
      {preview?.kind === 'text' && (
        <BlobText text={preview.text} blob={preview.blob} eager>
          {(text) => <CommandText text={text} />}
        </BlobText>
      )}
      <dl className="facts">
        <AskedBy ask={ask} />
      </dl>
    </>
  )
}
