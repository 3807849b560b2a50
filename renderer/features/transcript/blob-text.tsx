import { type ReactNode, useEffect, useState } from 'react'
import type { BlobRef } from '../../../preload/contract/ids'
import { bridge } from '../../bridge'
import { Button } from '../../components/button'
import { formatBytes } from '../../lib/format'
import { useSession } from '../../store/session-store'
import { reportActFailure } from '../../store/ui-store'

/** Bytes of a blob that the transcript shows; what is longer is said to be cut. */
const SHOWN_BYTES = 1024 * 1024

interface BlobTextProps {
  /** The beginning, as the event holds it. */
  readonly text: string
  readonly blob: BlobRef | undefined
  /** Fetch the rest as soon as it is drawn, without being asked. */
  readonly eager?: boolean | undefined
  readonly children: (text: string) => ReactNode
}

/** Text whose whole may lie in a blob: its beginning at once, the rest on demand. */
export function BlobText({ text, blob, eager, children }: BlobTextProps) {
  const [whole, setWhole] = useState<string | null>(null)
  const session = useSession((state) => state.id)
  const id = blob?.id

  const load = () => {
    if (session === null || id === undefined) return Promise.resolve()
    return bridge.session
      .blobText({ session, blob: id, limit: SHOWN_BYTES })
      .then((answer) => setWhole(answer.binary ? text : answer.text))
  }
  useEffect(() => {
    if (eager !== true || session === null || id === undefined) return
    let current = true
    bridge.session.blobText({ session, blob: id, limit: SHOWN_BYTES }).then(
      (answer) => current && setWhole(answer.text),
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [eager, session, id])

  if (blob === undefined) return children(text)
  return (
    <>
      {children(whole ?? text)}
      {whole === null && !eager && (
        <div className="ef">
          <span>The first part of {formatBytes(blob.bytes)}</span>
          <Button small kind="quiet" className="right" onClick={() => void load().catch(reportActFailure)}>
            Show all
          </Button>
        </div>
      )}
      {whole !== null && blob.bytes > SHOWN_BYTES && (
        <div className="ef">
          Cut at {formatBytes(SHOWN_BYTES)} of {formatBytes(blob.bytes)}
        </div>
      )}
    </>
  )
}
