import { useState } from 'react'
import { IconButton } from '../../components/button'
import { Icon } from '../../components/icon'
import { classNames } from '../../lib/class-names'
import { formatBytes } from '../../lib/format'
import type { Attachment } from '../../store/composer-store'

interface AttachmentChipProps {
  readonly attachment: Attachment
  /** The chosen model takes images. */
  readonly accepted: boolean
  readonly onRemove: () => void
}

/** An image that will be sent, or a file that will not, with the reason. */
export function AttachmentChip({ attachment, accepted, onRemove }: AttachmentChipProps) {
  const [size, setSize] = useState('')
  const { name, url, refused, bytes } = attachment
  const words = refused ?? (accepted ? `${size}${formatBytes(bytes)}` : 'Not sent: this model takes no images')
  return (
    <span className={classNames('chip', refused !== null && 'bad')} data-testid="attachment" title={refused ?? name}>
      {url === null ? (
        <span className="th center">
          <Icon name="image" />
        </span>
      ) : (
        <img
          className="th"
          src={url}
          alt=""
          onLoad={({ currentTarget }) => setSize(`${currentTarget.naturalWidth} × ${currentTarget.naturalHeight}, `)}
        />
      )}
      <span className="meta">
        <span className="cut">{name}</span>
        <span className={classNames('xs', accepted && refused === null ? 'dim' : 't-danger')}>{words}</span>
      </span>
      <IconButton icon="x" small label={`Remove ${name}`} onClick={onRemove} />
    </span>
  )
}
