import { useEffect, useState } from 'react'
import type { ImagePart } from '../../../preload/contract/content'
import { bridge } from '../../bridge'
import { formatBytes } from '../../lib/format'
import { useSession } from '../../store/session-store'

/** An image of the session, drawn small, with its name and size. */
export function StoredImage({ part }: { readonly part: ImagePart }) {
  const session = useSession((state) => state.id)
  const [url, setUrl] = useState<string | null>(null)
  const { id } = part.blob
  const { mimeType } = part
  useEffect(() => {
    if (session === null) return
    let made: string | null = null
    let current = true
    bridge.session.blobBytes({ session, blob: id }).then(
      (bytes) => {
        if (!current) return
        made = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: mimeType }))
        setUrl(made)
      },
      () => undefined,
    )
    return () => {
      current = false
      if (made !== null) URL.revokeObjectURL(made)
    }
  }, [session, id, mimeType])
  const size = part.width === undefined ? '' : `${part.width} × ${part.height ?? 0}, `
  return (
    <span className="chip plain" data-testid="attachment">
      {url === null ? <span className="th" /> : <img className="th" src={url} alt={part.name ?? 'Image'} />}
      <span className="meta">
        <span>{part.name ?? 'Image'}</span>
        <span className="dim xs">
          {size}
          {formatBytes(part.blob.bytes)}
        </span>
      </span>
    </span>
  )
}
